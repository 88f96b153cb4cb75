/** @module-tag shards */
import { describe, expect, test } from 'vitest'
import type { KeyPermission } from '../../src/core/context.ts'
import { travel } from '../support/clock.ts'
import { newWriter, writerFor, type Writer } from '../support/memory.ts'
import { addKey, addMember, call, db, type Answer } from '../support/world.ts'

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
      ['POST', `/v1/memory/import?project_id=${project_id}`, '{"content": "x"}'],
      ['GET', `/v1/memory/export?project_id=${project_id}`],
      ['GET', `/v1/memory/items?project_id=${project_id}`],
      ['POST', '/api/memory/search', { query: 'theirs', context: { project_id } }],
    ] as const
  const never = ['mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG', 'prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG'] as const
  const absent = calls(...never)
  const send = (method: string, path: string, body: unknown) =>
    typeof body === 'string'
      ? call(method, path, { headers: { ...attacker.headers, 'Content-Type': 'application/x-ndjson' }, raw: body })
      : attacker.send(method, path, body)
  for (const [index, [method, path, body]] of calls(item.id, victim.projectId).entries()) {
    const foreign = bare(await send(method, path, body))
    const [, absentPath, absentBody] = absent[index] ?? [method, path]
    expect({ path, ...foreign }).toEqual({ path, ...bare(await send(method, absentPath, absentBody)) })
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
  expect(await db.all('select id from memory_items where tenant_id = :tenant', { tenant: attacker.tenantId })).toEqual(
    [],
  )
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

test('security 27: a limited key reaches nothing else through any list, batch or import', async () => {
  const owner = await newWriter()
  const { body: inside } = await owner.store({ content: 'kettle inside', context: { namespace: 'a' } })
  const { body: outside } = await owner.store({ content: 'kettle outside', context: { namespace: 'b' } })
  await owner.send('PATCH', `/v1/memory/items/${outside.id}`, { content: 'kettle outside, changed' })
  const permissions: KeyPermission[] = [{ project_id: owner.projectId, namespaces: ['a'], access: 'write' }]
  const { secret: key } = await addKey(owner, { permissions })
  const ask = (method: string, path: string, body?: unknown) => {
    // A second for each call, because a key has five permits a second.
    travel(1_000)
    return call(method, path, { key, ...(body === undefined ? {} : { body }) })
  }
  for (const query of ['namespace=*', 'namespace=*&q=kettle', 'namespace=*&sort=created_at']) {
    expect((await ask('GET', `/v1/memory/items?${query}`)).body.data.map((item: any) => item.id)).toEqual([inside.id])
  }
  expect((await ask('GET', '/v1/memory/items?namespace=b')).body.data).toEqual([])
  const { text } = await ask('GET', '/v1/memory/export?namespace=*')
  expect(text).toContain(inside.id)
  expect(text).not.toContain('outside')
  expect((await ask('GET', `/v1/memory/items/${outside.id}/versions`)).status).toBe(404)
  expect((await ask('POST', `/v1/memory/items/${outside.id}/embed`)).status).toBe(404)
  const { body: batch } = await ask('POST', '/api/memory/batch', {
    operations: [
      { op: 'retrieve', id: outside.id },
      { op: 'update', id: outside.id, tags: [] },
      { op: 'delete', id: outside.id },
      { op: 'store', content: 'x', context: { namespace: 'b' } },
      { op: 'update', id: inside.id, context: { namespace: 'b' } },
      { op: 'store', content: 'kettle outside, changed', deduplicate: true, context: { namespace: 'b' } },
    ],
  })
  expect(batch.results.map((r: any) => r.error?.status)).toEqual([404, 404, 404, 404, 404, 404])
  travel(1_000)
  const imported = await call('POST', '/v1/memory/import', {
    key,
    headers: { 'Content-Type': 'application/x-ndjson' },
    raw: '{"content": "x", "context": {"namespace": "b"}}',
  })
  expect(imported.body).toMatchObject({ created: 0, failed: 1, results: [{ error: { status: 404 } }] })
})

describe('security 28: a cursor is a place and no right', () => {
  const idsOf = ({ body }: Answer) => body.data.map((item: any) => item.id)
  const first = (user: Writer, query: string) => user.send('GET', `/v1/memory/items?limit=1&${query}`)

  test("another tenant's shows the caller's own items only", async () => {
    const [mine, theirs] = [await newWriter(), await newWriter()]
    const { body: own } = await mine.store({ content: 'kettle of mine' })
    for (const content of ['kettle one', 'kettle two']) await theirs.store({ content })
    for (const query of ['', 'q=kettle']) {
      const { body } = await first(theirs, query)
      const answer = await mine.send('GET', `/v1/memory/items?${query}&cursor=${body.next_cursor}`)
      expect(idsOf(answer)).toEqual([own.id])
    }
  })

  test("that of who may see more shows what the caller may see: another member's, another key's", async () => {
    const owner = await newWriter()
    const viewer = await writerFor(await addMember(owner, 'viewer'))
    const { body: open } = await owner.store({ content: 'open', context: { namespace: 'a' } })
    await owner.store({ content: 'elsewhere', context: { namespace: 'b' } })
    await owner.store({ content: 'hidden', visibility: 'private', context: { namespace: 'a' } })
    await owner.store({ content: 'newest', context: { namespace: 'b' } })
    const { body } = await first(owner, 'namespace=*')
    const path = `/v1/memory/items?namespace=*&cursor=${body.next_cursor}`
    expect(idsOf(await owner.send('GET', path))).toHaveLength(3)
    expect(idsOf(await viewer.send('GET', path))).toHaveLength(2)
    const permissions: KeyPermission[] = [{ project_id: owner.projectId, namespaces: ['a'], access: 'read' }]
    const limited = await call('GET', path, { key: (await addKey(owner, { permissions })).secret })
    expect(idsOf(limited)).toHaveLength(2)
    expect(idsOf(limited)).toContain(open.id)
  })

  test('that of another filter, sort or project keeps the place and asks what is asked now', async () => {
    const user = await newWriter()
    const ids: string[] = []
    for (const tags of [['a'], ['b'], ['a'], ['b']]) ids.push((await user.store({ content: 'x', tags })).body.id)
    const { body } = await first(user, 'tags=b')
    const go = (query: string) => user.send('GET', `/v1/memory/items?${query}&cursor=${body.next_cursor}`)
    expect(idsOf(await go('tags=a'))).toEqual([ids[2], ids[0]])
    expect(idsOf(await go('tags=b&sort=created_at'))).toEqual([])
    const other = await user.send('POST', '/api/projects', { name: 'Other', workspace_id: user.workspaceId })
    expect(idsOf(await go(`project_id=${other.body.id}`))).toEqual([])
  })

  test('that of the versions of a foreign item opens no version', async () => {
    const [mine, theirs] = [await newWriter(), await newWriter()]
    const changed = async (user: Writer) => {
      const { body: item } = await user.store({ content: 'one' })
      for (const content of ['two', 'three']) await user.send('PATCH', `/v1/memory/items/${item.id}`, { content })
      return item.id as string
    }
    const [own, foreign] = [await changed(mine), await changed(theirs)]
    const { body } = await theirs.send('GET', `/v1/memory/items/${foreign}/versions?limit=1`)
    const go = (id: string) => mine.send('GET', `/v1/memory/items/${id}/versions?cursor=${body.next_cursor}`)
    expect((await go(foreign)).status).toBe(404)
    expect((await go(own)).body.data).toEqual([expect.objectContaining({ text: 'one', written_by: mine.userId })])
  })

  test('that of another kind of list is 422', async () => {
    const user = await newWriter()
    const { body: item } = await user.store({ content: 'one' })
    await user.store({ content: 'another' })
    for (const content of ['two', 'three']) await user.send('PATCH', `/v1/memory/items/${item.id}`, { content })
    const paths = ['/v1/memory/items', `/v1/memory/items/${item.id}/versions`]
    const cursors = await Promise.all(
      paths.map(async (path) => (await user.send('GET', `${path}?limit=1`)).body.next_cursor as string),
    )
    for (const [index, path] of paths.entries()) {
      const { status, body } = await user.send('GET', `${path}?cursor=${cursors[1 - index]}`)
      expect({ status, path: body.errors?.[0].path }).toEqual({ status: 422, path: 'cursor' })
    }
  })
})

test('a default project that is gone or barred is 422', async () => {
  const user = await newWriter()
  await db.write('update projects set deleted_at = 1 where id = :project returning id', { project: user.projectId })
  const gone = await user.store({ content: 'x' })
  expect({ status: gone.status, path: gone.body.errors?.[0].path }).toEqual({ status: 422, path: 'context.project_id' })
})
