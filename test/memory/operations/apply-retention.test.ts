/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import { expirySweep } from '../../../src/memory/purge/expire.ts'
import { decodedCursor } from '../../support/decoded-cursor.ts'
import { travel } from '../../support/clock.ts'
import { newWriter, writerFor, type Writer } from '../../support/memory.ts'
import { addKey, addMember, call, db, newTenant, system } from '../../support/world.ts'

const HOUR = 3_600
const HOUR_MS = HOUR * 1_000

const setRules = (user: Writer, ...retention: object[]) =>
  user.send('PATCH', `/v1/projects/${user.projectId}`, { retention })
const apply = (user: Writer, body: object = {}) =>
  user.send('POST', `/v1/projects/${user.projectId}/retention/apply`, body)
const none = { has_more: false, next_cursor: null }

test('contract §4: stored items expire as if the rules had stood when they were stored', async () => {
  const user = await newWriter()
  const store = async (more: object = {}) => (await user.store({ content: 'x', ...more })).body
  const old = await store()
  const pinned = await store({ tags: ['pinned'] })
  const long = await store({ ttl: 90 * HOUR })
  const brief = await store({ ttl: 5 * HOUR })
  travel(4 * HOUR_MS)
  const young = await store()
  await setRules(user, { default_ttl: 3 * HOUR, max_ttl: 30 * HOUR })
  expect((await user.get(old.id)).body.ttl).toBeNull()

  expect((await apply(user, { dry_run: true })).body).toEqual({ items: 4, expired: 1, ...none })
  expect((await user.get(old.id)).body).toMatchObject({ ttl: null, version: 1 })
  expect((await apply(user)).body).toEqual({ items: 4, expired: 1, ...none })

  expect((await user.get(old.id)).status).toBe(404)
  const at = (created: string, hours: number) => new Date(Date.parse(created) + hours * HOUR_MS).toISOString()
  const now = async (id: string) => (await user.get(id)).body
  expect(await now(pinned.id)).toMatchObject({ ttl: 30 * HOUR, expires_at: at(pinned.created_at, 30), version: 2 })
  expect(await now(long.id)).toMatchObject({ ttl: 30 * HOUR, expires_at: at(long.created_at, 30), version: 2 })
  expect(await now(brief.id)).toMatchObject({ ttl: 5 * HOUR, expires_at: brief.expires_at, version: 1 })
  expect(await now(young.id)).toMatchObject({ ttl: 3 * HOUR, expires_at: at(young.created_at, 3) })
  expect((await apply(user)).body).toEqual({ items: 0, expired: 0, ...none })
  await setRules(user, { default_ttl: 20 * HOUR, max_ttl: 60 * HOUR })
  expect((await apply(user)).body).toMatchObject({ items: 0 })

  await expirySweep.run(system)
  const row = await db.first('select deleted_at, delete_reason from memory_items where id = :id', { id: old.id })
  expect(row).toMatchObject({ delete_reason: 'expired' })
})

test('a ttl counts from the change that set it', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'x' })
  travel(10 * HOUR_MS)
  const changed = await user.send('PATCH', `/v1/memory/items/${item.id}`, { ttl: 50 * HOUR })
  await setRules(user, { max_ttl: 5 * HOUR })
  expect((await apply(user)).body).toMatchObject({ items: 1, expired: 0 })
  const { body } = await user.get(item.id)
  expect(Date.parse(body.expires_at) - Date.parse(changed.body.updated_at)).toBe(5 * HOUR_MS)
})

test('each item that it changes has an audit row and an event, and search finds it as before', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'a blue kettle', wait_ms: 5_000 })
  await user.store({ content: 'another', ttl: 60 })
  await setRules(user, { max_ttl: HOUR })
  await apply(user)
  const events = await db.all<{ data: string }>(
    "select data from events where tenant_id = :tenant and type = 'memory.updated'",
    { tenant: user.tenantId },
  )
  expect(events.map(({ data }) => JSON.parse(data))).toEqual([
    expect.objectContaining({ memory_id: item.id, version: 2 }),
  ])
  const due = await db.all('select id from memory_items where id = :id and indexed_version <> version', { id: item.id })
  expect(due).toEqual([])
  for (const mode of ['keyword', 'semantic']) {
    const { body } = await user.send('POST', '/api/memory/search', { query: 'blue kettle', mode })
    expect(body.results[0]).toMatchObject({ id: item.id, version: 2, ttl: HOUR, embedding_status: 'completed' })
    travel(1_000)
  }
})

/** Copies of the item `:model`, so many, each a millisecond older than the one before. */
const COPIES = `
  insert into memory_items (id, tenant_id, project_id, namespace, scope, text_hash, type, visibility, version,
    text_version, text_by, text_at, vector_version, write_id, embedding_status, next_attempt_at, created_by, updated_by,
    created_at, updated_at, tags, metadata, text, indexed_by, indexed_version)
  with recursive n(n) as (select 1 union all select n + 1 from n where n < :copies)
  select i.id || '_' || n.n, i.tenant_id, i.project_id, i.namespace, i.scope, i.text_hash, i.type, i.visibility, 1, 1,
    i.text_by, i.text_at, 1, i.write_id, 'completed', i.next_attempt_at, i.created_by, i.updated_by, i.created_at - n.n,
    i.updated_at, '[]', '{}', 'copy', 2, 1
  from n cross join memory_items i where i.id = :model`

test('a call looks at 1,000 items, and one that broke off is repeated without harm', async () => {
  const user = await newWriter()
  const { body: model } = await user.store({ content: 'x' })
  await db.write(COPIES, { model: model.id, copies: 1_149 })
  await setRules(user, { default_ttl: HOUR })
  const first = await apply(user, { dry_run: true })
  expect(first.body).toMatchObject({ items: 1_000, expired: 0, has_more: true })
  // It may be the place of an item that the caller may not read.
  expect(decodedCursor(first.body.next_cursor)).not.toContain(model.id)
  const second = await apply(user, { dry_run: true, cursor: first.body.next_cursor })
  expect(second.body).toEqual({ items: 150, expired: 0, ...none })
  // The service ended after three portions: what they did is committed.
  await db.write(
    `update memory_items set ttl = ${HOUR}, expires_at = created_at + ${HOUR_MS}, version = 2, indexed_version = 2
     where row in (select row from memory_items where project_id = :project order by created_at, id limit 300)`,
    { project: user.projectId },
  )
  expect((await apply(user)).body).toMatchObject({ items: 700, has_more: true })
  expect((await apply(user, { cursor: first.body.next_cursor })).body).toEqual({ items: 150, expired: 0, ...none })
  const left = await db.all('select id from memory_items where project_id = :project and version <> 2', {
    project: user.projectId,
  })
  expect(left).toEqual([])
})

test('it is for those who manage the project: the others get 403 or 404', async () => {
  const owner = await newWriter()
  await owner.store({ content: 'x' })
  await setRules(owner, { max_ttl: HOUR })
  const path = `/v1/projects/${owner.projectId}/retention/apply`
  const by = async (tenant: Parameters<typeof writerFor>[0]) =>
    (await (await writerFor(tenant)).send('POST', path, {})).status
  expect(await by(await addMember(owner, 'editor'))).toBe(403)
  expect(await by(await addMember(owner, 'viewer'))).toBe(403)
  expect(await by(await newTenant())).toBe(404)
  const withKey = async (more: Parameters<typeof addKey>[1]) =>
    (await call('POST', path, { key: (await addKey(owner, more)).secret, body: {} })).status
  const permission = { project_id: owner.projectId, access: 'write' as const }
  expect(await withKey({ permissions: [{ ...permission, namespaces: ['a'] }] })).toBe(403)
  expect(await withKey({ permissions: [{ ...permission, access: 'read' }] })).toBe(403)
  expect(await withKey({ scopes: ['write:memory'] })).toBe(403)
  expect(await withKey({ permissions: [permission] })).toBe(200)
})

test.each([{ cursor: 'x' }, { dry_run: 'yes' }, { limit: 5 }])('422: %j', async (body) => {
  expect((await apply(await newWriter(), body)).status).toBe(422)
})
