/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test, vi } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import type { NearestHits, SeenByStatement } from '../../../src/core/nearest.ts'
import { readScope } from '../../../src/memory/filter/read-scope.ts'
import { queryTerms } from '../../../src/memory/keyword/query-terms.ts'
import { match } from '../../../src/memory/search/match.ts'
import { SearchInput } from '../../../src/memory/search/search-schema.ts'
import { ctxOf, embedded, stored } from '../../support/search.ts'
import { db, newTenant, system, type Tenant } from '../../support/world.ts'

/** What matches a query in the project of a user, and how many statements were run. */
async function matched(ctx: AuthContext, { projectId }: Pick<Tenant, 'projectId'>, input: Record<string, unknown>) {
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const own = { ...ctx, db: db.metered(meter) }
  const parsed = SearchInput.parse({ query: 'kettle', ...input })
  const scope = readScope(ctx.principal, projectId, parsed.context ?? {}, parsed.filters)
  const found = await match(own, scope, {
    ...parsed,
    terms: queryTerms(parsed.query, ctx.vocabulary),
    names: [],
    date: null,
    wanted: parsed.limit,
  })
  return { found, ids: found?.matches.map(({ row }) => row.id), statements: meter.roundTrips }
}

/** Vectors whose hits are these items in turn, as long as the search asks again. */
function inTurns(ids: readonly string[], seen: SeenByStatement[] = []): Pick<AuthContext, 'vectors'> {
  const hitsOf = (turn: number): NearestHits => ({
    hits: [{ item: ids[turn] ?? '', version: 1, chunk: 0, offsets: null, similarity: 0.9, semantic: 0.9 }],
    again: async ({ vectors_revision, hits, reads_others, unfiled }) => {
      seen.push({ vectors_revision, hits, reads_others, unfiled })
      return turn + 1 < ids.length ? hitsOf(turn + 1) : null
    },
  })
  return { vectors: { nearest: async () => hitsOf(0) } }
}

test('hits that stand: one statement', async () => {
  const user = await newTenant()
  const [id = ''] = await embedded(ctxOf(user), ['a lamp'])
  await matched(ctxOf(user), user, { mode: 'keyword' })
  const { ids, statements } = await matched(ctxOf(user, inTurns([id])), user, { mode: 'semantic' })
  expect({ ids, statements }).toEqual({ ids: [id], statements: 1 })
})

test('outdated, crowded: other hits of the vectors are matched by the same statement, as often as there are some', async () => {
  const user = await newTenant()
  const ids = await embedded(ctxOf(user), ['a lamp', 'a lantern', 'a torch'])
  await matched(ctxOf(user), user, { mode: 'keyword' })
  const seen: SeenByStatement[] = []
  const found = await matched(ctxOf(user, inTurns(ids, seen)), user, { mode: 'semantic' })
  expect(found).toMatchObject({ ids: ids.slice(2), statements: 3, found: { degraded: false } })
  // The vectors are told what each statement saw.
  expect(seen).toEqual(
    Array.from({ length: 3 }, () => ({ vectors_revision: expect.any(Number), hits: 1, reads_others: 0, unfiled: 0 })),
  )
})

test('conversations: the first search after the first turn of a conversation runs its statement again, with neighbours', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  await stored(ctx, 'a kettle')
  expect((await matched(ctx, user, { mode: 'keyword' })).statements).toBe(1)
  const context = { conversation_id: 'talk' }
  const turns = [await stored(ctx, 'the kettle is blue', { context }), await stored(ctx, 'and loud', { context })]
  const after = await matched(ctx, user, { mode: 'keyword' })
  expect(after.statements).toBe(2)
  expect(after.ids).toEqual(expect.arrayContaining(turns.map(({ id }) => id)))
  expect((await matched(ctx, user, { mode: 'keyword' })).statements).toBe(1)
})

test('large-metadata: items that the statement left out are found by their filter', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const { id } = await stored(ctx, 'a kettle and more words', {
    content: { text: 'a kettle and more words', metadata: { n: 1 } },
  })
  const pad = 'x'.repeat(16_000)
  for (let nth = 0; nth < 70; nth += 1)
    await stored(ctx, '', { content: { text: `kettle ${nth}`, metadata: { n: 0, pad } } })
  const found = await matched(ctx, user, { mode: 'keyword', filters: { 'metadata.n': 1 } })
  expect(found.ids).toEqual([id])
  expect(found.statements).toBeGreaterThan(2)
})

test.each([
  ['the statement', {}],
  ['the look-up of a filter', { filters: { tags: ['a'], 'metadata.a': 1, 'metadata.b': 2 } }],
])('null for a project that the caller may not see, by one round trip: %s', async (_, more) => {
  const [user, stranger] = [await newTenant(), await newTenant()]
  await stored(ctxOf(user), 'a kettle')
  const found = await matched(ctxOf(stranger), user, { mode: 'keyword', ...more })
  expect(found).toMatchObject({ found: null, statements: 1 })
})

test.each(['hybrid', 'semantic'])('vectors that fail when they are asked again: a %s search', async (mode) => {
  const user = await newTenant()
  const [id = ''] = await embedded(ctxOf(user), ['a kettle'])
  const error = vi.fn<typeof system.log.error>()
  const { vectors } = inTurns([id])
  const failing: AuthContext['vectors'] = {
    nearest: async (ask) => ({ ...(await vectors.nearest(ask)), again: () => Promise.reject(new Error('down')) }),
  }
  const search = matched(ctxOf(user, { vectors: failing, log: { ...system.log, error } }), user, { mode })
  const outcome = await search.then(
    ({ ids, found }) => ({ ids, degraded: found?.degraded, vectorId: found?.vectorId, weights: found?.weights }),
    ({ status }: { status: number }) => status,
  )
  expect(outcome).toEqual(
    mode === 'semantic' ? 503 : { ids: [id], degraded: true, vectorId: null, weights: { keyword: 1, semantic: 0 } },
  )
})
