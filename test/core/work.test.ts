import { expect, test, vi } from 'vitest'
import type { Queues } from '../../src/core/ports.ts'
import { commitThenSend, sendWork, WorkStatement } from '../../src/core/work.ts'
import { EVENTS } from '../../src/events/queue.ts'
import { DELIVERIES } from '../../src/events/webhooks/queue.ts'
import { db } from '../support/world.ts'

function rig(send: Queues['send'] = async () => undefined) {
  const spy = vi.fn<Queues['send']>(send)
  const [lines, after]: [unknown[], Promise<unknown>[]] = [[], []]
  const log = { info: () => {}, error: (line: unknown) => lines.push(line) }
  const system = { queues: { send: spy }, log, waitUntil: (work: Promise<unknown>) => void after.push(work) }
  return { system, sent: spy.mock.calls, lines, settled: () => Promise.all(after) }
}

const rows = (...ids: string[]) =>
  new WorkStatement(db.statement('select value as id from json_each(:ids)', { ids: JSON.stringify(ids) }), (found) => ({
    kind: EVENTS,
    messages: found.map((id) => ({ id })),
  }))

test('a commit answers the rows of each statement and sends the work of those that made some', async () => {
  const { system, sent, settled } = rig()
  const results = await commitThenSend<[{ n: number }, { id: string }, { id: string }]>(system, db, [
    db.statement('select 1 as n'),
    rows('evt_1', 'evt_2'),
    rows(),
  ])
  await settled()
  expect(results).toEqual([[{ n: 1 }], [{ id: 'evt_1' }, { id: 'evt_2' }], []])
  expect(sent).toEqual([['events', [{ id: 'evt_1' }, { id: 'evt_2' }], {}]])
})

test('a commit that fails sends nothing', async () => {
  const { system, sent, settled } = rig()
  await expect(commitThenSend(system, db, [rows('evt_1'), db.statement('select * from nothing')])).rejects.toThrow(
    'syntax error',
  )
  await settled()
  expect(sent).toEqual([])
})

test('a commit does not wait for its queue', async () => {
  const { system } = rig(() => new Promise(() => {}))
  expect(await commitThenSend(system, db, [rows('evt_1')])).toEqual([[{ id: 'evt_1' }]])
})

test('a queue that fails is an error of nobody but the log', async () => {
  const { system, lines, settled } = rig(() => Promise.reject(new Error('away')))
  expect(await commitThenSend(system, db, [rows('evt_1')])).toEqual([[{ id: 'evt_1' }]])
  await settled()
  expect(lines).toEqual([{ event: 'work.not_sent', work: 'events', messages: 1 }])
})

test('work may be sent later', async () => {
  const { system, sent } = rig()
  await sendWork(system, { kind: DELIVERIES, messages: [1], delaySeconds: 2 })
  await sendWork(system, { kind: DELIVERIES, messages: [2], delaySeconds: 0 })
  await sendWork(system, { kind: DELIVERIES, messages: [], delaySeconds: 2 })
  expect(sent).toEqual([
    ['delivery', [1], { delaySeconds: 2 }],
    ['delivery', [2], {}],
  ])
})
