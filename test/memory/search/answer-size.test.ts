/** @module-tag long */
import { expect, test } from 'vitest'
import { UNBOUNDED_ROWS } from '../../../src/memory/search/statement.ts'
import { ctxOf, find, idsOf, stored } from '../../support/search.ts'
import { newTenant } from '../../support/world.ts'

test('contract §3: past ten results a search leaves out what passes 2 MiB of texts and metadata, and says so', async () => {
  const ctx = ctxOf(await newTenant())
  const content = { text: `kettle ${'é'.repeat(65_529)}`, metadata: { pad: 'x'.repeat(14_000) } }
  for (let n = 0; n < 16; n += 1) await stored(ctx, '', { content })
  const short = await stored(ctx, 'kettle kettle')
  const search = (limit: number) => find(ctx, 'kettle', { mode: 'keyword', limit })
  const all = await search(100)
  // The short one is the best. Behind it fourteen have less than 2 MiB together, and the fifteenth passes them.
  expect(idsOf(all)[0]).toBe(short.id)
  expect({ results: all.results.length, truncated: all.truncated, total: all.total }).toEqual({
    results: 16,
    truncated: true,
    total: 17,
  })
  const few = await search(UNBOUNDED_ROWS)
  expect(few.results).toHaveLength(10)
  expect(few).not.toHaveProperty('truncated')
  expect(idsOf(few)).toEqual(idsOf(all).slice(0, 10))
})
