import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createApp, CreateApp } from '../../src/auth/apps/create.ts'
import { deleteApp } from '../../src/auth/apps/delete.ts'
import { directorySweeps, findClient } from '../../src/auth/index.ts'
import { openInvitation } from '../../src/identity/invitations/invited-account.ts'
import { MINUTE, travel } from '../support/clock.ts'
import { approveAs, documentOf, newAgent, queryFor, serving, signedIn, CALLBACK } from '../support/documents.ts'
import { interrupted } from '../support/interrupted.ts'
import {
  newApp,
  newPerson,
  newTokens,
  redeem,
  refreshWith,
  REDIRECT,
  requestContext,
  VERIFIER,
} from '../support/oauth.ts'
import { callerOf } from '../support/race.ts'
import { counting, SHARDS, withDatabases } from '../support/shards.ts'
import { until } from '../support/until.ts'
import { call, db, form, home, system } from '../support/world.ts'

const directory = system.database('00')
const entryOf = (id: string) =>
  directory.first<{ shard: string; expires_at: number | null }>(
    'select shard, expires_at from client_directory where id = :id',
    { id },
  )
const kill = () => Promise.reject(new Error('killed'))
const sweep = async (): Promise<void> => {
  for (const one of directorySweeps) await one.run(system)
}

test.each(SHARDS)('an application in shard %s is found in two reads at most, by whoever uses it', async (shard) => {
  const [owner, user] = [await newPerson({ shard }), await newPerson({ shard: '01' })]
  const app = await newApp(owner)
  await until(async () => expect(await entryOf(app.client_id)).toEqual({ shard, expires_at: null }))
  const watched = counting()
  expect(await findClient(watched.system, app.client_id)).toMatchObject({ id: app.client_id, shard })
  expect(watched.asked).toEqual(shard === '00' ? { '00': 1 } : { '00': 1, [shard]: 1 })
  const tokens = await newTokens(user, app)
  expect((await refreshWith(app, tokens.refresh_token)).status).toBe(200)
})

test('an unknown application is one read, and none where the id is no id', async () => {
  const watched = counting()
  expect(await findClient(watched.system, system.newId('app'))).toBeNull()
  expect(await findClient(watched.system, 'app_x')).toBeNull()
  expect(watched.asked).toEqual({ '00': 1 })
})

const APP = CreateApp.parse({ name: 'Notes', redirect_uris: [REDIRECT], scopes: ['read:memory'] })

/** Makes an application, killed at a batch of a shard; answers its id. */
async function killedAt(shard: string, nth: number) {
  const owner = await newPerson()
  const databases = withDatabases({
    [shard]: interrupted((batch) => (batch >= nth ? kill() : Promise.resolve()), shard),
  })
  const ctx = requestContext({ ...databases, db: databases.database(home) }, await callerOf(owner.session))
  const made = await createApp(ctx, APP).catch(() => null)
  return { made, id: ctx.trail.resourceIds[0] ?? '' }
}

test('killed between the entry and the commit: the sweep erases the entry', async () => {
  const { made, id } = await killedAt(home, 0)
  expect([made, await entryOf(id)]).toEqual([null, { shard: home, expires_at: expect.any(Number) }])
  expect(await findClient(system, id)).toBeNull()
  travel(MINUTE)
  await sweep()
  expect(await entryOf(id)).toBeNull()
})

test('killed between the commit and the confirmation: it works at once, and the sweep confirms', async () => {
  const { made, id } = await killedAt('00', 1)
  expect([made?.client_id, await entryOf(id)]).toEqual([id, { shard: home, expires_at: expect.any(Number) }])
  expect(await findClient(system, id)).toMatchObject({ id })
  travel(MINUTE)
  await sweep()
  expect(await entryOf(id)).toEqual({ shard: home, expires_at: null })
})

test('a commit that comes after its entry was given up makes no application', async () => {
  const owner = await newPerson()
  const late = interrupted(async (batch) => {
    if (batch > 0) return
    travel(MINUTE)
    await sweep()
  })
  const ctx = requestContext({ db: late }, await callerOf(owner.session))
  await expect(createApp(ctx, APP)).rejects.toMatchObject({ code: 'dependency_unavailable' })
  expect(
    await db.first('select 1 from oauth_clients where id = :id', { id: ctx.trail.resourceIds[0] ?? '' }),
  ).toBeNull()
})

test('a deleted application ends its grants in every shard, also in one that was down', async () => {
  const owner = await newPerson()
  const app = await newApp(owner)
  const users = await Promise.all(SHARDS.map((shard) => newPerson({ shard })))
  for (const user of users) await newTokens(user, app)
  const live = async () => {
    const found = await Promise.all(
      SHARDS.map((shard) =>
        system.database(shard).all('select 1 from oauth_grants where client_id = :client and revoked_at is null', {
          client: app.client_id,
        }),
      ),
    )
    return found.map((rows) => rows.length)
  }
  expect(await live()).toEqual([1, 1, 1])
  const log = { info: () => {}, error: () => {} }
  const half = withDatabases({ '01': interrupted(kill, '01') }, { log })
  await deleteApp(requestContext({ ...half, db }, await callerOf(owner.session)), app.client_id)
  expect(await live()).toEqual([0, 1, 0])
  expect([await entryOf(app.client_id), await findClient(system, app.client_id)]).toEqual([null, null])
  await sweep()
  expect(await live()).toEqual([0, 0, 0])
  expect(await db.all('select * from directory_releases')).toEqual([])
})

test('a metadata document has its newest copy in the directory, wherever its users are', async () => {
  const { url, host } = await newAgent()
  const consentIn = async (shard: string) => {
    const person = await newPerson({ shard })
    return approveAs(await signedIn(person, { clientDocuments: host, db: system.database(shard) }), queryFor(url))
  }
  await consentIn('01')
  expect(await findClient(system, url)).toMatchObject({ id: url, name: 'Agent', shard: '00' })
  travel(120 * MINUTE)
  host.answers.set(url, serving(documentOf(url, { client_name: 'Newer' })))
  const second = await consentIn('02')
  expect(await findClient(system, url)).toMatchObject({ name: 'Newer' })
  const app = { client_id: url, client_secret: '' }
  const code = second.searchParams.get('code') ?? ''
  const answer = await redeem(app, code, { redirect_uri: CALLBACK, code_verifier: VERIFIER })
  expect(answer.status).toBe(200)
})

test('an application that registered itself works in every shard, and its grants say that nobody owns it', async () => {
  const { body: registered } = await call('POST', '/auth/register', {
    body: { client_name: 'Open', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'client_secret_post' },
    headers: { 'CF-Connecting-IP': '2001:db8:beef::1' },
  })
  const app = { client_id: registered.client_id, client_secret: registered.client_secret }
  const user = await newPerson({ shard: '01' })
  const { searchParams } = await approveAs(
    await signedIn(user, { db: system.database('01') }),
    new URLSearchParams(queryFor(app.client_id, { redirect_uri: REDIRECT, resource: null })).toString(),
  )
  const answer = await redeem(app, searchParams.get('code') ?? '', { code_verifier: VERIFIER })
  expect(answer.status).toBe(200)
  const { body: grants } = await call('GET', '/v1/grants', { headers: user.session })
  expect(grants.data).toMatchObject([{ application: { client_id: app.client_id }, agent: true }])
})

test('an invitation leads to its shard, and nobody else is asked', async () => {
  const owner = await newPerson({ shard: '01' })
  const email = `invited-${crypto.randomUUID()}@example.com`
  const { body: invitation } = await call('POST', `/v1/workspaces/${owner.workspaceId}/members`, {
    headers: owner.session,
    body: { email, role: 'editor' },
  })
  const token = new URL(invitation.invitation_url).searchParams.get('invitation') ?? ''
  const watched = counting()
  expect(await openInvitation(watched.system, token, email)).toMatchObject({ shard: '01', email })
  expect(watched.asked).toEqual({ '01': 1 })
  const fields = { email, password: 'correct horse battery', name: 'Grace', invitation: token }
  const { status, body } = await form('/auth/register-user', fields)
  expect(status).toBe(201)
  const row = await system.database('01').first('select tenant_id from users where id = :id', { id: body.user.id })
  expect(row).toEqual({ tenant_id: owner.tenantId })
})

test('the migration enters the applications and tenants that were there before', async () => {
  const owner = await newPerson({ shard: '00' })
  const app = await newApp(owner)
  await directory.batch([
    directory.statement('delete from client_directory'),
    directory.statement('delete from tenant_directory'),
  ])
  const backfill = env.MAIN_MIGRATIONS.flatMap(({ queries }) => queries).filter((sql) =>
    /INSERT INTO `(client|tenant)_directory`/.test(sql),
  )
  expect(backfill).toHaveLength(2)
  for (const sql of backfill) await env.DB.prepare(sql).run()
  expect(await entryOf(app.client_id)).toEqual({ shard: '00', expires_at: null })
  expect(
    await directory.first('select shard from tenant_directory where id = :tenant', { tenant: owner.tenantId }),
  ).toEqual({
    shard: '00',
  })
})
