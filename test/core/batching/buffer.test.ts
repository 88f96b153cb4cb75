import { expect, test } from 'vitest'
import { SendBuffer } from '../../../src/core/batching/buffer.ts'
import type { System } from '../../../src/core/context.ts'
import { travel } from '../../support/clock.ts'
import { system } from '../../support/world.ts'

const MAX_ENTRIES = 3
/** A request that is killed before it flushes what it carries. */
const killed: System = { ...system, waitUntil: () => {} }
const KILLED_WINDOW_MS = 2_000

/** A buffer whose receiver refuses the first `refused` batches, and a way to add the entries of one request. */
function rig(refused = 0) {
  const sent: { id: number; entries: string[]; refusals: number }[] = []
  const reported: unknown[] = []
  let opened = 0
  let asked = 0
  const buffer = new SendBuffer<{ id: number; entries: string[] }>({
    windowMs: (carrier) => (carrier === killed ? KILLED_WINDOW_MS : 20),
    open: () => ({ id: (opened += 1), entries: [] }),
    isFull: ({ entries }) => entries.length >= MAX_ENTRIES,
    send: async (_, batch, refusals) => {
      asked += 1
      if (asked <= refused) throw new Error(`refusal ${asked}`)
      sent.push({ ...batch, refusals })
    },
    onRefused: (_, { id }, refusals, error) => reported.push([id, refusals, error]),
  })
  const works: Promise<unknown>[] = []
  const alive: System = { ...system, waitUntil: (work) => void works.push(work) }
  const add = (...entries: string[]) => {
    for (const entry of entries) buffer.add(alive, (batch) => batch.entries.push(entry))
  }
  const settle = async () => {
    while (works.length > 0) await works.shift()
  }
  return { buffer, add, settle, sent, reported, carriers: () => works.length }
}

test('entries of one window go out as one batch, which one request carries', async () => {
  const { add, settle, sent, carriers } = rig()
  add('a')
  add('b')
  expect(carriers()).toBe(1)
  await settle()
  expect(sent).toEqual([{ id: 1, entries: ['a', 'b'], refusals: 0 }])
  add('c')
  await settle()
  expect(sent.slice(1)).toEqual([{ id: 2, entries: ['c'], refusals: 0 }])
})

test('a full batch does not wait for its window', async () => {
  const { add, settle, sent } = rig()
  add('a', 'b', 'c', 'd')
  await Promise.resolve()
  expect(sent).toEqual([{ id: 1, entries: ['a', 'b', 'c'], refusals: 0 }])
  await settle()
  expect(sent.slice(1)).toEqual([{ id: 2, entries: ['d'], refusals: 0 }])
})

test('a refused batch goes out again as it was, before what came since, without a further request', async () => {
  const { add, settle, sent, reported } = rig(2)
  add('a')
  const settled = settle()
  await expect.poll(() => reported.length, { interval: 1 }).toBe(1)
  add('b')
  await settled
  await settle()
  expect(reported).toEqual([
    [1, 1, new Error('refusal 1')],
    [1, 2, new Error('refusal 2')],
  ])
  expect(sent).toEqual([
    { id: 1, entries: ['a'], refusals: 2 },
    { id: 2, entries: ['b'], refusals: 2 },
  ])
  add('c')
  await settle()
  expect(sent.at(-1)).toEqual({ id: 3, entries: ['c'], refusals: 0 })
})

test.each([
  ['died with its request', KILLED_WINDOW_MS + 4_000],
  ['was scheduled before the clock was set back', -60_000],
])('another request carries a batch whose flush %s', async (_, byMs) => {
  const { buffer, add, settle, sent, carriers } = rig()
  buffer.add(killed, (batch) => batch.entries.push('a'))
  add('b')
  expect(carriers()).toBe(0)
  travel(byMs)
  add('c')
  expect(carriers()).toBe(1)
  await settle()
  expect(sent).toEqual([{ id: 1, entries: ['a', 'b', 'c'], refusals: 0 }])
})
