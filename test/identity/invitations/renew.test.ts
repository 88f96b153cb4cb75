/** @module-tag long */
import { expect, test } from 'vitest'
import { renewInvitation } from '../../../src/identity/invitations/renew.ts'
import { DAY, travel } from '../../support/clock.ts'
import { noticesOf } from '../../support/invitation.ts'
import { requestContext } from '../../support/oauth.ts'
import { callerOf, racing } from '../../support/race.ts'
import { addMember, call, db, form, newSession, newTenant, type Tenant } from '../../support/world.ts'

const tokenIn = (url: string | null): string => new URL(url ?? 'x:').searchParams.get('invitation') ?? ''

async function invite(tenant: Tenant, role = 'viewer', email = `guest-${crypto.randomUUID()}@example.com`) {
  const { body } = await call('POST', `/v1/workspaces/${tenant.workspaceId}/members`, {
    key: tenant.key,
    body: { email, role },
  })
  const id: string = body.invitation_id
  return {
    id,
    email,
    token: tokenIn(body.invitation_url),
    path: `/v1/workspaces/${tenant.workspaceId}/invitations/${id}`,
  }
}

const renew = (by: { key: string }, path: string, headers: Record<string, string> = {}) =>
  call('POST', `${path}/renew`, { key: by.key, headers })

const signUp = async (email: string, invitation: string): Promise<number> =>
  (await form('/auth/register-user', { email, password: 'correct horse battery', name: 'x', invitation })).status

test('contract §4: a renewed invitation has a new link and seven more days; the old link ends', async () => {
  const tenant = await newTenant()
  const first = await invite(tenant)
  travel(6 * DAY)
  const { status, body } = await renew(tenant, first.path)
  expect({ status, id: body.invitation_id }).toEqual({ status: 200, id: first.id })
  travel(6 * DAY)
  expect(await signUp(first.email, first.token)).toBe(422)
  expect(await signUp(first.email, tokenIn(body.invitation_url))).toBe(201)
  expect((await renew(tenant, first.path)).status).toBe(404)
})

test('it stays one invitation of one id, which nobody is notified of again', async () => {
  const tenant = await newTenant()
  const colleague = await addMember(tenant, null)
  const { id, path } = await invite(tenant, 'viewer', colleague.email)
  const told = await noticesOf(colleague.userId)
  await renew(tenant, path)
  expect(await noticesOf(colleague.userId)).toEqual(told)
  const open = await call('GET', path.replace(/\/inv_\w+$/, ''), { key: tenant.key })
  expect(open.body.data.map((one: { id: string }) => one.id)).toEqual([id])
})

test('who renews is the maker from then on: the invitation outlives the rights of the first one', async () => {
  const tenant = await newTenant()
  const admin = await addMember(tenant, 'admin')
  const { email, path } = await invite(admin)
  const { body } = await renew(tenant, path)
  await call('DELETE', `/v1/workspaces/${tenant.workspaceId}/members/${admin.userId}`, { key: tenant.key })
  expect(await signUp(email, tokenIn(body.invitation_url))).toBe(201)
})

test('renewed are open invitations of the own workspace, by those who could make them', async () => {
  const [tenant, foreign] = [await newTenant(), await newTenant()]
  const [admin, editor] = [await addMember(tenant, 'admin'), await addMember(tenant, 'editor')]
  const [owner, viewer] = [await invite(tenant, 'owner'), await invite(tenant)]
  expect((await renew(admin, viewer.path)).status).toBe(200)
  expect((await renew(admin, owner.path)).status).toBe(403)
  expect((await renew(editor, viewer.path)).status).toBe(403)
  expect((await renew(foreign, viewer.path)).status).toBe(404)
  const elsewhere = viewer.path.replace(tenant.workspaceId, foreign.workspaceId)
  expect((await renew(foreign, elsewhere)).status).toBe(404)
  await call('DELETE', viewer.path, { key: tenant.key })
  expect((await renew(tenant, viewer.path)).status).toBe(404)
  travel(7 * DAY)
  expect((await renew(tenant, owner.path)).status).toBe(404)
  expect(
    await db.all(
      "select 1 from audit_outbox where row ->> 'action' = 'invitations.renew' and row ->> 'actor' in (:editor, :foreign)",
      { editor: editor.userId, foreign: foreign.userId },
    ),
  ).toEqual([])
})

test('a role that is lost, or an invitation that is withdrawn, right before the commit: nothing is renewed', async () => {
  const tenant = await newTenant()
  const admin = await addMember(tenant, 'admin')
  const session = await newSession(admin)
  const { id, email, token, path } = await invite(tenant)
  const ctx = { ...requestContext(), principal: await callerOf(session) }
  const demoted = racing(() =>
    db.write('update workspace_members set role = :role where user_id = :user', { role: 'viewer', user: admin.userId }),
  )
  await expect(renewInvitation({ ...ctx, db: demoted }, tenant.workspaceId, id)).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect(await signUp(`${email}x`, token)).toBe(422)
  await db.write('update workspace_members set role = :role where user_id = :user', {
    role: 'admin',
    user: admin.userId,
  })
  const withdrawn = racing(() => call('DELETE', path, { key: tenant.key }))
  await expect(renewInvitation({ ...ctx, db: withdrawn }, tenant.workspaceId, id)).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await signUp(email, token)).toBe(422)
})

test('of two renewals at once the later link works alone; a repeated request shows no link again', async () => {
  const tenant = await newTenant()
  const { email, path } = await invite(tenant)
  const both = await Promise.all([renew(tenant, path), renew(tenant, path)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  const keyed = { 'Idempotency-Key': 'renewed' }
  const first = await renew(tenant, path, keyed)
  expect((await renew(tenant, path, keyed)).body).toEqual({ ...first.body, invitation_url: null })
  for (const { body } of both) expect(await signUp(email, tokenIn(body.invitation_url))).toBe(422)
  expect(await signUp(email, tokenIn(first.body.invitation_url))).toBe(201)
})
