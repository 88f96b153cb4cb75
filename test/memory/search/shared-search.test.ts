/** @module-tag shards */
import { expect, test } from 'vitest'
import { Database } from '../../../src/core/database/database.ts'
import { observedDatabase } from '../../support/observed-database.ts'
import { ctxOf, find, stored } from '../../support/search.ts'
import { bindingIn, home, newTenant } from '../../support/world.ts'

/** A project of a user with some texts. `together` runs searches at once, and tells how many round trips they took. */
async function searched(texts: readonly string[]) {
  const user = await newTenant()
  const ctx = ctxOf(user)
  for (const text of texts) await stored(ctx, text)
  let trips = 0
  const db = new Database(
    observedDatabase(bindingIn(home), (trip) => {
      trips += 1
      return trip()
    }),
  ).inTurnOf(user.routingId, ctx)
  const together = async (...queries: [query: string, more?: Record<string, unknown>][]) => {
    trips = 0
    const answers = await Promise.all(
      queries.map(([query, more]) => find(ctxOf(user, { db }), query, { mode: 'keyword', ...more })),
    )
    return { trips, found: answers.map(({ results }) => results.map(({ content }) => content.text)) }
  }
  return { user, asked: ctxOf(user, { db }), together }
}

const KETTLE = 'The kettle is blue.'
const PLANT = 'The plant needs water.'

test('searches of a project whose last search was small share a round trip, and each gets its own rows', async () => {
  const { together } = await searched([KETTLE, PLANT])
  // The first one tells how much a search of the project reads.
  expect(await together(['kettle'])).toEqual({ trips: 1, found: [[KETTLE]] })
  // One is on its way at once, and the others go together.
  expect(await together(['plant'], ['kettle'], ['water'], ['nothing'])).toEqual({
    trips: 2,
    found: [[PLANT], [KETTLE], [PLANT], []],
  })
})

test.each<[string, Record<string, unknown>]>([
  ['with filters', { filters: { tags: ['a'] } }],
  ['of many results', { limit: 21 }],
  ['that shows neighbours', { neighbors: 1 }],
  ['of very many words', { query: Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ') }],
])('a search %s goes alone', async (_, more) => {
  const { together } = await searched([KETTLE])
  await together(['kettle'])
  expect(await together(['kettle'], ['blue', more], ['blue', more])).toMatchObject({ trips: 3 })
})

test('searches of a project that answers long texts go alone, until one answers little', async () => {
  const { together } = await searched([KETTLE, 'kettle '.repeat(9_000), 'kettle '.repeat(9_001)])
  await together(['kettle'])
  const all = await together(['kettle'], ['kettle'], ['blue'])
  expect(all.trips).toBe(3)
  expect(all.found.map((texts) => texts.length)).toEqual([3, 3, 1])
  expect((await together(['blue'])).trips).toBe(1)
  expect((await together(['blue'], ['blue'], ['blue'])).trips).toBe(2)
})

test('a search that may not see the project goes with the others, and sees nothing of theirs', async () => {
  const { user, asked, together } = await searched([KETTLE])
  await together(['kettle'])
  const stranger = ctxOf({ ...(await newTenant()), projectId: user.projectId }, { db: asked.db })
  const [own, refused] = await Promise.allSettled([
    together(['kettle'], ['blue']),
    find(stranger, 'kettle', { mode: 'keyword', context: { project_id: user.projectId } }),
  ])
  expect(own).toMatchObject({ status: 'fulfilled', value: { trips: 2, found: [[KETTLE], [KETTLE]] } })
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } })
})
