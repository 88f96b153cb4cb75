/** @module-tag long */
import { expect, test } from 'vitest'
import { MAX_ATOMIC_CHARACTERS } from '../../../src/memory/write/atomic-limit.ts'
import { batch } from '../../../src/memory/operations/batch.ts'
import { newWriter } from '../../support/memory.ts'
import { ctxOf } from '../../support/search.ts'
import { db, newTenant, system, type Tenant } from '../../support/world.ts'
import type { Limiter } from '../../../src/core/ports.ts'

/** A limiter that admits everything, since what is tested here is a size. */
const limiter: Limiter = {
  ...system.limiter,
  acquire: async () => ({
    admitted: true,
    state: { policy: 'memory.store', limit: 10, windowSeconds: 1, remaining: 9, resetSeconds: 1 },
    acquiredAt: system.now(),
    retryAt: system.now(),
  }),
  release: async () => {},
}

const send = (user: Tenant, operations: readonly unknown[], atomic = true) =>
  batch(ctxOf(user, { limiter }), { operations, atomic })

/** Ids of items whose texts have this many characters. */
async function itemsOf(user: Tenant, texts: readonly string[]): Promise<string[]> {
  const operations = texts.map((content, nth) => ({ op: 'store', content, custom_id: `c${nth}` }))
  return (await send(user, operations, false)).results.map(({ id = '' }) => id)
}

const MAX = MAX_ATOMIC_CHARACTERS
/** Few words of this many characters, which keeps the test quick. */
const textOf = (characters: number, letter = 'x'): string => letter.repeat(characters)
const DATE = '2024-05-08T00:00:00Z'
const ELSEWHERE = { namespace: 'elsewhere' }

const tooLong = (detail: string) => ({
  status: 422,
  code: 'validation_failed',
  errors: [{ path: 'operations', code: 'texts_too_long', message: expect.stringContaining(detail) }],
})

test('contract §3: the texts of an atomic batch have at most 65,536 characters, and texts_too_long names the sum', async () => {
  const user = await newWriter()
  const post = (...lengths: number[]) =>
    user.send('POST', '/api/memory/batch', {
      operations: lengths.map((length) => ({ op: 'store', content: textOf(length) })),
      atomic: true,
    })
  const refused = await post(40_000, 25_537)
  expect({ status: refused.status, errors: refused.body.errors }).toMatchObject({
    status: 422,
    errors: [{ code: 'texts_too_long', message: expect.stringContaining('has 65,537 characters of text') }],
  })
  expect(await db.all('select id from memory_items where project_id = :project', { project: user.projectId })).toEqual(
    [],
  )
  expect((await post(40_000, 25_536)).body).toMatchObject({ success_count: 2 })
})

test('contract §1: characters are code points, so the widest text of an item is an atomic batch too', async () => {
  const user = await newTenant()
  expect(await send(user, [{ op: 'store', content: '🫖'.repeat(MAX) }])).toMatchObject({ success_count: 1 })
  const one = { op: 'store', content: 'x' }
  await expect(send(user, [{ op: 'store', content: '🫖'.repeat(MAX) }, one])).rejects.toMatchObject(
    tooLong('has 65,537 characters'),
  )
})

test.each([
  ['date', { occurred_at: DATE }],
  ['place', { context: ELSEWHERE }],
  ['date and place', { occurred_at: DATE, context: ELSEWHERE }],
])('contract §3: the text of a stored item whose %s changes counts, to the character', async (_name, change) => {
  const user = await newTenant()
  const [first, second] = await itemsOf(user, [textOf(40_000, 'я'), textOf(20_000)])
  const moved = [first, second].map((id) => ({ op: 'update', id, ...change }))
  await expect(send(user, [...moved, { op: 'store', content: textOf(5_537) }])).rejects.toMatchObject(
    tooLong('has 65,537 characters of text: 5,537 in the request and 60,000 in stored items'),
  )
  expect(await send(user, [...moved, { op: 'store', content: textOf(5_536) }])).toMatchObject({ success_count: 3 })
  // They have the date and the place by now, so nothing of them changes.
  expect(await send(user, [...moved, { op: 'store', content: textOf(MAX) }])).toMatchObject({ success_count: 3 })
})

test('contract §3: a text that the request replaces does not count, nor does one that nothing moves', async () => {
  const user = await newTenant()
  const [first, second, third] = await itemsOf(user, [textOf(MAX), textOf(MAX), textOf(MAX)])
  const half = textOf(MAX / 2)
  const operations = [
    { op: 'update', id: first, content: half, occurred_at: DATE },
    { op: 'store', content: half, custom_id: 'c1', occurred_at: DATE },
    { op: 'update', id: third, content: { metadata: { pad: textOf(16_000) } }, tags: ['read'] },
    { op: 'retrieve', id: second },
    { op: 'update', id: third, occurred_at: DATE },
    { op: 'delete', id: third },
  ]
  expect(await send(user, operations)).toMatchObject({ success_count: 6 })
})

test('an item counts once, by the date and the place in which the batch leaves it', async () => {
  const user = await newTenant()
  const [id] = await itemsOf(user, [textOf(MAX)])
  const often = [DATE, '2024-05-09T00:00:00Z'].map((occurred_at) => ({ op: 'update', id, occurred_at }))
  const one = { op: 'store', content: 'x' }
  expect(await send(user, often)).toMatchObject({ success_count: 2 })
  const back = [null, '2024-05-09T00:00:00Z'].map((occurred_at) => ({ op: 'update', id, occurred_at }))
  expect(await send(user, [...back, one])).toMatchObject({ success_count: 3 })
  await expect(send(user, [...often.slice(0, 1), one])).rejects.toMatchObject(tooLong('has 65,537 characters'))
})

test('contract §3: any other batch has no such limit', async () => {
  const user = await newTenant()
  const ids = await itemsOf(user, [textOf(MAX), textOf(MAX)])
  const dated = ids.map((id) => ({ op: 'update', id, occurred_at: DATE, context: ELSEWHERE }))
  const stores = [textOf(MAX), textOf(MAX)].map((content) => ({ op: 'store', content }))
  expect(await send(user, [...dated, ...stores], false)).toMatchObject({ success_count: 4 })
})

test('an operation that fails is told before a sum, and a batch of both writes nothing', async () => {
  const user = await newTenant()
  const operations = [
    { op: 'store', content: textOf(MAX) },
    { op: 'delete', id: 'mem_none' },
    { op: 'store', content: 'x' },
  ]
  await expect(send(user, operations)).rejects.toMatchObject({ status: 422, extra: { error_count: 1 } })
  expect(await db.all('select id from memory_items where project_id = :project', { project: user.projectId })).toEqual(
    [],
  )
})

test('security 67: with write:memory alone no atomic batch counts the text of a stored item', async () => {
  const user = await newTenant()
  const [id = ''] = await itemsOf(user, [textOf(1_000)])
  const ctx = ctxOf(user, { limiter })
  const writer = { ...ctx, principal: { ...ctx.principal, scopes: ['write:memory'] as const } }
  const post = (change: Record<string, unknown>) =>
    batch(writer, {
      operations: [
        { op: 'update', id, ...change },
        { op: 'store', content: textOf(MAX) },
      ],
      atomic: true,
    })
  for (const change of [{ occurred_at: DATE }, { context: ELSEWHERE }, { visibility: 'private' }])
    await expect(post(change)).rejects.toMatchObject({
      status: 422,
      extra: {
        results: [{ status: 'error', error: { status: 403, code: 'insufficient_scope' } }, { status: 'skipped' }],
      },
    })
  // A text of its own is no secret.
  await expect(post({ content: textOf(2) })).rejects.toMatchObject(tooLong('65,538'))
})
