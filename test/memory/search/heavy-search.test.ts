import { expect, test } from 'vitest'
import { Database } from '../../../src/core/database/database.ts'
import { MAX_HEAVY_CALLS_OF_USER } from '../../../src/core/database/user-turns.ts'
import { observedDatabase } from '../../support/observed-database.ts'
import { ctxOf, find, idsOf, stored } from '../../support/search.ts'
import { bindingIn, home, newTenant } from '../../support/world.ts'

const metadata = (count: number) => ({ OR: Array.from({ length: count }, (_, at) => ({ [`metadata.n${at}`]: at })) })

test.each<[string, string, Record<string, unknown>]>([
  ['whose project is not known to be brief', 'kettle', {}],
  ['of more than 32 terms', `kettle ${Array.from({ length: 33 }, (_, at) => `w${at}`).join(' ')}`, {}],
  ['whose filters are looked up', 'kettle', { filters: metadata(4) }],
])('contract §6: of searches %s a user has two at once before the database', async (_, query, more) => {
  const user = await newTenant()
  const { id } = await stored(ctxOf(user), '', { content: { text: 'A kettle', metadata: { n1: 1 } } })
  let [underWay, seen] = [0, 0]
  const observed = observedDatabase(bindingIn(home), async (trip) => {
    seen = Math.max(seen, (underWay += 1))
    try {
      return await trip()
    } finally {
      underWay -= 1
    }
  })
  const request = ctxOf(user)
  const db = new Database(observed).inTurnOf(user.routingId, request)
  const search = () => find(ctxOf(user, { db }), query, { mode: 'keyword', ...more })
  const found = await Promise.all(Array.from({ length: 5 }, search))
  expect(found.map(idsOf)).toEqual(found.map(() => [id]))
  expect(seen).toBe(MAX_HEAVY_CALLS_OF_USER)
})
