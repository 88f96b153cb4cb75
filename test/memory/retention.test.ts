/** @module-tag shards */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import worker from '../../src/index.ts'
import { newWriter, writerFor, type Writer } from '../support/memory.ts'
import { addKey, addMember, call, db } from '../support/world.ts'

const DAY = 86_400

const setRules = async (user: Writer, ...retention: object[]) => {
  const answer = await user.send('PATCH', `/v1/projects/${user.projectId}`, { retention })
  expect(answer.status).toBe(200)
  return answer
}

/** The ttl of a stored item; its expiry must follow from it. */
async function ttlOf(user: Writer, more: object = {}): Promise<number | null> {
  const { body } = await user.store({ content: 'x', ...more })
  expectExpiry(body)
  expect((await user.get(body.id)).body).toMatchObject({ ttl: body.ttl, expires_at: body.expires_at })
  return body.ttl
}

function expectExpiry({ ttl, expires_at, updated_at }: { ttl: number | null; expires_at: string; updated_at: string }) {
  expect(expires_at && Date.parse(expires_at) - Date.parse(updated_at)).toBe(ttl && ttl * 1_000)
}

test('contract §4: default_ttl is for new items without a ttl, max_ttl bounds each, and the answer says so', async () => {
  const user = await newWriter()
  expect(await ttlOf(user)).toBeNull()
  const { body } = await setRules(user, { default_ttl: 5 * DAY, max_ttl: 10 * DAY })
  expect(body.retention).toEqual([{ default_ttl: 5 * DAY, max_ttl: 10 * DAY }])
  expect(await ttlOf(user)).toBe(5 * DAY)
  expect(await ttlOf(user, { ttl: null })).toBe(5 * DAY)
  expect(await ttlOf(user, { ttl: 60 })).toBe(60)
  expect(await ttlOf(user, { ttl: 10 * DAY })).toBe(10 * DAY)
  expect(await ttlOf(user, { ttl: 11 * DAY })).toBe(10 * DAY)
  await setRules(user, { max_ttl: DAY })
  expect(await ttlOf(user)).toBe(DAY)
  await setRules(user)
  expect(await ttlOf(user)).toBeNull()
})

test('the tag pinned exempts from default_ttl alone', async () => {
  const user = await newWriter()
  await setRules(user, { default_ttl: DAY })
  expect(await ttlOf(user, { tags: ['pinned'] })).toBeNull()
  expect(await ttlOf(user, { tags: ['unpinned'] })).toBe(DAY)
  await setRules(user, { default_ttl: DAY, max_ttl: 2 * DAY })
  expect(await ttlOf(user, { tags: ['a', 'pinned'] })).toBe(2 * DAY)
})

test('the first rule that fits decides: by namespace, tags and scope, and one without a ttl exempts', async () => {
  const user = await newWriter()
  await setRules(
    user,
    { namespace_prefix: 'legal' },
    { namespace_prefix: 'chat:', scope: 'session', default_ttl: 1 },
    { namespace_prefix: 'chat:', default_ttl: 2 },
    { tags: ['draft', ' note '], default_ttl: 3 },
    { scope: 'document', default_ttl: 4 },
    { default_ttl: 5 },
  )
  const at = (namespace: string, more: object = {}) => ({ context: { namespace, ...more } })
  const found = [
    await ttlOf(user, at('legal')),
    await ttlOf(user, { ...at('legal:2026'), tags: ['draft'] }),
    await ttlOf(user, at('legals')),
    await ttlOf(user, at('chat:17', { scope: 'session' })),
    await ttlOf(user, at('chat:17')),
    await ttlOf(user, at('chat')),
    await ttlOf(user, { tags: ['x', 'note'] }),
    await ttlOf(user, { tags: ['notes'] }),
    await ttlOf(user, { context: { scope: 'document' } }),
  ]
  expect(found).toEqual([null, null, 5, 1, 2, 5, 3, 5, 4])
})

test('a change of ttl is bounded, any other change leaves the ttl alone, and a later rule lengthens nothing', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'x', ttl: 9 * DAY })
  await setRules(user, { default_ttl: 60, max_ttl: DAY })
  const patch = async (body: object) => (await user.send('PATCH', `/v1/memory/items/${item.id}`, body)).body
  expect(await patch({ tags: ['t'], content: 'y' })).toMatchObject({ ttl: 9 * DAY, expires_at: item.expires_at })
  for (const [ttl, kept] of [
    [30, 30],
    [2 * DAY, DAY],
    [null, DAY],
  ]) {
    const changed = await patch({ ttl })
    expect(changed.ttl).toBe(kept)
    expectExpiry(changed)
  }
  await setRules(user, { default_ttl: 5 * DAY, max_ttl: 10 * DAY })
  expect((await user.get(item.id)).body.ttl).toBe(DAY)
  const { body: named } = await user.store({ content: 'x', custom_id: 'c', ttl: 60 })
  const again = await user.store({ content: 'y', custom_id: 'c' })
  expect(again.body).toMatchObject({ id: named.id, ttl: 60, expires_at: named.expires_at })
  expect((await user.store({ content: 'z', custom_id: 'c', ttl: 20 * DAY })).body.ttl).toBe(10 * DAY)
})

test('batch and import go by the rules too', async () => {
  const user = await newWriter()
  await setRules(user, { default_ttl: DAY, max_ttl: 2 * DAY })
  const operations = [
    { op: 'store', content: 'one' },
    { op: 'store', content: 'two', ttl: 9 * DAY },
    { op: 'store', content: 'three', tags: ['pinned'] },
  ]
  for (const atomic of [false, true]) {
    const { body } = await user.send('POST', '/api/memory/batch', { operations, atomic })
    expect(body.results.map(({ item }: { item: { ttl: number } }) => item.ttl)).toEqual([DAY, 2 * DAY, 2 * DAY])
  }
  const imported = await call('POST', '/v1/memory/import', {
    headers: { ...user.headers, 'Content-Type': 'application/x-ndjson' },
    raw: '{"content": "line", "created_at": "2020-01-01T00:00:00Z"}',
  })
  const { body: line } = await user.get(imported.body.results[0].id)
  expect(line).toMatchObject({ ttl: DAY, created_at: '2020-01-01T00:00:00.000Z' })
  expect(Date.parse(line.expires_at)).toBeGreaterThan(Date.now())
})

/** The statements that D1 runs for a store. */
async function statementsOfStore(user: Writer): Promise<number> {
  let statements = 0
  const counting = (database: D1Database): D1Database =>
    new Proxy(database, {
      get: (_, name) => {
        if (name === 'batch') {
          return (all: D1PreparedStatement[]) => {
            statements += all.length
            return database.batch(all)
          }
        }
        const member: unknown = Reflect.get(database, name)
        return typeof member === 'function' ? member.bind(database) : member
      },
    })
  const databases = Object.entries(env).filter(([name]) => /^DB(_|$)/.test(name))
  const context = createExecutionContext()
  const request = new Request<unknown, IncomingRequestCfProperties>('http://recollect.test/api/memory/store', {
    method: 'POST',
    headers: { ...user.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ content: 'x' }),
  })
  const counted = databases.map(([name, database]) => [name, counting(database as D1Database)])
  const response = await worker.fetch(request, { ...env, ...Object.fromEntries(counted) }, context)
  expect(response.status).toBe(201)
  const untilAnswer = statements
  await waitOnExecutionContext(context)
  return untilAnswer
}

test('contract §4: a store asks no statement more for the rules', async () => {
  const user = await newWriter()
  const without = await statementsOfStore(user)
  expect(without).toBeGreaterThan(3)
  await setRules(user, { namespace_prefix: 'default', default_ttl: DAY })
  expect(await statementsOfStore(user)).toBe(without)
})

test.each<[string, object[], string]>([
  ['21 rules', Array.from({ length: 21 }, () => ({ max_ttl: 1 })), 'retention'],
  ['a ttl of 0', [{ default_ttl: 0 }], 'retention.0.default_ttl'],
  ['a ttl of more than ten years', [{ max_ttl: 315_360_001 }], 'retention.0.max_ttl'],
  ['a default above the maximum', [{ max_ttl: 1 }, { default_ttl: 2, max_ttl: 1 }], 'retention.1.default_ttl'],
  ['no tag', [{ tags: [] }], 'retention.0.tags'],
  ['another scope', [{ scope: 'all' }], 'retention.0.scope'],
  ['a namespace that is none', [{ namespace_prefix: '*' }], 'retention.0.namespace_prefix'],
  ['another field', [{ ttl: 5 }], 'retention.0.ttl'],
  ['8 KiB', Array.from({ length: 20 }, () => ({ tags: Array.from({ length: 8 }, () => 'x'.repeat(64)) })), 'retention'],
])('422: rules with %s', async (_, retention, path) => {
  const user = await newWriter()
  const { status, body } = await user.send('PATCH', `/v1/projects/${user.projectId}`, { retention })
  expect([status, body.errors?.[0].path]).toEqual([422, path])
})

test('owners and admins set rules, editors read them, and a key that is limited to namespaces does neither', async () => {
  const owner = await newWriter()
  const path = `/v1/projects/${owner.projectId}`
  const admin = await writerFor(await addMember(owner, 'admin'))
  const editor = await writerFor(await addMember(owner, 'editor'))
  const retention = [{ default_ttl: DAY }]
  expect((await admin.send('PATCH', path, { retention })).body.retention).toEqual(retention)
  const refused = await editor.send('PATCH', path, { retention: [], name: 'New' })
  expect([refused.status, refused.body.detail]).toEqual([403, expect.stringMatching(/retention of projects/)])
  const renamed = await editor.send('PATCH', path, { name: 'New' })
  expect(renamed.body).toMatchObject({ name: 'New', retention })
  const permissions = [{ project_id: owner.projectId, access: 'write' as const, namespaces: ['a'] }]
  const { secret: key } = await addKey(owner, { permissions })
  expect((await call('GET', path, { key })).body).not.toHaveProperty('retention')
  expect((await call('GET', '/v1/projects', { key })).text).not.toContain('default_ttl')
  const stored = await call('POST', '/api/memory/store', { key, body: { content: 'x', context: { namespace: 'a' } } })
  expect(stored.body.ttl).toBe(DAY)
})

test('a deleted project keeps no rule: rules name namespaces and tags', async () => {
  const user = await newWriter()
  await setRules(user, { namespace_prefix: 'customers:ada', default_ttl: DAY })
  expect((await user.send('DELETE', `/api/projects/${user.projectId}`)).status).toBe(204)
  const row = await db.first('select name, retention from projects where id = :id', { id: user.projectId })
  expect(row).toEqual({ name: '', retention: null })
})
