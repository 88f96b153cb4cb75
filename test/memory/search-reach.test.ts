/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import { deleteItem } from '../../src/memory/operations/delete.ts'
import { ctxOf, embedded, find, idsOf, stored } from '../support/search.ts'
import { addKey, addMember, call, db, newTenant, system, type Tenant } from '../support/world.ts'

const newProject = async (tenant: Tenant, name = 'Other'): Promise<string> => {
  const body = { name, workspace_id: tenant.workspaceId }
  return (await call('POST', '/api/projects', { key: tenant.key, body })).body.id
}

test('isolated by project and by namespace; absent means default, "*" all', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const other = await newProject(user)
  const [inDefault = ''] = await embedded(ctx, ['common words'])
  const [inLeft = ''] = await embedded(ctx, ['common words'], { context: { namespace: 'left' } })
  const [elsewhere = ''] = await embedded(ctx, ['common words'], { context: { project_id: other } })
  for (const mode of ['hybrid', 'semantic', 'keyword']) {
    const found = async (context: unknown) => idsOf(await find(ctx, 'common words', { mode, context })).sort()
    expect(await found(undefined)).toEqual([inDefault])
    expect(await found({ namespace: 'left' })).toEqual([inLeft])
    expect(await found({ namespace: '*' })).toEqual([inDefault, inLeft].sort())
    expect(await found({ project_id: other })).toEqual([elsewhere])
    expect(await found({ project_id: other, namespace: 'left' })).toEqual([])
  }
})

test('private items never leak through results, total or pending, and never push out items that the caller may read', async () => {
  const owner = await newTenant()
  const member = await addMember(owner, 'editor')
  const secret = ctxOf(owner)
  const texts = Array.from({ length: 180 }, (_, at) => `the blue kettle whistles ${at}`)
  await embedded(secret, texts, { visibility: 'private' })
  for (let at = 180; at < 200; at++) await stored(secret, `the blue kettle whistles ${at}`, { visibility: 'private' })
  const [seen] = await embedded(secret, ['a kettle for everybody'])
  for (const mode of ['semantic', 'keyword', 'hybrid']) {
    const reply = await find(ctxOf(member), 'the blue kettle whistles', { mode })
    expect(idsOf(reply)).toEqual([seen])
    expect(reply).toMatchObject({ total: 1, pending: 0 })
  }
  expect(await find(secret, 'the blue kettle whistles', { mode: 'keyword' })).toMatchObject({ pending: 20 })
})

test('a user who has a grant finds the private item', async () => {
  const owner = await newTenant()
  const [friend, stranger] = [await addMember(owner, 'viewer'), await addMember(owner, 'editor')]
  const permissions = [{ user_id: friend.userId, access: 'read' }]
  const [id] = await embedded(ctxOf(owner), ['a shared secret'], { visibility: 'private', permissions })
  expect(idsOf(await find(ctxOf(friend), 'shared secret'))).toEqual([id])
  expect(idsOf(await find(ctxOf(stranger), 'shared secret'))).toEqual([])
})

test('security 27: a credential limited to a namespace finds nothing of another, with "*" or by name', async () => {
  const owner = await newTenant()
  await embedded(ctxOf(owner), ['common words'], { context: { namespace: 'secret' } })
  const [mine] = await embedded(ctxOf(owner), ['common words'], { context: { namespace: 'mine' } })
  await stored(ctxOf(owner), 'common words', { context: { namespace: 'secret' } })
  const permissions = [{ project_id: owner.projectId, access: 'read' as const, namespaces: ['mine'] }]
  const limited = ctxOf(owner, { permissions })
  for (const mode of ['semantic', 'keyword', 'hybrid']) {
    const all = await find(limited, 'common words', { mode, context: { namespace: '*' } })
    expect(idsOf(all)).toEqual([mine])
    expect(all).toMatchObject({ total: 1, pending: 0 })
    expect(await find(limited, 'common words', { mode, context: { namespace: 'secret' } })).toMatchObject({
      results: [],
      total: 0,
      pending: 0,
    })
  }
})

test("security 26: another tenant's project is a 404 with the same body as one that never existed", async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  await embedded(ctxOf(theirs), ['their words'])
  const ask = async (project_id: string) => {
    const answer = await call('POST', '/api/memory/search', {
      key: mine.key,
      body: { query: 'their words', context: { project_id } },
    })
    return { status: answer.status, body: { ...answer.body, request_id: '' } }
  }
  const foreign = await ask(theirs.projectId)
  expect(foreign.status).toBe(404)
  expect(foreign).toEqual(await ask(system.newId('prj')))
  const barred = await addKey(mine, { permissions: [{ project_id: await newProject(mine), access: 'read' }] })
  const answer = await call('POST', '/api/memory/search', {
    key: barred.secret,
    body: { query: 'x', context: { project_id: mine.projectId } },
  })
  expect(answer.status).toBe(404)
})

test('expiry to the second: found at t−1 s, gone at t and t+1 s', async () => {
  const user = await newTenant()
  const [id] = await embedded(ctxOf(user), ['short lived'], { ttl: 100 })
  const { expires_at } = (await find(ctxOf(user), 'short lived')).results[0] ?? {}
  const t = Date.parse(expires_at ?? '')
  for (const [at, expected] of [
    [t - 1_000, [id]],
    [t, []],
    [t + 1_000, []],
  ] as const) {
    for (const mode of ['semantic', 'keyword', 'hybrid'])
      expect(idsOf(await find(ctxOf(user, { now: () => at }), 'short lived', { mode }))).toEqual(expected)
  }
})

test('a deleted item is gone from the next search, its words and its vectors', async () => {
  const user = await newTenant()
  const [id = ''] = await embedded(ctxOf(user), ['soon forgotten'])
  await deleteItem(ctxOf(user), { id, ifMatch: null })
  for (const mode of ['semantic', 'keyword', 'hybrid'])
    expect(await find(ctxOf(user), 'soon forgotten', { mode })).toMatchObject({ results: [], total: 0 })
})

test('project deleted during a search: 404, not an empty result', async () => {
  const user = await newTenant()
  await embedded(ctxOf(user), ['still here'])
  const ctx = ctxOf(user, {
    projectVectors: (projectId, shard) => ({
      ...system.projectVectors(projectId, shard),
      query: async (query) => {
        const answer = await system.projectVectors(projectId, shard).query(query)
        await db.write('update projects set deleted_at = :deleted_at where id = :project', {
          deleted_at: system.now(),
          project: projectId,
        })
        return answer
      },
    }),
  })
  await expect(find(ctx, 'still here', { context: { project_id: user.projectId } })).rejects.toMatchObject({
    code: 'not_found',
  })
})
