/** @module-tag shards */
import { expect, test } from 'vitest'
import { newApp, newPerson, newTokens } from '../support/oauth.ts'
import { useTool } from '../support/mcp.ts'
import { addKey, addMember, call, db, newSession, newTenant, type Tenant } from '../support/world.ts'

// With a session: a key has five requests a second.
const read = async (tenant: Tenant, path: string) =>
  (await call('GET', `/v1/memory/items/${path}`, { headers: await newSession(tenant) })).body
const itemOf = (tenant: Tenant, id: string) => read(tenant, id)
const textsOf = async (tenant: Tenant, id: string) => (await read(tenant, `${id}/versions`)).data

test('contract §3: a key, an application and a session are what an item was stored through', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const { access_token } = await newTokens(person, app)
  const store = (headers: Record<string, string>) =>
    call('POST', '/api/memory/store', { headers, body: { content: 'Ada drinks tea.' } })
  for (const [headers, via] of [
    [{ 'X-API-Key': person.key }, person.keyId],
    [{ Authorization: `Bearer ${access_token}` }, app.client_id],
    [person.session, 'session'],
  ] as const) {
    const { body } = await store(headers)
    expect(body).toMatchObject({ created_via: via, text_via: via })
    expect(await itemOf(person, body.id)).toMatchObject({ created_via: via, text_via: via })
  }
})

test('contract §3: each way to write says through what it wrote', async () => {
  const tenant = await newTenant()
  const { key, keyId, projectId } = tenant
  const headers = await newSession(tenant)
  const through = { created_via: keyId, text_via: keyId }
  const batch = await call('POST', '/api/memory/batch', {
    key,
    body: {
      operations: [
        { op: 'store', content: 'a' },
        { op: 'store', content: 'b', custom_id: 'b' },
      ],
    },
  })
  expect(batch.body.results.map((one: any) => one.item)).toMatchObject([through, through])
  await call('POST', '/v1/memory/ingest', {
    key,
    body: { conversation_id: 'c', messages: [{ role: 'user', content: 'c' }] },
  })
  const imported = `${JSON.stringify({ content: 'd', created_via: 'key_other', text_via: 'session' })}\n`
  await call('POST', `/v1/memory/import?project_id=${projectId}`, {
    key,
    raw: imported,
    headers: { 'Content-Type': 'application/x-ndjson' },
  })
  await useTool('store_memory', { content: 'e' }, { bearer: key })
  const lines = await call('GET', `/v1/memory/export?project_id=${projectId}&namespace=*`, { headers })
  const items = lines.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(new Set(items.map((item) => `${item.content.text} ${item.created_via} ${item.text_via}`))).toEqual(
    new Set(['a', 'b', 'c', 'd', 'e'].map((text) => `${text} ${keyId} ${keyId}`)),
  )
  for (const [path, body] of [
    ['/api/memory/search', { query: 'a', mode: 'keyword' }],
    ['/v1/memory/items?q=a', undefined],
  ] as const) {
    const found = await call(body ? 'POST' : 'GET', path, { headers, ...(body ? { body } : {}) })
    expect((found.body.results ?? found.body.data)[0], path).toMatchObject(through)
  }
})

test('contract §3: a new text comes through what wrote it, and the versions keep what wrote the earlier ones', async () => {
  const tenant = await newTenant()
  const editor = await addMember(tenant, 'editor')
  const other = await addKey(editor)
  const session = await newSession(tenant)
  const { body } = await call('POST', '/api/memory/store', { key: tenant.key, body: { content: 'one' } })
  const change = (body_: unknown, by: { key?: string; headers?: Record<string, string> }, more = '') =>
    call(more === '' ? 'PATCH' : 'POST', `/v1/memory/items/${body.id}${more}`, { ...by, body: body_ })
  // A change that leaves the text alone leaves what it came through.
  await change({ tags: ['x'] }, { headers: session })
  expect(await itemOf(tenant, body.id)).toMatchObject({ created_via: tenant.keyId, text_via: tenant.keyId })
  await change({ content: 'two' }, { key: other.secret })
  await change({ context: { namespace: 'moved' } }, { headers: session })
  await change({}, { headers: session }, '/retire')
  await change({}, { headers: session }, '/restore')
  expect(await itemOf(tenant, body.id)).toMatchObject({ created_via: tenant.keyId, text_via: other.id })
  // An earlier text is brought back as any other.
  await change({ content: 'one' }, { headers: session })
  expect(await itemOf(tenant, body.id)).toMatchObject({ created_via: tenant.keyId, text_via: 'session' })
  expect(await textsOf(tenant, body.id)).toMatchObject([
    { text: 'two', written_by: editor.userId, written_via: other.id },
    { text: 'one', written_by: tenant.userId, written_via: tenant.keyId },
  ])
})

test('a store under a custom_id, and a message that says something else, write a text', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const store = (by: object, content: string) =>
    call('POST', '/api/memory/store', { ...by, body: { content, custom_id: 'note' } })
  await store(tenant, 'one')
  expect((await store({ headers }, 'two')).body).toMatchObject({ created_via: tenant.keyId, text_via: 'session' })
  const ingest = (by: object, content: string) =>
    call('POST', '/v1/memory/ingest', {
      ...by,
      body: { conversation_id: 'c', messages: [{ role: 'user', id: 'm', content }] },
    })
  await ingest(tenant, 'three')
  await ingest({ headers }, 'four')
  const { body } = await call('GET', '/v1/memory/items?conversation_id=c', tenant)
  expect(body.data).toMatchObject([{ created_via: tenant.keyId, text_via: 'session' }])
})

test('a store that finds the same text, and one that changes anything but the text, leave what wrote it', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const store = async (by: object, body: object) => (await call('POST', '/api/memory/store', { ...by, body })).body
  const first = await store(tenant, { content: 'one' })
  const found = await store({ headers }, { content: 'one', deduplicate: true })
  expect(found).toMatchObject({ id: first.id, deduplicated: true })
  const named = await store(tenant, { content: { text: 'two', metadata: { a: 1 } }, custom_id: 'note' })
  await store({ headers }, { content: { text: 'two', metadata: { a: 1, b: 2 } }, custom_id: 'note' })
  const { body: merged } = await call('PATCH', `/v1/memory/items/${named.id}`, {
    headers,
    body: { content: { metadata: { c: 3 } }, merge_metadata: true },
  })
  expect(merged).toMatchObject({ id: named.id, content: { metadata: { a: 1, b: 2, c: 3 } } })
  for (const { id } of [found, merged]) {
    expect(await itemOf(tenant, id)).toMatchObject({ created_via: tenant.keyId, text_via: tenant.keyId })
    expect(await textsOf(tenant, id)).toEqual([])
  }
})

test('what an earlier version of the service stored or changed since says nothing', async () => {
  const tenant = await newTenant()
  const { body } = await call('POST', '/api/memory/store', { key: tenant.key, body: { content: 'one' } })
  const as = { id: body.id }
  // An earlier version writes a text, and none of the new columns.
  await db.write(`update memory_items set text = 'two', text_version = 2, version = 2 where id = :id`, as)
  expect(await itemOf(tenant, body.id)).toMatchObject({ created_via: tenant.keyId, text_via: null })
  await call('PATCH', `/v1/memory/items/${body.id}`, { key: tenant.key, body: { tags: ['x'] } })
  expect(await itemOf(tenant, body.id)).toMatchObject({ text_via: null })
  await call('PATCH', `/v1/memory/items/${body.id}`, { key: tenant.key, body: { content: 'three' } })
  expect(await itemOf(tenant, body.id)).toMatchObject({ text_via: tenant.keyId })
  expect(await textsOf(tenant, body.id)).toMatchObject([{ text: 'two', written_via: null }])
  await db.write('update memory_items set created_via = null where id = :id', as)
  expect(await itemOf(tenant, body.id)).toMatchObject({ created_via: null })
})

test('a deleted item keeps nothing of it', async () => {
  const tenant = await newTenant()
  const { body } = await call('POST', '/api/memory/store', { key: tenant.key, body: { content: 'one' } })
  await call('DELETE', `/v1/memory/items/${body.id}`, { key: tenant.key })
  const row = await db.first('select created_via, text_via from memory_items where id = :id', { id: body.id })
  expect(row).toEqual({ created_via: null, text_via: null })
})
