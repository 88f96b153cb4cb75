import { expect, test, vi } from 'vitest'
import type { Queues } from '../../../src/core/ports.ts'
import { enqueueDeliveries, enqueueLater } from '../../../src/events/webhooks/queue.ts'

const HOUR = 3_600_000

function rig(send: Queues['send'] = async () => undefined) {
  const spy = vi.fn<Queues['send']>(send)
  const lines: unknown[] = []
  const log = { info: () => {}, error: (line: unknown) => lines.push(line) }
  return { system: { queues: { send: spy }, log }, sent: spy.mock.calls, lines }
}

test('deliveries of the same second travel together, delayed by whole seconds', async () => {
  const { system, sent } = rig()
  await enqueueLater(system, { shard: '07' }, [
    { id: 'dlv_1', pauseMs: 900 },
    { id: 'dlv_2', pauseMs: 61_000 },
    { id: 'dlv_3', pauseMs: 1_000 },
    { id: 'dlv_4', pauseMs: 0 },
  ])
  expect(sent).toEqual([
    [
      'delivery',
      [
        { shard: '07', id: 'dlv_1' },
        { shard: '07', id: 'dlv_3' },
      ],
      { delaySeconds: 1 },
    ],
    ['delivery', [{ shard: '07', id: 'dlv_2' }], { delaySeconds: 61 }],
    ['delivery', [{ shard: '07', id: 'dlv_4' }], {}],
  ])
})

test('a delivery that is due later than a queue may delay is left to the sweep', async () => {
  const { system, sent } = rig()
  await enqueueDeliveries(system, { shard: '07' }, [{ id: 'dlv_1' }], 12 * HOUR)
  await enqueueDeliveries(system, { shard: '07' }, [{ id: 'dlv_2' }], 12 * HOUR + 1)
  await enqueueDeliveries(system, { shard: '07' }, [])
  expect(sent).toEqual([['delivery', [{ shard: '07', id: 'dlv_1' }], { delaySeconds: 12 * 3_600 }]])
})

test('a queue that fails is no error of the caller: the sweep sends them', async () => {
  const { system, lines } = rig(() => Promise.reject(new Error('away')))
  await enqueueDeliveries(system, { shard: '07' }, [{ id: 'dlv_1' }])
  expect(lines).toEqual([{ event: 'work.not_sent', work: 'deliveries', messages: 1 }])
})
