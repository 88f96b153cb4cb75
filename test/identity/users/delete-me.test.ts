/**
 * @module-tag long
 * @module-tag shards
 */
import { beforeAll, expect, test } from 'vitest'
import { denialSweep, hashPassword } from '../../../src/auth/index.ts'
import { deleteMe } from '../../../src/identity/users/delete-me.ts'
import { requestContext } from '../../support/oauth.ts'
import { callerOf, racing } from '../../support/race.ts'
import { addKey, addMember, call, db, form, newSession, newTenant, system, type Tenant } from '../../support/world.ts'

const password = 'correct horse battery'
let hash = ''
beforeAll(async () => {
  hash = await hashPassword(system, password)
})

/** One hash serves every user of these tests. */
const givePassword = (user: Pick<Tenant, 'userId'>) =>
  db.write('update users set password_hash = :hash where id = :user', { hash, user: user.userId })

test('security 46: deleting the account ends everything at once and erases the person and what only they own', async () => {
  const tenant = await newTenant()
  await givePassword(tenant)
  const [headers, other] = [await newSession(tenant), await newSession(tenant)]
  const { secret } = await addKey(tenant)
  const robot = await call('POST', '/v1/api-keys', {
    headers,
    body: { name: 'CI', scopes: ['read:projects'], owner: 'workspace' },
  })
  const calls = [{ headers }, { headers: other }, { key: tenant.key }, { key: secret }, { key: robot.body.key }]
  for (const one of calls) expect((await call('GET', '/v1/projects', one)).status).toBe(200)

  const wrong = await call('DELETE', '/api/users/me', { headers, body: { password: 'something else' } })
  expect({ status: wrong.status, path: wrong.body.errors[0].path }).toEqual({ status: 422, path: 'password' })
  expect((await call('DELETE', '/api/users/me', { headers, body: { password } })).status).toBe(204)

  for (const one of calls) expect((await call('GET', '/v1/projects', one)).status).toBe(401)
  const left = await db.first<{ deleted_at: number }>('select * from users where id = :user', { user: tenant.userId })
  expect(left).toMatchObject({ email: null, name: '', avatar_url: '', password_hash: null })
  expect(left?.deleted_at).toBeGreaterThan(0)
  expect(await db.first('select 1 from directory where email = :email', { email: tenant.email })).toBeNull()
  expect(
    await db.first('select 1 from workspaces where tenant_id = :tenant and deleted_at is null', {
      tenant: tenant.tenantId,
    }),
  ).toBeNull()
  expect(
    await db.first('select 1 from projects where tenant_id = :tenant and deleted_at is null', {
      tenant: tenant.tenantId,
    }),
  ).toBeNull()
  expect(await db.first('select 1 from sessions where user_id = :user', { user: tenant.userId })).toBeNull()
  expect((await form('/auth/login', { username: tenant.email, password })).status).toBe(401)
})

test('the address leaves the directory in the commit that deletes the account, whatever fails after it', async () => {
  const tenant = await newTenant()
  await givePassword(tenant)
  const headers = await newSession(tenant)
  const queues = { send: () => Promise.reject(new Error('the queue is gone after the commit')) }
  const hub: typeof system.hub = (routingId) => ({
    ...system.hub(routingId),
    deny: () => Promise.reject(new Error('the hub is gone after the commit')),
  })
  await deleteMe(
    requestContext({ hub, queues, waitUntil: (work) => void work.catch(() => {}) }, await callerOf(headers)),
    {
      password,
    },
  )
  expect(
    await db.first('select 1 from users where id = :user and deleted_at is not null', { user: tenant.userId }),
  ).not.toBeNull()
  expect(await db.first('select 1 from directory where user_id = :user', { user: tenant.userId })).toBeNull()
})

test('a deletion that loses a race to a new member ends no credential, of the user or of the workspace', async () => {
  const tenant = await newTenant()
  await givePassword(tenant)
  const [headers, other] = [await newSession(tenant), await newSession(tenant)]
  const robot = await call('POST', '/v1/api-keys', {
    headers,
    body: { name: 'CI', scopes: ['read:projects'], owner: 'workspace' },
  })
  const calls = [{ headers }, { headers: other }, { key: tenant.key }, { key: robot.body.key }]
  const statuses = () => Promise.all(calls.map(async (one) => (await call('GET', '/v1/projects', one)).status))
  expect(await statuses()).toEqual([200, 200, 200, 200])
  const raced = racing(() => addMember(tenant, 'editor'))
  const deletion = deleteMe(requestContext({ db: raced }, await callerOf(headers)), { password })
  await expect(deletion).rejects.toMatchObject({ code: 'last_owner' })
  await denialSweep.run(system)
  expect(await statuses()).toEqual([200, 200, 200, 200])
})

test('a deletion that loses a race to a new password says so, and erases nothing', async () => {
  const tenant = await newTenant()
  await givePassword(tenant)
  const headers = await newSession(tenant)
  const body = { current_password: password, new_password: 'staple or something else' }
  const raced = racing(async () =>
    expect((await call('POST', '/v1/users/me/password', { headers, body })).status).toBe(204),
  )
  const deletion = deleteMe(requestContext({ db: raced }, await callerOf(headers)), { password })
  await expect(deletion).rejects.toMatchObject({ code: 'conflict' })
  expect((await call('GET', '/v1/projects', { headers })).status).toBe(200)
})

test('409 last_owner while others would be left without an owner; then the others keep all', async () => {
  const tenant = await newTenant()
  await givePassword(tenant)
  const member = await addMember(tenant, 'editor')
  const headers = await newSession(tenant)
  const refused = await call('DELETE', '/api/users/me', { headers, body: { password } })
  expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 409, code: 'last_owner' })
  const path = `/v1/workspaces/${tenant.workspaceId}/members/${member.userId}`
  await call('PATCH', path, { headers, body: { role: 'owner' } })
  await call('POST', '/v1/tenant/owner', { headers, body: { owner_id: member.userId, password } })
  expect((await call('DELETE', '/api/users/me', { headers, body: { password } })).status).toBe(204)
  expect((await call('GET', `/v1/projects/${tenant.projectId}`, { key: member.key })).status).toBe(200)
})

test('the owner of the tenant stays while somebody else is in it, in a workspace or in none; then may go', async () => {
  const tenant = await newTenant()
  await givePassword(tenant)
  const other = await addMember(tenant, null)
  await givePassword(other)
  const remove = async (who: Tenant) =>
    call('DELETE', '/api/users/me', { headers: await newSession(who), body: { password } })
  expect(await remove(tenant)).toMatchObject({ status: 409, body: { code: 'last_owner' } })
  expect((await remove(other)).status).toBe(204)
  expect((await remove(tenant)).status).toBe(204)
  const { owner_id } =
    (await db.first<{ owner_id: string | null }>('select owner_id from tenants where id = :tenant', {
      tenant: tenant.tenantId,
    })) ?? {}
  expect(owner_id).toBeNull()
})

test('a deletion that loses a race to a hand-over to the caller keeps the account', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'editor')
  await givePassword(tenant)
  await givePassword(member)
  const [owners, members] = [await newSession(tenant), await newSession(member)]
  const raced = racing(() =>
    call('POST', '/v1/tenant/owner', { headers: owners, body: { owner_id: member.userId, password } }),
  )
  const deletion = deleteMe(requestContext({ db: raced }, await callerOf(members)), { password })
  await expect(deletion).rejects.toMatchObject({ code: 'last_owner' })
  expect((await call('GET', '/api/users/me', { headers: members })).status).toBe(200)
})

test('only a session deletes the account: 403 session_required', async () => {
  const { key } = await newTenant()
  const { status, body } = await call('DELETE', '/api/users/me', { key, body: { password } })
  expect({ status, code: body.code }).toEqual({ status: 403, code: 'session_required' })
})
