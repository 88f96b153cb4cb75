/**
 * @module-tag long
 * @module-tag shards
 */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { bindingOf } from '../../../src/core/shards.ts'
import { credentialSweep } from '../../../src/events/subscriptions/sweep.ts'
import { purgeConsumer } from '../../../src/memory/purge/consumer.ts'
import { REPEAT_AFTER_MS } from '../../../src/memory/purge/erase.ts'
import { purgeSweep } from '../../../src/memory/purge/sweep.ts'
import { travel } from '../../support/clock.ts'
import { writerFor, type Writer } from '../../support/memory.ts'
import { newApp, newPerson, newTokens, REDIRECT } from '../../support/oauth.ts'
import { givePassword, PASSWORD } from '../../support/password.ts'
import { messageOf } from '../../support/queue-message.ts'
import { until } from '../../support/until.ts'
import { addMember, call, db, form, home, system } from '../../support/world.ts'

/** A word that nothing else has. */
const newCanary = (): string => `quokka${crypto.randomUUID().replaceAll('-', '')}`

const databases = (): D1Database[] =>
  system.shards.flatMap((shard) =>
    (['DB', 'AUDIT_DB'] as const).map((name): D1Database => Reflect.get(env, bindingOf(name, shard))),
  )

/** The columns of the tables of a database, without those of SQLite and of the runtime. */
const TABLES = `select m.name, c.name as "column" from sqlite_master m, pragma_table_xinfo(m.name) c
  where m.type = 'table' and m.sql not like 'create virtual%'
    and m.name not like '\\_cf\\_%' escape '\\' and m.name not like 'sqlite\\_%' escape '\\'`

/** The columns of every table of every database in which the word stands. The database looks: other tests leave many rows. */
async function columnsWith(canary: string): Promise<string[]> {
  const found = new Set<string>()
  for (const database of databases()) {
    const { results } = await database.prepare(TABLES).all<{ name: string; column: string }>()
    const columns = Map.groupBy(results, ({ name }) => name)
    const looks = [...columns].map(([name, all]) => {
      const hits = all.map(({ column }) => `max(instr(lower(cast("${column}" as text)), ?1)) as "${name}.${column}"`)
      return database.prepare(`select ${hits.join(', ')} from ${name}`).bind(canary)
    })
    for (const { results: rows } of await database.batch<Record<string, number | null>>(looks))
      for (const [column, at] of Object.entries(rows[0] ?? {})) if ((at ?? 0) > 0) found.add(column)
  }
  return [...found].toSorted()
}

/** Sends what the sweep of each shard sends, minute by minute, until the word is nowhere. */
async function expectGone(canary: string): Promise<void> {
  await until(
    async () => {
      travel(REPEAT_AFTER_MS)
      for (const shard of system.shards) {
        await credentialSweep.runIn?.(system, shard)
        const send: typeof system.queues.send = async (_queue, bodies) =>
          void (await purgeConsumer.consume(system, bodies.map(messageOf)))
        await purgeSweep.runIn?.({ ...system, queues: { send } }, shard)
      }
      expect(await columnsWith(canary)).toEqual([])
    },
    { everyMs: 200 },
  )
}

/** An item, a turn and an event of a project, with the word in everything but the text. */
async function fill(writer: Writer, canary: string, projectId: string, more = {}): Promise<void> {
  const context = { project_id: projectId, namespace: canary, conversation_id: canary }
  expect(
    (await writer.store({ content: { text: 'kettle', metadata: { canary } }, context, tags: [canary], ...more }))
      .status,
  ).toBe(201)
  const turn = { conversation_id: canary, messages: [{ id: canary, role: 'user', name: canary, content: 'kettle' }] }
  const ingested = await writer.send('POST', '/v1/memory/ingest', {
    ...turn,
    context: { project_id: projectId, namespace: canary },
    ...more,
  })
  expect(ingested.status).toBe(200)
  const data = { conversation_id: canary, namespace: canary, scope: canary, text: canary }
  const published = await writer.send('POST', '/api/events/publish', {
    type: 'message.new',
    project_id: projectId,
    data,
  })
  expect(published.status).toBe(202)
}

const newProject = async (writer: Writer, canary: string, workspaceId: string): Promise<string> => {
  const { status, body } = await writer.send('POST', '/api/projects', {
    name: canary,
    description: canary,
    icon: canary,
    workspace_id: workspaceId,
  })
  expect(status).toBe(201)
  return body.id
}

const newWorkspace = async (writer: Writer, canary: string): Promise<string> => {
  const { status, body } = await writer.send('POST', '/v1/workspaces', { name: canary })
  expect(status).toBe(201)
  return body.id
}

const newKey = async (writer: Writer, canary: string, more = {}): Promise<void> => {
  const { status } = await writer.send('POST', '/v1/api-keys', { name: canary, scopes: ['read:memory'], ...more })
  expect(status).toBe(201)
}

const remove = async (writer: Writer, path: string, body?: unknown): Promise<void> => {
  expect((await writer.send('DELETE', path, body)).status).toBe(204)
}

test('an erased project leaves no name behind, in its events neither', async () => {
  const [canary, writer] = [newCanary(), await writerFor(await newPerson())]
  const project = await newProject(writer, canary, writer.workspaceId)
  await fill(writer, canary, project)
  expect(await columnsWith(canary)).toEqual(
    expect.arrayContaining([
      'events.conversation_id',
      'events.data',
      'events.namespace',
      'memory_conversations.conversation_id',
      'memory_items.speaker',
      'memory_turns.message_key',
      'projects.name',
    ]),
  )
  await remove(writer, `/api/projects/${project}`)
  await expectGone(canary)
})

test('an erased workspace leaves no name behind: of its projects, keys, service account, invitations and events', async () => {
  const [canary, owner] = [newCanary(), await newPerson()]
  const writer = await writerFor(owner)
  const guest = await writerFor(await addMember(owner, 'editor'))
  const workspace = await newWorkspace(writer, canary)
  await fill(writer, canary, await newProject(writer, canary, workspace))
  await newKey(writer, canary, { owner: 'workspace', workspace_id: workspace })
  const invited = { email: guest.email, role: 'viewer' }
  expect((await writer.send('POST', `/v1/workspaces/${workspace}/members`, invited)).status).toBe(202)
  const data = { message: canary }
  expect(
    (
      await writer.send('POST', '/api/events/publish', {
        type: 'canary.made',
        workspace_id: workspace,
        channel: 'own',
        data,
      })
    ).status,
  ).toBe(202)
  expect(await columnsWith(canary)).toEqual(
    expect.arrayContaining(['api_keys.name', 'events.data', 'users.name', 'workspaces.name']),
  )
  await remove(writer, `/v1/workspaces/${workspace}`)
  await expectGone(canary)
})

test('a deleted application leaves no name behind, in the grants of others neither', async () => {
  const [canary, owner, user] = [newCanary(), await newPerson(), await newPerson()]
  const app = await newApp(owner, { name: canary })
  await newTokens(user, app)
  expect(await columnsWith(canary)).toEqual(['oauth_clients.name', 'oauth_grants.client_name'])
  await remove(await writerFor(owner), `/v1/apps/${app.client_id}`)
  expect(await columnsWith(canary)).toEqual([])
})

test('the migration empties once what was erased before it', async () => {
  const [canary, owner] = [newCanary(), await newPerson()]
  const writer = await writerFor(owner)
  const workspace = await newWorkspace(writer, canary)
  await fill(writer, canary, await newProject(writer, canary, workspace))
  await newKey(writer, canary, { owner: 'workspace', workspace_id: workspace })
  await newTokens(owner, await newApp(owner, { name: canary }))
  const now = system.now()
  const [ofTenant, ofWorkspace] = [{ tenant: owner.tenantId }, { workspace }]
  const projects = '(select id from projects where workspace_id = :workspace)'
  // As the version before erased a workspace and an application.
  await db.write('update workspaces set deleted_at = :now where id = :workspace', { ...ofWorkspace, now })
  await db.write('update projects set deleted_at = :now, purged_at = :now where workspace_id = :workspace', {
    ...ofWorkspace,
    now,
  })
  await db.write('update oauth_clients set deleted_at = :now where tenant_id = :tenant', { ...ofTenant, now })
  await db.write(`delete from memory_items where project_id in ${projects}`, ofWorkspace)
  await db.write(`delete from memory_tags where project_id in ${projects}`, ofWorkspace)
  await db.write('update events set settled_at = :now where tenant_id = :tenant', { ...ofTenant, now })
  const statements = env.MAIN_MIGRATIONS.find(({ name }) => name.includes('erased_names'))?.queries ?? []
  const emptying = statements.filter((sql) => /^(--.*\n)*UPDATE /.test(sql.trim()))
  expect(emptying.length).toBeGreaterThan(5)
  for (const sql of emptying) await Reflect.get(env, bindingOf('DB', home)).prepare(sql).run()
  await expectGone(canary)
})

test('an erased account leaves no name behind', async () => {
  const [canary, owner] = [newCanary(), await newPerson()]
  const writer = await writerFor(owner)
  await givePassword(owner)
  expect((await writer.send('PATCH', '/api/users/me', { name: canary })).status).toBe(200)
  await fill(writer, canary, writer.projectId)
  await newWorkspace(writer, canary)
  await newKey(writer, canary)
  await newKey(writer, canary, { owner: 'workspace' })
  await newTokens(
    owner,
    await newApp(owner, { name: canary, redirect_uris: [REDIRECT, `https://${canary}.example/back`] }),
  )
  const subscribed = await writer.send('POST', '/api/events/subscriptions', {
    channels: ['conversation'],
    events: [],
    filters: { conversation_id: canary },
    delivery: { method: 'webhook', url: `https://${canary}.example/hook` },
  })
  expect(subscribed.status).toBe(201)
  await remove(writer, '/api/users/me', { password: PASSWORD })
  await expectGone(canary)
})

test('an erased member leaves no name behind in the workspace of somebody else, whose own events stay', async () => {
  const [canary, kept, owner] = [newCanary(), newCanary(), await newPerson()]
  const writer = await writerFor(owner)
  const email = `${canary}@example.com`
  const invited = await writer.send('POST', `/v1/workspaces/${owner.workspaceId}/members`, { email, role: 'editor' })
  const invitation = new URL(invited.body.invitation_url).searchParams.get('invitation') ?? ''
  const joined = await form('/auth/register-user', { email, password: PASSWORD, name: canary, invitation })
  expect(joined.status).toBe(201)
  const headers = { 'X-Session-Token': joined.body.session_token }
  const send: Writer['send'] = (method, path, body) =>
    call(method, path, { headers, ...(body === undefined ? {} : { body }) })
  const member: Writer = { ...writer, headers, send, store: (body) => send('POST', '/api/memory/store', body) }
  await fill(member, canary, owner.projectId, { visibility: 'private' })
  await newKey(member, canary)
  await fill(writer, kept, owner.projectId)
  const again = await writer.send('POST', '/v1/workspaces', { name: 'second' })
  await writer.send('POST', `/v1/workspaces/${again.body.id}/members`, { email, role: 'viewer' })
  await remove(member, '/api/users/me', { password: PASSWORD })
  await expectGone(canary)
  expect(await columnsWith(kept)).toEqual(expect.arrayContaining(['events.data', 'events.namespace']))
})
