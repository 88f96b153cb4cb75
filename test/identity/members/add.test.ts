import { expect, test } from 'vitest'
import { addMember as join } from '../../../src/identity/members/add.ts'
import { requestContext } from '../../support/oauth.ts'
import { callerOf, racing } from '../../support/race.ts'
import { addMember, call, db, form, newSession, newTenant, system, type Tenant } from '../../support/world.ts'

test('a workspace has at most 1,000 members, whichever way one more would come', async () => {
  const tenant = await newTenant()
  const [first, second] = [await addMember(tenant, null), await addMember(tenant, null)]
  const headers = await newSession(tenant)
  await fill(tenant, 998)
  const path = `/v1/workspaces/${tenant.workspaceId}/members`
  const add = (email: string) => call('POST', path, { headers, body: { email, role: 'viewer' } })
  const invited = await add(`guest-${crypto.randomUUID()}@example.com`)
  expect((await add(first.email)).status).toBe(201)

  expect(await add(second.email)).toMatchObject({ status: 403, body: { code: 'quota_exceeded' } })
  const key = { name: 'CI', scopes: ['read:projects'], owner: 'workspace', workspace_id: tenant.workspaceId }
  expect(await call('POST', '/v1/api-keys', { headers, body: key })).toMatchObject({
    status: 403,
    body: { code: 'quota_exceeded' },
  })
  const accept = async () => {
    const { data } = (await call('GET', `/v1/workspaces/${tenant.workspaceId}/invitations`, { headers })).body
    const invitation = new URL(invited.body.invitation_url).searchParams.get('invitation') ?? ''
    const guest = { email: data[0].email, password: 'correct horse battery', name: 'Guest', invitation }
    return (await form('/auth/register-user', guest)).status
  }
  expect(await accept()).toBe(422)
  expect((await call('DELETE', `${path}/${first.userId}`, { headers })).status).toBe(204)
  expect(await accept()).toBe(201)
})

test('an owner who becomes an admin at that moment makes no owner', async () => {
  const tenant = await newTenant()
  const [owner, friend] = [await addMember(tenant, 'owner'), await addMember(tenant, null)]
  const path = `/v1/workspaces/${tenant.workspaceId}/members`
  const demote = () => call('PATCH', `${path}/${owner.userId}`, { key: tenant.key, body: { role: 'admin' } })
  const raced = racing(async () => expect((await demote()).status).toBe(200))
  const ctx = requestContext({ db: raced }, await callerOf(await newSession(owner)))
  const late = join(ctx, tenant.workspaceId, { email: friend.email, role: 'owner' })
  await expect(late).rejects.toMatchObject({ code: 'forbidden' })
  expect(await db.all('select 1 from workspace_members where user_id = ?', friend.userId)).toEqual([])
})

async function fill({ workspaceId, tenantId }: Tenant, count: number): Promise<void> {
  const ids = JSON.stringify(Array.from({ length: count }, () => system.newId('usr')))
  await db.batch([
    db.statement(
      `insert into users (id, tenant_id, routing_id, kind, name, settings, created_at, updated_at)
       select value, ?, value, 'person', 'x', '{}', 0, 0 from json_each(?)`,
      tenantId,
      ids,
    ),
    db.statement(
      `insert into workspace_members (workspace_id, user_id, tenant_id, role, created_at)
       select ?, value, ?, 'viewer', 0 from json_each(?)`,
      workspaceId,
      tenantId,
      ids,
    ),
  ])
}
