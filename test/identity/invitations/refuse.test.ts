import { expect, test } from 'vitest'
import { accept, invitationFor, noticesOf, refuse } from '../../support/invitation.ts'
import { addMember, call, db, newTenant } from '../../support/world.ts'

test('a refused invitation is gone, who invited is told, and a new one may follow', async () => {
  const tenant = await newTenant()
  const colleague = await addMember(tenant, null)
  const id = await invitationFor(tenant, colleague)
  const [stranger, foreign] = [await addMember(tenant, null), await newTenant()]
  expect([(await refuse(stranger, id)).status, (await refuse(foreign, id)).status]).toEqual([404, 404])
  expect((await refuse(colleague, id)).status).toBe(204)
  expect([(await refuse(colleague, id)).status, (await accept(colleague, id)).status]).toEqual([404, 404])
  expect(await noticesOf(tenant.userId)).toMatchObject([{ code: 'invitation.refused', invitation_id: id }])
  const open = await call('GET', `/v1/workspaces/${tenant.workspaceId}/invitations`, { key: tenant.key })
  expect(open.body.data).toEqual([])
  expect(await db.all('select 1 from workspace_members where user_id = :user', { user: colleague.userId })).toEqual([])
  expect((await accept(colleague, await invitationFor(tenant, colleague))).status).toBe(200)
})
