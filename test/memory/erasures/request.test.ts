/** @module-tag shards */
import { expect, test } from 'vitest'
import type { System } from '../../../src/core/context.ts'
import { digestOf, NO_DIGEST } from '../../../src/memory/erasures/digest.ts'
import { nameMatcher } from '../../../src/memory/erasures/name-hmac.ts'
import { erase as eraseMemories } from '../../../src/memory/erasures/request.ts'
import { DAY, SECOND, travel } from '../../support/clock.ts'
import { runToItsEnd } from '../../support/erasures.ts'
import { newWriter, writerFor, type Writer } from '../../support/memory.ts'
import { ctxOf, losingQueues } from '../../support/search.ts'
import { until } from '../../support/until.ts'
import { addKey, addMember, call, db, system } from '../../support/world.ts'

const erase = (user: Writer, body: object) => user.send('POST', '/v1/erasures', body)
const receipt = async (user: Writer, id: string) => (await user.send('GET', `/v1/erasures/${id}`)).body

async function toItsEnd(user: Writer, id: string) {
  await runToItsEnd(id)
  return receipt(user, id)
}

test('an erasure erases the namespace alone, of everybody, and its receipt proves what it erased', async () => {
  const owner = await newWriter()
  const member = await writerFor(await addMember(owner, 'editor'))
  const context = { project_id: owner.projectId, namespace: 'ada' }
  const ids: string[] = []
  for (let nth = 0; nth < 3; nth += 1)
    ids.push((await owner.store({ content: `of ada ${nth}`, context, tags: ['t'] })).body.id)
  await owner.send('PATCH', `/v1/memory/items/${ids[0]}`, { content: 'of ada, again' })
  ids.push((await member.store({ content: 'diary', context, visibility: 'private' })).body.id)
  const { body: other } = await owner.store({ content: 'of grace', context: { namespace: 'grace' } })

  const dry = await erase(owner, { namespace: 'ada', dry_run: true })
  expect(dry).toMatchObject({ status: 200, body: { dry_run: true, counts: { items: 4, versions: 1 } } })
  expect((await owner.get(ids[0] ?? '')).status).toBe(200)

  const requested = await erase(owner, { namespace: 'ada' })
  expect(requested).toMatchObject({
    status: 202,
    body: { status: 'running', kind: 'namespace', name: 'ada', covers: { whole_tenant: true } },
  })
  const { id } = requested.body
  const ended = await toItsEnd(owner, id)
  expect(ended).toMatchObject({
    status: 'erased',
    name: null,
    counts: { items: 4, versions: 1 },
    requested_by: owner.userId,
  })
  expect(Date.parse(ended.restorable_until) - Date.parse(ended.erased_at)).toBe(30 * DAY)
  for (const one of ids) expect((await owner.get(one)).status).toBe(404)
  expect((await owner.get(other.id)).status).toBe(200)
  for (const table of ['memory_versions', 'memory_tags', 'memory_grants'])
    expect(
      await db.first(
        `select 1 from ${table} where item_row in (select row from memory_items where id in (select value from json_each(:ids)))`,
        {
          ids: JSON.stringify(ids),
        },
      ),
    ).toBeNull()

  expect(ended.digest).toBe(await digestOf(NO_DIGEST, ids))
  await until(
    async () => {
      const { body } = await owner.send('GET', `/v1/audit?action=memory.erase&resource_id=${id}`)
      const audited = body.data.flatMap(({ resource_ids }: { resource_ids: string[] }) => resource_ids)
      expect(new Set(audited)).toEqual(new Set([id, ...ids]))
    },
    { everyMs: 200 },
  )
  const named = { tenantId: owner.tenantId, kind: 'namespace', name: 'ada' } as const
  const isName = await nameMatcher(system, ended.name_hmac)
  expect([await isName(named), await isName({ ...named, name: 'grace' })]).toEqual([true, false])
})

test('an erasure does not wait for the deleted items of others', async () => {
  const [owner, other] = [await newWriter(), await newWriter()]
  await owner.store({ content: 'of ada', context: { namespace: 'ada' } })
  const { body: waiting } = await other.store({ content: 'of somebody else' })
  await other.send('DELETE', `/v1/memory/items/${waiting.id}`)
  const { body } = await erase(owner, { namespace: 'ada' })
  const projectVectors: System['projectVectors'] = (id, shard) => {
    if (id === other.projectId) throw new Error('the vectors of the other project')
    return system.projectVectors(id, shard)
  }
  await runToItsEnd(body.id, { ...system, projectVectors })
  expect(await receipt(owner, body.id)).toMatchObject({ status: 'erased' })
  expect(await db.first('select 1 as n from memory_items where id = :id', { id: waiting.id })).toEqual({ n: 1 })
})

test('while it runs nothing is stored in the namespace, moved there or changed there; a deletion goes on', async () => {
  const user = await newWriter()
  const context = { namespace: 'ada' }
  const { body: inside } = await user.store({ content: 'inside', context, custom_id: 'c' })
  const { body: deleted } = await user.store({ content: 'deleted', context })
  const { body: outside } = await user.store({ content: 'outside' })
  // No chain runs, so that the items wait.
  const erasure = await eraseMemories(ctxOf(user, { queues: losingQueues }), { namespace: 'ada', dry_run: false })
  if ('dry_run' in erasure) throw new Error('it only counted')
  const refused = { status: 409, body: { code: 'conflict', detail: expect.stringContaining('being erased') } }
  expect(await user.store({ content: 'late', context })).toMatchObject(refused)
  expect(await user.store({ content: 'late', context }, { 'Idempotency-Key': 'k' })).toMatchObject(refused)
  expect(await user.store({ content: 'late', context, custom_id: 'c' })).toMatchObject(refused)
  expect(await user.send('PATCH', `/v1/memory/items/${inside.id}`, { tags: ['late'] })).toMatchObject(refused)
  expect(await user.send('PATCH', `/v1/memory/items/${outside.id}`, { context })).toMatchObject(refused)
  const operations = [
    { op: 'store', content: 'late', context },
    { op: 'store', content: 'elsewhere' },
  ]
  const batch = await user.send('POST', '/api/memory/batch', { operations })
  expect(batch.body.results).toMatchObject([{ status: 'error', error: { code: 'conflict' } }, { status: 'success' }])
  const atomic = await user.send('POST', '/api/memory/batch', { operations, atomic: true })
  expect(atomic.body.results).toMatchObject([{ error: { code: 'conflict' } }, { status: 'skipped' }])
  const imported = await call('POST', '/v1/memory/import', {
    headers: { ...user.headers, 'Content-Type': 'application/x-ndjson' },
    raw: JSON.stringify({ content: 'late', context }),
  })
  expect(imported.body).toMatchObject({ failed: 1 })
  expect(await user.send('POST', `/v1/memory/items/${inside.id}/embed`)).toMatchObject({ status: 409 })
  expect((await user.send('DELETE', `/v1/memory/items/${deleted.id}`)).status).toBe(204)
  const ended = await toItsEnd(user, erasure.id)
  expect(ended.counts.items).toBe(1)
  expect((await user.store({ content: 'later', context }, { 'Idempotency-Key': 'k' })).status).toBe(201)
})

test('the same request answers the erasure that runs, and the eleventh of a tenant is refused', async () => {
  const user = await newWriter()
  const first = await erase(user, { namespace: 'n0' })
  expect((await erase(user, { namespace: 'n0' })).body.id).toBe(first.body.id)
  for (let nth = 1; nth < 10; nth += 1) {
    expect((await erase(user, { namespace: `n${nth}` })).status).toBe(202)
    travel(SECOND)
  }
  expect(await erase(user, { namespace: 'n10' })).toMatchObject({ status: 409 })
  expect((await erase(user, { namespace: 'n3' })).status).toBe(202)
  const list = await user.send('GET', '/v1/erasures?limit=4')
  expect(list.body).toMatchObject({
    has_more: true,
    data: [{ name: 'n9' }, { name: 'n8' }, { name: 'n7' }, { name: 'n6' }],
  })
  const next = await user.send('GET', `/v1/erasures?limit=100&cursor=${list.body.next_cursor}`)
  expect(next.body.data.map(({ name }: { name: string }) => name)).toEqual(['n5', 'n4', 'n3', 'n2', 'n1', 'n0'])
})

test('only who administers a project erases in it, and reads the receipt', async () => {
  const owner = await newWriter()
  const editor = await writerFor(await addMember(owner, 'editor'))
  const admin = await writerFor(await addMember(owner, 'admin'))
  const stranger = await newWriter()
  const named = { namespace: 'ada', project_ids: [owner.projectId] }
  expect(await erase(editor, named)).toMatchObject({ status: 403 })
  expect(await erase(editor, { namespace: 'ada' })).toMatchObject({ status: 403 })
  expect(await erase(stranger, named)).toMatchObject({ status: 404 })
  expect(await erase(admin, {})).toMatchObject({ status: 422 })
  const { status, body } = await erase(admin, named)
  expect(status).toBe(202)
  expect((await owner.send('GET', `/v1/erasures/${body.id}`)).status).toBe(200)
  expect((await editor.send('GET', `/v1/erasures/${body.id}`)).status).toBe(404)
  expect((await stranger.send('GET', `/v1/erasures/${body.id}`)).status).toBe(404)
  expect((await editor.send('GET', '/v1/erasures')).body.data).toEqual([])
  const permissions = [{ project_id: owner.projectId, access: 'write' as const, namespaces: ['ada'] }]
  const { secret } = await addKey(owner, { permissions })
  expect(await call('POST', '/v1/erasures', { key: secret, body: named })).toMatchObject({ status: 403 })
  const { body: other } = await owner.send('POST', '/api/projects', { name: 'Other', workspace_id: owner.workspaceId })
  const { secret: elsewhere } = await addKey(owner, { permissions: [{ project_id: other.id, access: 'write' }] })
  expect(await call('GET', `/v1/erasures/${body.id}`, { key: elsewhere })).toMatchObject({ status: 404 })
  expect(await call('GET', '/v1/erasures', { key: elsewhere })).toMatchObject({ status: 200, body: { data: [] } })
  const { secret: administers } = await addKey(owner, { scopes: ['admin:workspace'] })
  expect(await call('POST', '/v1/erasures', { key: administers, body: named })).toMatchObject({ status: 202 })
  const { secret: plain } = await addKey(owner, { scopes: ['write:memory'] })
  expect(await call('POST', '/v1/erasures', { key: plain, body: named })).toMatchObject({ status: 403 })
})

test('a subject is erased with what was published about it, in whatever namespace; others stay', async () => {
  const user = await newWriter()
  const subject = 'Ádá Lovelace'
  const about = (namespace: string, conversation: string) => ({ namespace, subject, conversation_id: conversation })
  const { body: first } = await user.store({ content: 'one', context: about('a', 'alone') })
  const { body: second } = await user.store({ content: 'two', context: about('b', 'shared') })
  const { body: other } = await user.store({ content: 'three', context: { conversation_id: 'shared' } })
  const publish = async (data: object, place: object = { project_id: user.projectId }): Promise<string> =>
    (await user.send('POST', '/api/events/publish', { type: 'message.new', data, ...place })).body.event_id
  const gone = [
    await publish({ conversation_id: 'alone', text: 'hello' }),
    await publish({ conversation_id: 'elsewhere', subject, text: 'about her' }),
    await publish({ conversation_id: 'elsewhere', subject: subject.normalize('NFD') }),
    await publish({ conversation_id: 'elsewhere', subject }, { workspace_id: user.workspaceId }),
  ]
  const kept = [await publish({ conversation_id: 'shared', text: 'hello' }), await publish({ conversation_id: 'x' })]
  expect(await erase(user, { subject, namespace: 'a' })).toMatchObject({ status: 422 })
  const dry = await erase(user, { subject, dry_run: true })
  expect(dry.body.counts).toMatchObject({ items: 2, events: 4 })
  const erasure = await eraseMemories(ctxOf(user, { queues: losingQueues }), { subject, dry_run: false })
  if ('dry_run' in erasure) throw new Error('it only counted')
  const refused = { status: 409, body: { detail: expect.stringContaining('This subject is being erased') } }
  expect(await user.store({ content: 'late', context: { subject } })).toMatchObject(refused)
  expect(await user.send('PATCH', `/v1/memory/items/${other.id}`, { context: { subject } })).toMatchObject(refused)
  expect((await user.store({ content: 'in time', context: { namespace: 'a' } })).status).toBe(201)
  const ended = await toItsEnd(user, erasure.id)
  expect(ended.counts.items).toBe(2)
  for (const { id } of [first, second]) expect((await user.get(id)).status).toBe(404)
  expect((await user.get(other.id)).status).toBe(200)
  const dataOf = async (id: string) =>
    (await db.first<{ data: string }>('select data from events where id = :id', { id }))?.data
  for (const id of gone) expect(await dataOf(id)).toBe('{}')
  for (const id of kept) expect(await dataOf(id)).not.toBe('{}')
  const memory = await db.all<{ type: string; reason: string | null; namespace: string; named: number }>(
    `select type, data ->> 'reason' as reason, data ->> 'namespace' as namespace, conversation_id is not null as named from events
     where channel = 'memory' and data ->> 'memory_id' = :id order by created_at`,
    { id: first.id },
  )
  expect(memory).toContainEqual(expect.objectContaining({ type: 'memory.deleted', reason: 'erased' }))
  expect(memory.every(({ namespace, named }) => namespace === '' && named === 0)).toBe(true)
})

test('keys and subscriptions that name it are named and stay', async () => {
  const user = await newWriter()
  const { id } = await addKey(user, {
    permissions: [{ project_id: user.projectId, access: 'read', namespaces: ['ada', 'grace'] }],
  })
  const { body: subscription } = await user.send('POST', '/api/events/subscriptions', {
    channels: ['memory'],
    filters: { namespace: 'ada' },
    delivery: { method: 'webhook', url: 'https://example.com/hook' },
  })
  const { body: project } = await user.send('POST', '/api/projects', { name: 'B', workspace_id: user.workspaceId })
  await user.send('POST', '/api/events/subscriptions', {
    channels: ['memory'],
    filters: { namespace: 'ada', project_id: project.id },
    delivery: { method: 'webhook', url: 'https://example.com/of-another-project' },
  })
  const kept = { key_ids: [id], subscription_ids: [subscription.subscription_id] }
  const here = { namespace: 'ada', project_ids: [user.projectId] }
  expect((await erase(user, { ...here, dry_run: true })).body.kept).toEqual(kept)
  const { body } = await erase(user, here)
  expect((await toItsEnd(user, body.id)).kept).toEqual(kept)
})
