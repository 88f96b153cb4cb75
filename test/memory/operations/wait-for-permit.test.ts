import { expect, test, vi } from 'vitest'
import type { Limiter } from '../../../src/core/ports.ts'
import { batch } from '../../../src/memory/operations/batch.ts'
import { importItems } from '../../../src/memory/operations/import.ts'
import {
  asWaiting,
  LOST_AFTER_MS,
  MAX_WAITING_CALLS,
  waitForPermit,
} from '../../../src/memory/operations/wait-for-permit.ts'
import { travel } from '../../support/clock.ts'
import { ctxOf } from '../../support/search.ts'
import { until } from '../../support/until.ts'
import { db, newTenant, system, type Tenant } from '../../support/world.ts'

const text = 'tea '.repeat(10_000)
/** Two slices, the second of which waits for a permit. */
const operations = [
  { op: 'store', content: text },
  { op: 'store', content: text },
]
const state = { policy: 'memory.store', limit: 10, windowSeconds: 1, remaining: 0, resetSeconds: 1 }

/** A limiter that admits nobody until it is opened. */
function closedLimiter(): { limiter: Limiter; asked: () => number; open: () => void } {
  let asked = 0
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const acquire = async () => {
    asked += 1
    await promise
    return { admitted: true, state, acquiredAt: system.now(), retryAt: system.now() }
  }
  return {
    limiter: { ...system.limiter, acquire, release: async () => {} },
    asked: () => asked,
    open: () => resolve(undefined),
  }
}

const itemsOf = async ({ tenantId }: Tenant): Promise<number> =>
  (await db.all('select id from memory_items where tenant_id = :tenant', { tenant: tenantId })).length

/** A line of an import that stores nothing, so that a long import is quick. */
const NOTHING = '{}'
const importOf = (user: Tenant, limiter: Limiter, lines = 51) => {
  const body = [JSON.stringify({ content: 'one' }), ...Array.from({ length: lines - 1 }, () => NOTHING)].join('\n')
  return importItems(ctxOf(user, { limiter }), { body, projectId: undefined })
}
const shortImportOf = (user: Tenant, limiter: Limiter) => importOf(user, limiter, 1)
const batchOf = (user: Tenant, limiter: Limiter) => batch(ctxOf(user, { limiter }), { operations })

const outcomeOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => 'done').catch((error: unknown) => error)
const REFUSED = { code: 'rate_limited', headers: { 'Retry-After': '1' } }

test.each([
  ['four imports of more than 50 lines', importOf, 1, MAX_WAITING_CALLS.long],
  ['four batches of several slices', batchOf, 2, MAX_WAITING_CALLS.long],
  ['32 short imports', shortImportOf, 1, MAX_WAITING_CALLS.short],
] as const)(
  'contract §6: %s of a user wait at once; a further one is 429, and nothing of it is done',
  async (_, send, items, bound) => {
    const [user, other] = [await newTenant(), await newTenant()]
    const { limiter, open } = closedLimiter()
    const refused: unknown[] = []
    const refuse = (error: unknown): void => {
      refused.push(error)
    }
    const sent = Array.from({ length: bound + 16 }, () => send(user, limiter).then(() => 'done', refuse))
    const others = outcomeOf(send(other, limiter))
    // The refused ones answer while the others still wait.
    await until(() => expect(refused).toHaveLength(16))
    open()
    const outcomes = await Promise.all(sent)
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(bound)
    for (const error of refused) expect(error).toMatchObject(REFUSED)
    expect(await itemsOf(user)).toBe(bound * items)
    expect(await others).toBe('done')
    // Whoever is done makes room.
    expect(await outcomeOf(send(user, limiter))).toBe('done')
  },
)

test('contract §6: batches and imports of a user share the bound, and a batch of one slice and a short import need no place of theirs', async () => {
  const user = await newTenant()
  const { limiter, asked, open } = closedLimiter()
  const sent = [importOf, importOf, batchOf, batchOf].map((send) => outcomeOf(send(user, limiter)))
  await until(() => expect(asked()).toBe(4))
  expect(await outcomeOf(importOf(user, limiter))).toMatchObject(REFUSED)
  expect(await outcomeOf(batch(ctxOf(user, { limiter }), { operations: operations.slice(1) }))).toBe('done')
  const short = outcomeOf(shortImportOf(user, limiter))
  await until(() => expect(asked()).toBe(5))
  open()
  expect(await Promise.all([...sent, short])).toEqual(['done', 'done', 'done', 'done', 'done'])
})

test('an import whose lines are cut into slices waits as one call, also where it fails', async () => {
  const user = await newTenant()
  const { limiter, open } = closedLimiter()
  open()
  const body = operations.map(() => JSON.stringify({ content: text })).join('\n')
  const long = () => importItems(ctxOf(user, { limiter }), { body, projectId: undefined })
  expect(await Promise.all(Array.from({ length: MAX_WAITING_CALLS.long }, () => outcomeOf(long())))).toEqual(
    Array.from({ length: MAX_WAITING_CALLS.long }, () => 'done'),
  )
  const failing: Limiter = { ...system.limiter, acquire: () => Promise.reject(new Error('down')) }
  for (let n = 0; n <= MAX_WAITING_CALLS.long; n += 1) {
    expect(await outcomeOf(importOf(user, failing))).toMatchObject({ message: 'down' })
  }
  expect(await outcomeOf(importOf(user, limiter))).toBe('done')
})

test('calls whose requests died give their places back after a minute', async () => {
  const user = await newTenant()
  travel(0)
  const call = () => ctxOf(user, {})
  for (let n = 0; n < MAX_WAITING_CALLS.long; n += 1) void asWaiting(call(), 'long', () => new Promise(() => {}))
  travel(LOST_AFTER_MS - 1)
  expect(await outcomeOf(asWaiting(call(), 'long', async () => {}))).toMatchObject(REFUSED)
  travel(1)
  expect(await outcomeOf(asWaiting(call(), 'long', async () => {}))).toBe('done')
})

test('other work of the isolate has its turn before each slice, also where no limit refuses', async () => {
  const user = await newTenant()
  const { limiter, open } = closedLimiter()
  open()
  const paused = vi.spyOn(scheduler, 'wait')
  const turnsGiven = () => paused.mock.calls.filter(([ms]) => ms === 1).length
  await waitForPermit(ctxOf(user, { limiter }), 'memory.store', 'batch', async () => {})
  expect(turnsGiven()).toBe(1)
  await batch(ctxOf(user, { limiter }), { operations: [...operations, ...operations] })
  expect(turnsGiven()).toBe(1 + 3)
  paused.mockRestore()
})
