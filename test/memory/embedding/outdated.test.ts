/** @module-tag long */
import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import type { EmbeddingModel } from '../../../src/core/models.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { takeDue } from '../../../src/memory/embedding/due.ts'
import { mayHaveOthers, rememberOthers } from '../../../src/memory/search/other-models.ts'
import { usage, UsageInput } from '../../../src/memory/operations/usage.ts'
import { ctxOf, embedded, find, idsOf, rowOf, stored } from '../../support/search.ts'
import { until } from '../../support/until.ts'
import { db, newTenant, system } from '../../support/world.ts'
import { embeddingModel, withVectors } from '../../support/models.ts'

/** Each is a deployment of its own, which has seen nothing yet. */
const named = (model: string): EmbeddingModel => ({ ...embeddingModel, model })
/** The request as an isolate runs it that has not yet seen which models the items are of. */
function unseen(ctx: AuthContext): AuthContext {
  rememberOthers(ctx, true)
  return ctx
}

const narrower: EmbeddingModel = {
  ...withVectors(embeddingModel, (vectors) => vectors.map((values) => values.subarray(0, 128))),
  dimension: 128,
}

const usageInput = UsageInput.parse({})

/** Embeds with this model what it finds outdated, as sweep and consumer do. */
const sweepWith = (ctx: AuthContext, id: string) =>
  until(async () => {
    await embedItems(ctx, db, await takeDue(ctx, '00'))
    const row = await db.first<{ embedding_model: string }>('select embedding_model from memory_items where id = :id', {
      id,
    })
    expect(row?.embedding_model).toBe(ctx.embedder.model)
  })

test.each([
  ['another model', named('test/outdated')],
  ['another model whose name comes first', named('a/outdated')],
  ['another dimension', narrower],
])(
  'contract §3: after a change to %s an item is found by keyword and counts as pending, also before the sweep reached it',
  async (_, model) => {
    const user = await newTenant()
    const [one = '', other = ''] = await embedded(ctxOf(user), ['a boiling kettle', 'a kettle'])
    const ctx = ctxOf(user, { embeddingModel: model })
    expect(await rowOf(one)).toMatchObject({ embedding_status: 'completed' })
    for (const mode of ['hybrid', 'keyword']) {
      const reply = await find(ctx, 'boiling kettle', { mode })
      expect([idsOf(reply).sort(), reply.pending]).toEqual([[one, other].sort(), 2])
    }
    expect(await find(ctx, 'boiling kettle', { mode: 'semantic' })).toMatchObject({ results: [], pending: 2 })
    expect((await usage(ctx, usageInput)).embeddings_pending).toBe(2)
    expect((await find(ctxOf(user), 'boiling kettle')).pending).toBe(0)
    expect((await usage(ctxOf(user), usageInput)).embeddings_pending).toBe(0)
  },
)

test('outdated items count by what the caller may read, and by namespace and filters', async () => {
  const user = await newTenant()
  await embedded(ctxOf(user), ['a kettle'], { context: { namespace: 'left' }, tags: ['blue'] })
  await embedded(ctxOf(user), ['a kettle', 'two kettles'], { context: { namespace: 'right' } })
  const ctx = ctxOf(user, { embeddingModel: named('test/outdated') })
  const pendingIn = async (namespace: string, more = {}) =>
    (await find(ctx, 'kettle', { context: { namespace }, ...more })).pending
  expect(await pendingIn('left')).toBe(1)
  expect(await pendingIn('right')).toBe(2)
  expect(await pendingIn('*')).toBe(3)
  expect(await pendingIn('*', { filters: { tags: ['blue'] } })).toBe(1)
})

test('the model changed there and back, with items in between: each search finds what its model embedded', async () => {
  const user = await newTenant()
  const [a, b] = [ctxOf(user), ctxOf(user, { embeddingModel: named('test/there') })]
  const [first = ''] = await embedded(a, ['a boiling kettle'])
  const [second = ''] = await embedded(b, ['the kettle boils'])
  const semantic = async (ctx: AuthContext) => {
    const reply = await find(unseen(ctx), 'boiling kettle', { mode: 'semantic' })
    return { found: idsOf(reply).sort(), pending: reply.pending }
  }
  expect(await semantic(a)).toEqual({ found: [first], pending: 1 })
  expect(await semantic(b)).toEqual({ found: [second], pending: 1 })
  await sweepWith(b, first)
  expect(await semantic(b)).toEqual({ found: [first, second].sort(), pending: 0 })
  expect(await semantic(a)).toEqual({ found: [], pending: 2 })
  // Both deployments at once, each of which takes the other's work for outdated.
  await Promise.all([sweepWith(a, second), embedItems(b, db, [first, second])])
  await sweepWith(a, first)
  await sweepWith(a, second)
  expect(await semantic(a)).toEqual({ found: [first, second].sort(), pending: 0 })
  const names = await system.projectVectors(user.projectId, '00').names([{ item: first }, { item: second }])
  expect(names.sort()).toEqual([`${first}:1:0`, `${second}:1:0`].sort())
})

test('the model changed there and back under load: nothing is lost, and in the end each item has the last one', async () => {
  const user = await newTenant()
  const [a, b] = [
    ctxOf(user, { embeddingModel: named('test/loaded') }),
    ctxOf(user, { embeddingModel: named('test/between') }),
  ]
  const ids: string[] = []
  const store = async (ctx: AuthContext): Promise<void> => {
    for (let at = 0; at < 10; at++) ids.push((await stored(ctx, `a boiling kettle ${ids.length}`)).id)
  }
  /** No search fails or loses what was there before it, whatever the models do meanwhile. */
  const search = async (ctx: AuthContext): Promise<void> => {
    for (let at = 0; at < 10; at++) {
      const before = [...ids]
      const reply = await find(unseen(ctx), 'kettle', { limit: 100 })
      expect(reply).not.toHaveProperty('degraded')
      expect(idsOf(reply)).toEqual(expect.arrayContaining(before))
    }
  }
  const embed = async (ctx: AuthContext): Promise<void> => {
    await takeDue(ctx, '00')
    await embedItems(ctx, db, [...ids])
  }
  for (const now of [a, b, a]) {
    await Promise.all([store(a), store(b), search(now), search(b), embed(now), embed(b), embed(a)])
  }
  await until(async () => {
    await embed(a)
    const reply = await find(unseen(a), 'a boiling kettle', { mode: 'semantic', limit: 100 })
    expect([reply.pending, idsOf(reply).sort()]).toEqual([0, ids.toSorted()])
    expect(new Set(reply.results.map((item) => item.embedding_model))).toEqual(new Set(['test/loaded']))
  })
  const names = await system.projectVectors(user.projectId, '00').names(ids.map((item) => ({ item })))
  expect(names.sort()).toEqual(ids.map((id) => `${id}:1:0`).sort())
})

test('an isolate that saw no other model believes so for ten seconds, and its statement does not ask', async () => {
  const user = await newTenant()
  const now = system.now()
  const model = named(`test/alone-${user.userId}`)
  const at = (passed: number) => ({ ...ctxOf(user, { embeddingModel: model }), now: () => now + passed })
  expect(mayHaveOthers(at(0))).toBe(true)
  rememberOthers(at(0), false)
  expect([0, 9_999, 10_000, -1].map((passed) => mayHaveOthers(at(passed)))).toEqual([false, false, true, true])
  rememberOthers(at(0), true)
  expect(mayHaveOthers(at(1))).toBe(true)
  await embedded(ctxOf(user), ['a kettle'])
  expect((await find(at(0), 'kettle')).pending).toBe(1)
  rememberOthers(at(0), false)
  expect((await find(at(1), 'kettle')).pending).toBe(0)
  expect((await find(at(10_000), 'kettle')).pending).toBe(1)
})
