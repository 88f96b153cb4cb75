import { expect, test } from 'vitest'
import { coalesce } from '../../../src/core/batching/coalesce.ts'
import type { Queues } from '../../../src/core/ports.ts'
import { until } from '../../support/until.ts'
import { system } from '../../support/world.ts'

function rig() {
  const sent: [string, string[]][] = []
  const add = coalesce(5, async (_system, key, ids) => void sent.push([key, ids]))
  return { sent, add }
}

test('ids of one window travel as one, by key', async () => {
  const { sent, add } = rig()
  add(system, 'a', ['1'])
  add(system, 'a', ['2', '3'])
  add(system, 'b', ['4'])
  add(system, 'b', [])
  await until(() =>
    expect(sent).toEqual([
      ['a', ['1', '2', '3']],
      ['b', ['4']],
    ]),
  )
})

test('ids never join a group that goes out over other queues, such as those of a test that loses every message', async () => {
  const sent: [unknown, string[]][] = []
  const add = coalesce(5, async ({ queues }, _key, ids) => void sent.push([queues, ids]))
  const losing: Queues = { send: async () => {} }
  add({ ...system, queues: losing }, 'a', ['1'])
  add(system, 'a', ['2'])
  add({ ...system, queues: losing }, 'a', ['3'])
  await until(() => expect(sent).toHaveLength(2))
  expect(sent).toContainEqual([losing, ['1', '3']])
  expect(sent).toContainEqual([system.queues, ['2']])
})

test('a group whose request has died swallows nothing that comes after it', async () => {
  const { sent, add } = rig()
  const start = system.now()
  let now = start
  // The request that opened the group is killed: what it waits for never comes.
  const clocked = { ...system, now: () => now }
  add(clocked, 'a', ['lost'])
  now = start + 3 * 5
  add(clocked, 'a', ['next'])
  await until(() => expect(sent).toContainEqual(['a', ['next']]))
})
