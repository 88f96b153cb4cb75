/** @module-tag long */
import { expect, test } from 'vitest'
import { acceptInvitation } from '../../../src/identity/invitations/accept.ts'
import { travel } from '../../support/clock.ts'
import { accept, invitationFor, noticesOf } from '../../support/invitation.ts'
import { expectAudited, requestContext } from '../../support/oauth.ts'
import { callerOf, racing } from '../../support/race.ts'
import { addMember, call, db, newSession, newTenant, type Tenant } from '../../support/world.ts'

const membershipsOf = (user: Tenant) =>
  db.all('select role from workspace_members where user_id = :user', { user: user.userId })

async function invited(role: 'owner' | 'editor' = 'editor') {
  const tenant = await newTenant()
  const colleague = await addMember(tenant, null)
  return { tenant, colleague, id: await invitationFor(tenant, colleague, role) }
}

test('an invited person sees the invitation, accepts it, and is a member; who invited is told', async () => {
  const { tenant, colleague, id } = await invited()
  const session = { headers: await newSession(colleague) }
  const list = await call('GET', '/v1/invitations', session)
  expect(list.body).toMatchObject({
    data: [
      { id, workspace_id: tenant.workspaceId, workspace_name: 'Personal', role: 'editor', invited_by: tenant.userId },
    ],
    has_more: false,
  })
  const accepted = await call('POST', `/v1/invitations/${id}/accept`, session)
  expect(accepted).toMatchObject({ status: 200, body: { id: tenant.workspaceId, role: 'editor' } })
  expect((await call('GET', '/v1/projects', session)).body.data).toHaveLength(1)
  expect((await call('GET', '/v1/invitations', session)).body.data).toEqual([])
  const told = { code: 'invitation.accepted', invitation_id: id, workspace_id: tenant.workspaceId }
  expect(await noticesOf(tenant.userId)).toMatchObject([told])
  expect((await accept(colleague, id)).status).toBe(404)
  await expectAudited(tenant.tenantId, ['invitations.create', 'invitations.accept'])
})

test('security 52: only a session accepts, refuses and lists: 403 session_required', async () => {
  const { colleague, id } = await invited()
  for (const [method, path] of [
    ['POST', `/v1/invitations/${id}/accept`],
    ['POST', `/v1/invitations/${id}/refuse`],
    ['GET', '/v1/invitations'],
  ] as const) {
    const { status, body } = await call(method, path, { key: colleague.key })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'session_required' })
  }
  expect(await membershipsOf(colleague)).toEqual([])
})

test('security 52: nobody else accepts it, of the same tenant or of another one', async () => {
  const { tenant, colleague, id } = await invited()
  const stranger = await newTenant()
  const foreign = await invitationFor(tenant, stranger)
  const someone = await addMember(tenant, null)
  expect((await accept(someone, id)).status).toBe(404)
  expect((await accept(stranger, id)).status).toBe(404)
  expect((await accept(stranger, foreign)).status).toBe(404)
  expect((await call('GET', '/v1/invitations', { headers: await newSession(stranger) })).body.data).toEqual([])
  expect((await accept(colleague, id)).status).toBe(200)
})

test('of two acceptances at once one makes the member, and one notice goes out', async () => {
  const { tenant, colleague, id } = await invited()
  const headers = await newSession(colleague)
  const raced = racing(async () => expect((await accept(colleague, id)).status).toBe(200))
  const late = acceptInvitation(requestContext({ db: raced }, await callerOf(headers)), id)
  await expect(late).rejects.toMatchObject({ code: 'conflict' })
  expect(await membershipsOf(colleague)).toEqual([{ role: 'editor' }])
  expect(await noticesOf(tenant.userId)).toHaveLength(1)
})

test.each([
  [-1_000, 200],
  [0, 404],
  [1_000, 404],
])('an invitation %i ms past its seven days: %i', async (offset, status) => {
  travel(0)
  const { colleague, id } = await invited()
  travel(7 * 86_400_000 + offset)
  expect((await accept(colleague, id)).status).toBe(status)
  expect(await membershipsOf(colleague)).toHaveLength(status === 200 ? 1 : 0)
})

test.each(['withdrawn', 'without a maker who may invite', 'refused'])(
  'an invitation that is %s while it is accepted makes nobody a member: 404',
  async (end) => {
    const tenant = await newTenant()
    const [admin, colleague] = [await addMember(tenant, 'admin'), await addMember(tenant, null)]
    const id = await invitationFor(admin, colleague)
    const headers = await newSession(colleague)
    const path = `/v1/workspaces/${tenant.workspaceId}`
    const raced = racing(async () => {
      const ended =
        end === 'withdrawn'
          ? await call('DELETE', `${path}/invitations/${id}`, { key: tenant.key })
          : end === 'refused'
            ? await call('POST', `/v1/invitations/${id}/refuse`, { headers })
            : await call('PATCH', `${path}/members/${admin.userId}`, { key: tenant.key, body: { role: 'editor' } })
      expect(ended.status).toBeLessThan(300)
    })
    const late = acceptInvitation(requestContext({ db: raced }, await callerOf(headers)), id)
    await expect(late).rejects.toMatchObject({ code: 'not_found' })
    expect(await membershipsOf(colleague)).toEqual([])
  },
)

test('an invitation ends with the right of its maker, and an owner-to-be needs an owner', async () => {
  const tenant = await newTenant()
  const [maker, colleague] = [await addMember(tenant, 'owner'), await addMember(tenant, null)]
  const become = (role: string) =>
    call('PATCH', `/v1/workspaces/${tenant.workspaceId}/members/${maker.userId}`, { key: tenant.key, body: { role } })
  const id = await invitationFor(maker, colleague, 'owner')
  await become('admin')
  expect((await accept(colleague, id)).status).toBe(404)
  await become('owner')
  expect((await accept(colleague, id)).body.role).toBe('owner')
})

test('an acceptance that is sent again under its Idempotency-Key answers the workspace', async () => {
  const { tenant, colleague, id } = await invited()
  const headers = { ...(await newSession(colleague)), 'Idempotency-Key': 'accept-1' }
  const send = () => call('POST', `/v1/invitations/${id}/accept`, { headers })
  const [first, again] = [await send(), await send()]
  expect(again).toMatchObject({ status: 200, body: { id: tenant.workspaceId } })
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
})
