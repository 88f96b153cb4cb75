import { expect, test } from 'vitest'
import { newWriter, writerFor } from '../../support/memory.ts'
import { addKey, addMember, call, db } from '../../support/world.ts'

test('PATCH changes the fields that it names and leaves the others; version rises by 1', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({
    content: { text: 'one', metadata: { a: 1, b: 2 } },
    context: { scope: 'session', session_id: 's1' },
    tags: ['t'],
    ttl: 100,
  })
  const { status, body, headers } = await user.send('PATCH', `/v1/memory/items/${item.id}`, {
    content: { metadata: { c: 3 } },
    context: { conversation_id: 'c1', session_id: null },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    content: { text: 'one', type: 'text/plain', metadata: { c: 3 } },
    context: { scope: 'session', conversation_id: 'c1' },
    tags: ['t'],
    ttl: 100,
    expires_at: item.expires_at,
    version: 2,
  })
  expect(body.context.session_id).toBeUndefined()
  expect(headers.get('ETag')).toMatch(/^"2-/)
  const { embedding_status: _, embedding_model: __, ...kept } = body
  expect((await user.get(item.id)).body).toMatchObject(kept)
})

test('merge_metadata changes the keys that are named: a value replaces, null removes', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: { text: 'one', metadata: { a: { x: 1 }, b: 2, c: null } } })
  const merge = (metadata: object, more: object = {}) =>
    user.send('PATCH', `/v1/memory/items/${item.id}`, { content: { metadata }, merge_metadata: true, ...more })
  const { status, body } = await merge({ a: { y: { z: null } }, b: null, d: [1], absent: null })
  expect(status).toBe(200)
  expect(body.content).toEqual({
    text: 'one',
    type: 'text/plain',
    metadata: { a: { y: { z: null } }, c: null, d: [1] },
  })
  expect((await merge({ c: 3 }, { merge_metadata: false })).body.content.metadata).toEqual({ c: 3 })
  const without = await user.send('PATCH', `/v1/memory/items/${item.id}`, { tags: ['t'], merge_metadata: true })
  expect(without.body).toMatchObject({ content: { metadata: { c: 3 } }, tags: ['t'], version: 4 })
  expect((await user.get(item.id)).body.content.metadata).toEqual({ c: 3 })
})

test('the bound of metadata holds for the result of a merge: 422, and nothing changes', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: { text: 'one', metadata: { a: 'x'.repeat(10_000) } } })
  const merge = (metadata: object) =>
    user.send('PATCH', `/v1/memory/items/${item.id}`, { content: { metadata }, merge_metadata: true })
  const refused = await merge({ b: 'y'.repeat(10_000) })
  expect({ status: refused.status, error: refused.body.errors?.[0] }).toEqual({
    status: 422,
    error: {
      path: 'content.metadata',
      code: 'too_large',
      message: 'The merged metadata must have at most 16384 bytes as JSON.',
    },
  })
  expect((await user.get(item.id)).body).toMatchObject({ content: { metadata: item.content.metadata }, version: 1 })
  expect((await merge({ a: null, b: 'y'.repeat(10_000) })).body.content.metadata).toEqual({ b: 'y'.repeat(10_000) })
})

test('merges that race lose no key', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: { text: 'one', metadata: { first: true } } })
  const keys = ['a', 'b', 'c', 'd', 'e']
  await Promise.all(
    keys.map((key) =>
      user.send('PATCH', `/v1/memory/items/${item.id}`, { content: { metadata: { [key]: 1 } }, merge_metadata: true }),
    ),
  )
  const { metadata } = (await user.get(item.id)).body.content
  expect(metadata).toEqual({ first: true, ...Object.fromEntries(keys.map((key) => [key, 1])) })
})

test('a batch merges one after the other; a key that may only write merges nothing', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: { text: 'one', metadata: { a: 1, b: 2 } } })
  const update = (metadata: object) => ({ op: 'update', id: item.id, content: { metadata }, merge_metadata: true })
  const operations = [update({ c: 3 }), update({ c: null, d: 4 }), update({ a: null })]
  const { body } = await user.send('POST', '/api/memory/batch', { operations, atomic: true })
  expect(body.success_count).toBe(3)
  expect((await user.get(item.id)).body.content.metadata).toEqual({ b: 2, d: 4 })
  const { secret } = await addKey(user, { scopes: ['write:memory'] })
  const alone = await call('PATCH', `/v1/memory/items/${item.id}`, {
    key: secret,
    body: { content: { metadata: { e: 5 } }, merge_metadata: true },
  })
  const listed = await call('POST', '/api/memory/batch', { key: secret, body: { operations: [update({ e: 5 })] } })
  expect([alone.body.code, listed.body.results[0].error.code]).toEqual(['insufficient_scope', 'insufficient_scope'])
  expect((await user.get(item.id)).body.content.metadata).toEqual({ b: 2, d: 4 })
})

test('a changed text starts again at pending, other changes leave the embedding alone', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'one' })
  await db.write(
    "update memory_items set embedding_status = 'completed', embedded_version = 1, embedding_model = 'm' where id = :id returning id",
    { id: item.id },
  )
  const retagged = await user.send('PATCH', `/v1/memory/items/${item.id}`, { tags: ['x'] })
  expect(retagged.body).toMatchObject({ embedding_status: 'completed', embedding_model: 'm' })
  const reworded = await user.send('PATCH', `/v1/memory/items/${item.id}`, { content: 'two' })
  expect(reworded.body).toMatchObject({ embedding_status: 'pending', embedding_model: null, version: 3 })
})

test('ttl on update counts from now; null clears it', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'one', ttl: 100 })
  const { body } = await user.send('PATCH', `/v1/memory/items/${item.id}`, { ttl: 50 })
  expect(Date.parse(body.expires_at) - Date.parse(body.updated_at)).toBe(50_000)
  const cleared = await user.send('PATCH', `/v1/memory/items/${item.id}`, { ttl: null })
  expect(cleared.body).toMatchObject({ ttl: null, expires_at: null })
})

test('project_id cannot change: 422', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'one' })
  const other = await user.send('POST', '/api/projects', { name: 'Other', workspace_id: user.workspaceId })
  const moved = await user.send('PATCH', `/v1/memory/items/${item.id}`, { context: { project_id: other.body.id } })
  expect({ status: moved.status, path: moved.body.errors?.[0].path }).toEqual({
    status: 422,
    path: 'context.project_id',
  })
})

test('If-Match compares the version only; another version is 412, also when two race', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'one' })
  const patch = (tag: string, ifMatch: string) =>
    user.send('PATCH', `/v1/memory/items/${item.id}`, { tags: [tag] }, { 'If-Match': ifMatch })
  expect((await patch('a', '"1-completed"')).status).toBe(200)
  expect((await patch('b', '"1-pending"')).body.code).toBe('precondition_failed')
  const race = await Promise.all(['c', 'd', 'e'].map((tag) => patch(tag, '"2-pending"')))
  expect(race.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 412, 412])
  const stale = await user.send('DELETE', `/v1/memory/items/${item.id}`, undefined, { 'If-Match': '"1-pending"' })
  expect(stale.status).toBe(412)
  const gone = await user.send('DELETE', `/v1/memory/items/${item.id}`, undefined, { 'If-Match': '*' })
  expect(gone.status).toBe(204)
})

test('changes that race without If-Match all take place', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'one' })
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((tag) => user.send('PATCH', `/v1/memory/items/${item.id}`, { tags: [tag] })),
  )
  expect(answers.map((answer) => answer.body.version).sort((a, b) => a - b)).toEqual([2, 3, 4])
})

test('a namespace can change, unless another item there holds the custom_id: 409', async () => {
  const user = await newWriter()
  const { body: a } = await user.store({ content: 'a', custom_id: 'c', context: { namespace: 'one' } })
  await user.store({ content: 'b', custom_id: 'c', context: { namespace: 'two' } })
  const taken = await user.send('PATCH', `/v1/memory/items/${a.id}`, { context: { namespace: 'two' } })
  expect({ status: taken.status, code: taken.body.code }).toEqual({ status: 409, code: 'custom_id_taken' })
  const moved = await user.send('PATCH', `/v1/memory/items/${a.id}`, { context: { namespace: 'three' } })
  expect(moved.body).toMatchObject({ context: { namespace: 'three' }, embedding_status: 'pending', version: 2 })
})

test('a viewer reads and changes nothing: 403', async () => {
  const owner = await newWriter()
  const viewer = await writerFor(await addMember(owner, 'viewer'))
  const { body: item } = await owner.store({ content: 'one' })
  expect((await viewer.get(item.id)).status).toBe(200)
  const answers = [
    await viewer.send('PATCH', `/v1/memory/items/${item.id}`, { tags: [] }),
    await viewer.send('DELETE', `/v1/memory/items/${item.id}`),
    await viewer.store({ content: 'mine', context: { project_id: owner.projectId } }),
    await viewer.store({ content: 'mine', context: { project_id: owner.projectId }, custom_id: 'c' }),
  ]
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['403 forbidden']))
  expect(
    await db.all('select id from memory_items where tenant_id = :tenant', { tenant: owner.tenantId }),
  ).toHaveLength(1)
})
