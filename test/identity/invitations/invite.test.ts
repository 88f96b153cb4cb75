/**
 * @module-tag long
 * @module-tag shards
 */
import { afterAll, expect, test } from 'vitest'
import { INVITATION_LIFE_MS } from '../../../src/identity/invitations/invitation.ts'
import { invite, MAX_OPEN } from '../../../src/identity/invitations/invite.ts'
import { MAX_NOTIFIED, NOTIFIED_WITHIN_MS } from '../../../src/identity/invitations/notify-limit.ts'
import { register } from '../../../src/identity/users/register.ts'
import { travel } from '../../support/clock.ts'
import { counted, settled } from '../../support/counted.ts'
import { requestContext } from '../../support/oauth.ts'
import { accept, invitationFor, noticesOf } from '../../support/invitation.ts'
import { PASSWORD } from '../../support/password.ts'
import { callerOf, racing } from '../../support/race.ts'
import {
  addKey,
  addMember,
  call,
  db,
  form,
  home,
  newSession,
  newTenant,
  system,
  type Tenant,
} from '../../support/world.ts'

afterAll(settled)

test('security 52: the answer, and what the service does for it, are the same whoever has the address', async () => {
  const [tenant, other] = [await newTenant(), await newTenant()]
  const colleague = await addMember(tenant, null)
  const addresses = [colleague.email, other.email, `nobody-${crypto.randomUUID()}@example.com`]
  const headers = await newSession(tenant)
  const seen = []
  for (const email of addresses) {
    const path = `/v1/workspaces/${tenant.workspaceId}/members`
    const { status, body, asked } = await counted('POST', path, { headers, body: { email, role: 'viewer' } })
    expect(body.invitation_url).toMatch(/\/portal\/sign-up\?invitation=rci_/)
    seen.push({ status, fields: Object.keys(body), asked })
  }
  expect(seen[0]?.status).toBe(202)
  expect(seen[1]).toEqual(seen[0])
  expect(seen[2]).toEqual(seen[0])
})

test('security 52: nobody is a member, or sees the workspace, before they accept; the invited person alone is told', async () => {
  const tenant = await newTenant()
  const [colleague, other] = [await addMember(tenant, null), await newTenant()]
  const session = { headers: await newSession(colleague) }
  const path = `/v1/workspaces/${tenant.workspaceId}`
  const answer = await call('POST', `${path}/members`, {
    key: tenant.key,
    body: { email: colleague.email, role: 'owner' },
  })
  expect(answer.status).toBe(202)
  await call('POST', `${path}/members`, { key: tenant.key, body: { email: other.email, role: 'owner' } })
  expect((await call('GET', path, session)).status).toBe(404)
  expect((await call('GET', '/v1/projects', session)).body.data).toEqual([])
  expect((await call('GET', `${path}/members`, { key: tenant.key })).body.data).toHaveLength(1)
  expect(await noticesOf(colleague.userId)).toMatchObject([
    { code: 'invitation.received', invitation_id: answer.body.invitation_id, workspace_id: tenant.workspaceId },
  ])
  expect(await noticesOf(other.userId)).toEqual([])
})

test('a member is not invited again: 409 conflict, with the role for who may read it (contract §2)', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'viewer')
  const path = `/v1/workspaces/${tenant.workspaceId}/members`
  const again = await call('POST', path, { key: tenant.key, body: { email: member.email, role: 'editor' } })
  expect({ status: again.status, code: again.body.code }).toEqual({ status: 409, code: 'conflict' })
  expect(again.body.detail).toBe('This person is already in the workspace, as viewer.')
  const { secret: key } = await addKey(tenant, { scopes: ['admin:workspace'] })
  const unread = await call('POST', path, { key, body: { email: member.email, role: 'editor' } })
  expect(unread.body.detail).toBe('This person is already in the workspace.')
})

test('an invitation of a newer role replaces the older one of the same person', async () => {
  const tenant = await newTenant()
  const colleague = await addMember(tenant, null)
  const first = await invitationFor(tenant, colleague, 'viewer')
  const second = await invitationFor(tenant, colleague, 'editor')
  expect((await accept(colleague, first)).status).toBe(404)
  expect((await accept(colleague, second)).body.role).toBe('editor')
})

test('a workspace has at most 1,000 members, whichever way one more would come', async () => {
  const tenant = await newTenant()
  const [first, second] = [await addMember(tenant, null), await addMember(tenant, null)]
  const headers = await newSession(tenant)
  await fill(tenant, 998)
  const path = `/v1/workspaces/${tenant.workspaceId}/members`
  const add = (email: string) => call('POST', path, { headers, body: { email, role: 'viewer' } })
  const invited = await add(`guest-${crypto.randomUUID()}@example.com`)
  const { body } = await add(first.email)
  expect((await accept(first, body.invitation_id)).status).toBe(200)

  expect(await add(second.email)).toMatchObject({ status: 403, body: { code: 'quota_exceeded' } })
  const key = { name: 'CI', scopes: ['read:projects'], owner: 'workspace', workspace_id: tenant.workspaceId }
  expect(await call('POST', '/v1/api-keys', { headers, body: key })).toMatchObject({
    status: 403,
    body: { code: 'quota_exceeded' },
  })
  const invitation = new URL(invited.body.invitation_url).searchParams.get('invitation') ?? ''
  const signUp = async () => {
    const { data } = (await call('GET', `/v1/workspaces/${tenant.workspaceId}/invitations`, { headers })).body
    return form('/auth/register-user', {
      email: data[0].email,
      password: 'correct horse battery',
      name: 'G',
      invitation,
    })
  }
  const page = async () => (await call('GET', `/portal/sign-up?invitation=${invitation}`)).text
  const asksToMakeRoom = { code: 'quota_exceeded', detail: expect.stringContaining('person who invited you') }
  expect(await signUp()).toMatchObject({ status: 403, body: asksToMakeRoom })
  expect(await page()).toMatch(/The workspace is full[^]*, who invited you, to make room/)
  expect(await page()).not.toMatch(/<form|withdrawn/)
  expect((await call('DELETE', `${path}/${first.userId}`, { headers })).status).toBe(204)
  expect(await page()).not.toContain('The workspace is full')
  expect((await signUp()).status).toBe(201)
})

test.each([
  ['its workspace fills', 'quota_exceeded', 1, (tenant: Tenant) => fill(tenant, 999)],
  [
    'it is withdrawn',
    'validation_failed',
    0,
    ({ workspaceId: id }: Tenant) => db.write('delete from invitations where workspace_id = :id', { id }),
  ],
])('a sign-up by invitation says why its write was refused: %s, %s', async (_, code, left, happens) => {
  const tenant = await newTenant()
  const email = `guest-${crypto.randomUUID()}@example.com`
  const { body } = await inviteTo(tenant, await newSession(tenant), email)
  const invitation = new URL(body.invitation_url).searchParams.get('invitation') ?? ''
  const raced = racing(() => happens(tenant))
  const ctx = requestContext({ database: (shard) => (shard === home ? raced : system.database(shard)) })
  const late = register(ctx, { email, password: PASSWORD, name: 'G', invitation })
  await expect(late).rejects.toMatchObject({ code })
  expect(await db.all('select 1 from invitations where email = :email', { email })).toHaveLength(left)
  expect(await db.all('select 1 from users where email = :email', { email })).toEqual([])
})

test('an owner who becomes an admin at that moment makes no owner', async () => {
  const tenant = await newTenant()
  const [owner, friend] = [await addMember(tenant, 'owner'), await addMember(tenant, null)]
  const path = `/v1/workspaces/${tenant.workspaceId}/members`
  const demote = () => call('PATCH', `${path}/${owner.userId}`, { key: tenant.key, body: { role: 'admin' } })
  const raced = racing(async () => expect((await demote()).status).toBe(200))
  const ctx = requestContext({ db: raced }, await callerOf(await newSession(owner)))
  const late = invite(ctx, tenant.workspaceId, { email: friend.email, role: 'owner' })
  await expect(late).rejects.toMatchObject({ code: 'forbidden' })
  expect(await db.all('select 1 from invitations where email = :email', { email: friend.email })).toEqual([])
})

/** Open invitations of a workspace that the tenant's owner made. */
const fillInvitations = ({ workspaceId, tenantId, userId }: Tenant, count: number) =>
  db.write(
    `insert into invitations (id, tenant_id, workspace_id, email, role, token_hash, created_by, created_at, expires_at)
     select 'inv_' || value, :tenant, :workspace, value || '@example.com', 'viewer', value, :user, :created_at, :expires_at from json_each(:ids)`,
    {
      tenant: tenantId,
      workspace: workspaceId,
      user: userId,
      created_at: system.now(),
      expires_at: system.now() + INVITATION_LIFE_MS,
      ids: JSON.stringify(Array.from({ length: count }, () => crypto.randomUUID())),
    },
  )

const inviteTo = (tenant: Tenant, headers: Record<string, string>, email = `${crypto.randomUUID()}@example.com`) =>
  call('POST', `/v1/workspaces/${tenant.workspaceId}/members`, { headers, body: { email, role: 'viewer' } })

test('security 55: a workspace has at most 500 open invitations, also of many at once; replacing and withdrawing go on', async () => {
  const tenant = await newTenant()
  travel(0)
  await fillInvitations(tenant, MAX_OPEN.workspace - 2)
  const headers = await newSession(tenant)
  const first = 'first@example.com'
  const one = await inviteTo(tenant, headers, first)
  const answers = await Promise.all(Array.from({ length: 4 }, () => inviteTo(tenant, headers)))
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([202, 403, 403, 403])
  const refused = answers.find(({ status }) => status === 403)
  expect(refused?.body).toMatchObject({ code: 'quota_exceeded', detail: expect.stringContaining('500') })
  const newer = await inviteTo(tenant, headers, first)
  expect(newer.status).toBe(202)
  expect(newer.body.invitation_id).not.toBe(one.body.invitation_id)
  const path = `/v1/workspaces/${tenant.workspaceId}/invitations/${newer.body.invitation_id}`
  expect((await call('DELETE', path, { headers })).status).toBe(204)
  travel(1_000)
  expect((await inviteTo(tenant, headers)).status).toBe(202)
  expect((await inviteTo(tenant, headers)).status).toBe(403)
  // What has expired is not open, also where no sweep has come by yet.
  travel(INVITATION_LIFE_MS)
  expect((await inviteTo(tenant, await newSession(tenant))).status).toBe(202)
})

test('security 55: all workspaces of a tenant together have at most 2,000 open invitations; another tenant is not held up', async () => {
  const [tenant, other] = [await newTenant(), await newTenant()]
  const headers = await newSession(tenant)
  for (let n = 0; n < MAX_OPEN.tenant / MAX_OPEN.workspace; n += 1) {
    const { body } = await call('POST', '/v1/workspaces', { headers, body: { name: `W${n}` } })
    await fillInvitations({ ...tenant, workspaceId: body.id }, MAX_OPEN.workspace)
  }
  expect(await inviteTo(tenant, headers)).toMatchObject({
    status: 403,
    body: { code: 'quota_exceeded', detail: expect.stringContaining('2000') },
  })
  expect((await inviteTo(other, await newSession(other))).status).toBe(202)
})

test('contract §5, security 55: an invitation made again and again tells the person once an hour, and each time replaces the older one', async () => {
  const tenant = await newTenant()
  const colleague = await addMember(tenant, null)
  travel(0)
  const headers = await newSession(tenant)
  const first = await inviteTo(tenant, headers, colleague.email)
  const second = await inviteTo(tenant, headers, colleague.email)
  const path = `/v1/workspaces/${tenant.workspaceId}/invitations/${second.body.invitation_id}`
  expect((await call('DELETE', path, { headers })).status).toBe(204)
  expect((await inviteTo(tenant, headers, colleague.email)).status).toBe(202)
  expect(await noticesOf(colleague.userId)).toMatchObject([{ invitation_id: first.body.invitation_id }])
  travel(NOTIFIED_WITHIN_MS - 1)
  await inviteTo(tenant, headers, colleague.email)
  expect(await noticesOf(colleague.userId)).toHaveLength(1)
  travel(1)
  const last = await inviteTo(tenant, headers, colleague.email)
  expect((await noticesOf(colleague.userId))[1]).toMatchObject({ invitation_id: last.body.invitation_id })
})

test('contract §5, security 55: a person is told of 20 invitations an hour, of whatever workspaces; the list shows all of them', async () => {
  const tenant = await newTenant()
  const [colleague, other] = [await addMember(tenant, null), await addMember(tenant, null)]
  travel(0)
  const headers = await newSession(tenant)
  for (let n = 0; n <= MAX_NOTIFIED; n += 1) {
    const { body } = await call('POST', '/v1/workspaces', { headers, body: { name: `W${n}` } })
    expect((await inviteTo({ ...tenant, workspaceId: body.id }, headers, colleague.email)).status).toBe(202)
    if (n % 5 === 4) travel(1_000)
  }
  expect(await noticesOf(colleague.userId)).toHaveLength(MAX_NOTIFIED)
  const list = await call('GET', '/v1/invitations?limit=100', { headers: await newSession(colleague) })
  expect(list.body.data).toHaveLength(MAX_NOTIFIED + 1)
  await inviteTo(tenant, headers, other.email)
  expect(await noticesOf(other.userId)).toHaveLength(1)
})

async function fill({ workspaceId, tenantId }: Tenant, count: number): Promise<void> {
  const ids = JSON.stringify(Array.from({ length: count }, () => system.newId('usr')))
  await db.batch([
    db.statement(
      `insert into users (id, tenant_id, routing_id, kind, name, settings, created_at, updated_at)
       select value, :tenant, value, 'person', 'x', '{}', 0, 0 from json_each(:ids)`,
      { tenant: tenantId, ids },
    ),
    db.statement(
      `insert into workspace_members (workspace_id, user_id, tenant_id, role, created_at)
       select :workspace, value, :tenant, 'viewer', 0 from json_each(:ids)`,
      { workspace: workspaceId, tenant: tenantId, ids },
    ),
  ])
}
