import { expect, test } from 'vitest'
import { Database } from '../../../src/core/database/database.ts'
import { MAX_HEAVY_CALLS_OF_USER } from '../../../src/core/database/user-turns.ts'
import { observedDatabase } from '../../support/observed-database.ts'
import { ctxOf, find, idsOf, stored } from '../../support/search.ts'
import { bindingIn, call, home, newTenant, type Tenant } from '../../support/world.ts'

const metadata = (count: number) => ({ OR: Array.from({ length: count }, (_, at) => ({ [`metadata.n${at}`]: at })) })

/** A database that an isolate has not asked yet, and how many calls it had under way at most. */
function observed(user: Tenant) {
  let [underWay, seen] = [0, 0]
  const binding = observedDatabase(bindingIn(home), async (trip) => {
    seen = Math.max(seen, (underWay += 1))
    try {
      return await trip()
    } finally {
      underWay -= 1
    }
  })
  return { db: new Database(binding).inTurnOf(user.routingId, ctxOf(user)), seen: () => seen }
}

test.each<[string, string, Record<string, unknown>]>([
  ['of more than 32 terms', `kettle ${Array.from({ length: 33 }, (_, at) => `w${at}`).join(' ')}`, {}],
  ['whose filters are looked up', 'kettle', { filters: metadata(4) }],
])('contract §6: of searches %s a user has two at once before the database', async (_, query, more) => {
  const user = await newTenant()
  const { id } = await stored(ctxOf(user), '', { content: { text: 'A kettle', metadata: { n1: 1 } } })
  const { db, seen } = observed(user)
  const search = () => find(ctxOf(user, { db }), query, { mode: 'keyword', ...more })
  const found = await Promise.all(Array.from({ length: 5 }, search))
  expect(found.map(idsOf)).toEqual(found.map(() => [id]))
  expect(seen()).toBe(MAX_HEAVY_CALLS_OF_USER)
})

test('the first search of a project is not heavy; the others are until one has told that searches of it are brief', async () => {
  const user = await newTenant()
  const made = ['b', 'c', 'd'].map((name) =>
    call('POST', '/api/projects', { key: user.key, body: { name, workspace_id: user.workspaceId } }),
  )
  const projects = [user.projectId, ...(await Promise.all(made)).map(({ body }) => body.id)]
  const { db, seen } = observed(user)
  const search = (projectId: string) =>
    find(ctxOf({ ...user, projectId }, { db }), 'kettle', { mode: 'keyword', context: { project_id: projectId } })
  await Promise.all(projects.map(search))
  expect(seen()).toBe(projects.length)
  const other = observed(user)
  const first = () => find(ctxOf(user, { db: other.db }), 'kettle', { mode: 'keyword' })
  await Promise.all(Array.from({ length: 5 }, first))
  expect(other.seen()).toBe(1 + MAX_HEAVY_CALLS_OF_USER)
})
