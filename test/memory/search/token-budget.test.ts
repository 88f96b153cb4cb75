import { expect, test } from 'vitest'
import { call, newTenant } from '../../support/world.ts'
import { ctxOf, embedded, find, idsOf } from '../../support/search.ts'
import { newTrail } from '../../../src/core/context.ts'
import { search } from '../../../src/memory/operations/search.ts'
import { SearchInput } from '../../../src/memory/search/search-schema.ts'

test('contract §3: max_tokens keeps whole items after limit, at least one, and says what it left out', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  await embedded(ctx, ['kettle one', 'kettle two', 'kettle six'])
  const all = await find(ctx, 'kettle', { limit: 3 })
  expect(all.results).toHaveLength(3)
  for (const [maxTokens, kept] of [
    [1, 1],
    [4, 1],
    [7, 1],
    [8, 2],
    [12, 3],
    [100_000, 3],
  ] as const) {
    const own = { ...ctx, trail: newTrail() }
    const reply = await search(own, SearchInput.parse({ query: 'kettle', limit: 3, max_tokens: maxTokens }))
    expect(reply).toMatchObject({ total: 3, results: all.results.slice(0, kept) })
    expect(reply.truncated).toBe(kept < 3 ? true : undefined)
    // The audit row names what was answered, and no more.
    expect(own.trail.resourceIds).toEqual(idsOf(reply))
  }
  expect(await find(ctx, 'kettle', { limit: 1, max_tokens: 4 })).not.toHaveProperty('truncated')
  expect(await find(ctx, 'nothing of it', { mode: 'keyword', max_tokens: 1 })).toMatchObject({ results: [] })
})

test.each([0, -1, 1.5, 100_001, '10', null])('422: max_tokens %j', async (maxTokens) => {
  const { key } = await newTenant()
  const { status, body } = await call('POST', '/api/memory/search', {
    key,
    body: { query: 'x', max_tokens: maxTokens },
  })
  expect([status, body.errors[0].path]).toEqual([422, 'max_tokens'])
})
