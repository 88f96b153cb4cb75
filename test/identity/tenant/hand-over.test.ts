import { expect, test } from 'vitest'
import { handOver } from '../../../src/identity/tenant/hand-over.ts'
import { noticesOf } from '../../support/invitation.ts'
import { requestContext } from '../../support/oauth.ts'
import { givePassword, PASSWORD } from '../../support/password.ts'
import { callerOf, racing } from '../../support/race.ts'
import { addMember, call, newSession, newTenant, type Tenant } from '../../support/world.ts'

const ownerOf = async ({ key }: Tenant): Promise<string> => (await call('GET', '/v1/tenant', { key })).body.owner_id

const send = async (by: Tenant, to: string, password = PASSWORD) =>
  call('POST', '/v1/tenant/owner', { headers: await newSession(by), body: { owner_id: to, password } })

test('the person of the sign-up owns the tenant, and hands it over with the password; the new owner is told', async () => {
  const tenant = await newTenant()
  await givePassword(tenant)
  const member = await addMember(tenant, 'viewer')
  expect(await ownerOf(member)).toBe(tenant.userId)
  expect(await send(tenant, member.userId, 'something else')).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'password', code: 'wrong_password' }] },
  })
  expect(await ownerOf(member)).toBe(tenant.userId)
  const done = await send(tenant, member.userId)
  expect(done).toMatchObject({ status: 200, body: { id: tenant.tenantId, owner_id: member.userId } })
  expect(await ownerOf(tenant)).toBe(member.userId)
  expect(await noticesOf(member.userId)).toMatchObject([{ code: 'tenant.owner' }])
  expect((await send(tenant, member.userId)).status).toBe(403)
})

test('security 52: nobody but the owner hands over, by a session alone, and to a person of the tenant alone', async () => {
  const [tenant, foreign] = [await newTenant(), await newTenant()]
  await givePassword(tenant)
  const member = await addMember(tenant, 'owner')
  await givePassword(member)
  expect((await send(member, member.userId)).status).toBe(403)
  expect((await send(tenant, foreign.userId)).status).toBe(404)
  await call('POST', '/v1/api-keys', {
    headers: await newSession(tenant),
    body: { name: 'CI', scopes: ['read:projects'], owner: 'workspace' },
  })
  const { body } = await call('GET', `/v1/workspaces/${tenant.workspaceId}/members`, { key: tenant.key })
  const service = body.data.find((one: { kind: string }) => one.kind === 'service')
  expect((await send(tenant, service.user_id)).status).toBe(404)
  const byKey = await call('POST', '/v1/tenant/owner', {
    key: tenant.key,
    body: { owner_id: member.userId, password: PASSWORD },
  })
  expect({ status: byKey.status, code: byKey.body.code }).toEqual({ status: 403, code: 'session_required' })
  expect(await ownerOf(tenant)).toBe(tenant.userId)
})

test('of two hand-overs at once one holds', async () => {
  const tenant = await newTenant()
  await givePassword(tenant)
  const [first, second] = [await addMember(tenant, 'editor'), await addMember(tenant, 'editor')]
  const caller = await callerOf(await newSession(tenant))
  const raced = racing(async () => expect((await send(tenant, first.userId)).status).toBe(200))
  const late = handOver(requestContext({ db: raced }, caller), { owner_id: second.userId, password: PASSWORD })
  await expect(late).rejects.toMatchObject({ code: 'conflict' })
  expect(await ownerOf(tenant)).toBe(first.userId)
})
