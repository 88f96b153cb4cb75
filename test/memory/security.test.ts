import { expect, test } from 'vitest'
import type { KeyPermission } from '../../src/core/context.ts'
import { newWriter } from '../support/memory.ts'
import { addKey, call, db, type Answer } from '../support/world.ts'

const bare = ({ status, body }: Answer) => ({ status, body: { ...body, request_id: '' } })

test("security 26: with another tenant's ids in every position, each answer is that of an id that never existed", async () => {
  const [victim, attacker] = [await newWriter(), await newWriter()]
  const { body: item } = await victim.store({ content: 'theirs', custom_id: 'c', tags: ['t'] })
  const calls = (id: string, project_id: string) =>
    [
      ['GET', `/api/memory/retrieve?id=${id}`],
      ['GET', `/v1/memory/items/${id}`],
      ['PATCH', `/v1/memory/items/${id}`, { content: 'mine' }],
      ['DELETE', `/v1/memory/items/${id}`],
      ['GET', `/v1/memory/items/${id}/versions`],
      ['POST', `/v1/memory/items/${id}/embed`],
      ['POST', '/api/memory/store', { content: 'x', context: { project_id } }],
      ['POST', '/api/memory/store', { content: 'x', custom_id: 'c', context: { project_id } }],
      ['POST', '/api/memory/store', { content: 'theirs', deduplicate: true, context: { project_id } }],
      ['POST', '/v1/memory/delete', { filters: {}, context: { project_id } }],
      ['GET', `/v1/memory/export?project_id=${project_id}`],
      ['GET', `/v1/memory/items?project_id=${project_id}`],
      ['POST', '/api/memory/search', { query: 'theirs', context: { project_id } }],
    ] as const
  const never = ['mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG', 'prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG'] as const
  const absent = calls(...never)
  for (const [index, [method, path, body]] of calls(item.id, victim.projectId).entries()) {
    const foreign = bare(await attacker.send(method, path, body))
    const [, absentPath, absentBody] = absent[index] ?? [method, path]
    expect({ path, ...foreign }).toEqual({ path, ...bare(await attacker.send(method, absentPath, absentBody)) })
    expect({ path, status: foreign.status }).toEqual({ path, status: 404 })
  }
  const { body: batch } = await attacker.send('POST', '/api/memory/batch', {
    operations: [
      { op: 'retrieve', id: item.id },
      { op: 'update', id: item.id, tags: [] },
      { op: 'delete', id: item.id },
      { op: 'store', content: 'x', context: { project_id: victim.projectId } },
      { op: 'store', content: 'x', visibility: 'private', permissions: [{ user_id: victim.userId, access: 'read' }] },
    ],
  })
  expect(batch.results.map((r: any) => r.error?.status)).toEqual([404, 404, 404, 404, 422])
  expect((await victim.get(item.id)).body).toMatchObject({ content: { text: 'theirs' }, tags: ['t'], version: 1 })
  expect(await db.all('select id from memory_items where tenant_id = ?', attacker.tenantId)).toEqual([])
})

test('security 27: a key that is limited to a project or a namespace reaches nothing else', async () => {
  const owner = await newWriter()
  const { body: inside } = await owner.store({ content: 'inside', context: { namespace: 'a' } })
  const { body: outside } = await owner.store({ content: 'outside', context: { namespace: 'b' } })
  const other = await owner.send('POST', '/api/projects', { name: 'Other', workspace_id: owner.workspaceId })
  const { body: elsewhere } = await owner.store({ content: 'elsewhere', context: { project_id: other.body.id } })
  const limited = async (...permissions: KeyPermission[]) => (await addKey(owner, { permissions })).secret
  const here = { project_id: owner.projectId, namespaces: ['a'] }
  const reads = await limited({ ...here, access: 'read' })
  const get = (key: string, id: string) => call('GET', `/api/memory/retrieve?id=${id}`, { key })
  expect((await get(reads, inside.id)).status).toBe(200)
  expect((await get(reads, outside.id)).status).toBe(404)
  expect((await get(reads, elsewhere.id)).status).toBe(404)
  const patch = await call('PATCH', `/v1/memory/items/${inside.id}`, { key: reads, body: { tags: [] } })
  expect({ status: patch.status, code: patch.body.code }).toEqual({ status: 403, code: 'forbidden' })

  const writes = await limited({ ...here, access: 'write' })
  const store = (namespace: string) =>
    call('POST', '/api/memory/store', { key: writes, body: { content: 'x', context: { namespace } } })
  expect((await store('a')).status).toBe(201)
  expect(await store('b')).toMatchObject({ status: 404, body: { code: 'not_found', detail: 'No such namespace.' } })
  const moved = await call('PATCH', `/v1/memory/items/${inside.id}`, {
    key: writes,
    body: { context: { namespace: 'b' } },
  })
  expect(moved.status).toBe(404)
  const all = await call('POST', '/v1/memory/delete', {
    key: writes,
    body: { filters: {}, context: { namespace: '*' } },
  })
  expect(all.body).toMatchObject({ deleted: 2 })
  expect((await owner.get(outside.id)).status).toBe(200)
})

test('a default project that is gone or barred is 422', async () => {
  const user = await newWriter()
  await db.write('update projects set deleted_at = 1 where id = ? returning id', user.projectId)
  const gone = await user.store({ content: 'x' })
  expect({ status: gone.status, path: gone.body.errors?.[0].path }).toEqual({ status: 422, path: 'context.project_id' })
})
