/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import { makeResetLinkForPerson } from '../../../src/identity/tenant/make-reset-link.ts'
import { noticesOf } from '../../support/invitation.ts'
import { expectAudited, requestContext } from '../../support/oauth.ts'
import { givePassword, PASSWORD } from '../../support/password.ts'
import { callerOf, racing } from '../../support/race.ts'
import { addMember, call, db, form, newSession, newTenant, type Tenant } from '../../support/world.ts'

const ask = async (by: Tenant, personId: string, password = PASSWORD) =>
  call('POST', `/v1/tenant/people/${personId}/reset-link`, { headers: await newSession(by), body: { password } })

const tokenOf = (answer: { body: { reset_url: string } }) =>
  new URL(answer.body.reset_url).searchParams.get('token') ?? ''

const reset = (token: string) => form('/auth/reset-password', { token, password: 'staple or something else' })

/** A tenant, and a person of it who shares no workspace with its owner. */
async function arrange(): Promise<{ tenant: Tenant; apart: Tenant }> {
  const tenant = await newTenant()
  await givePassword(tenant)
  return { tenant, apart: await addMember(tenant, null) }
}

test('the owner of the tenant makes a link for a person of no common workspace, who is told; it works once', async () => {
  const { tenant, apart } = await arrange()
  const made = await ask(tenant, apart.userId)
  expect(made).toMatchObject({ status: 201, body: { expires_at: expect.stringMatching(/Z$/) } })
  expect(await noticesOf(apart.userId)).toMatchObject([
    { code: 'reset_link.created', made_by: tenant.userId, expires_at: made.body.expires_at },
  ])
  expect((await reset(tokenOf(made))).status).toBe(200)
  expect((await reset(tokenOf(made))).status).toBe(422)
  await expectAudited(tenant.tenantId, ['tenant.make_reset_link', 'auth.reset_password'])
})

test('a link by either path ends the one before', async () => {
  const { tenant } = await arrange()
  const member = await addMember(tenant, 'editor')
  const first = tokenOf(await ask(tenant, member.userId))
  const second = await call('POST', `/v1/workspaces/${tenant.workspaceId}/members/${member.userId}/reset-link`, {
    headers: await newSession(tenant),
  })
  expect((await reset(first)).status).toBe(422)
  expect((await reset(tokenOf(second))).status).toBe(200)
})

test('security 52: a stolen session does not do, nor does anybody but the owner, and the owner makes none for the owner', async () => {
  const { tenant, apart } = await arrange()
  expect(await ask(tenant, apart.userId, 'something else')).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'password', code: 'wrong_password' }] },
  })
  for (const role of ['owner', 'admin'] as const) {
    const other = await addMember(tenant, role)
    await givePassword(other)
    expect((await ask(other, apart.userId)).status).toBe(403)
    expect((await ask(other, tenant.userId)).status).toBe(403)
  }
  expect((await ask(tenant, tenant.userId)).status).toBe(403)
  const byKey = await call('POST', `/v1/tenant/people/${apart.userId}/reset-link`, {
    key: tenant.key,
    body: { password: PASSWORD },
  })
  expect(byKey.body.code).toBe('session_required')
  expect(await noticesOf(apart.userId)).toEqual([])
})

test('security 26: whoever is no person of the tenant is a 404: another tenant, nobody, a service account, an erased one', async () => {
  const { tenant, apart } = await arrange()
  await call('POST', '/v1/api-keys', {
    headers: await newSession(tenant),
    body: { name: 'CI', scopes: ['read:projects'], owner: 'workspace' },
  })
  const service = await db.first<{ id: string }>(
    `select id from users where tenant_id = :tenant and kind = 'service'`,
    { tenant: tenant.tenantId },
  )
  await db.write('update users set deleted_at = 1 where id = :user', { user: apart.userId })
  for (const id of [(await newTenant()).userId, 'usr_none', service?.id ?? '', apart.userId])
    expect((await ask(tenant, id)).status).toBe(404)
})

test('security 52: a link ends when its maker hands the tenant over, and when its person becomes the owner', async () => {
  const { tenant, apart } = await arrange()
  const next = await addMember(tenant, 'viewer')
  const [link, toNext] = [tokenOf(await ask(tenant, apart.userId)), tokenOf(await ask(tenant, next.userId))]
  const body = { owner_id: next.userId, password: PASSWORD }
  expect((await call('POST', '/v1/tenant/owner', { headers: await newSession(tenant), body })).status).toBe(200)
  expect((await reset(link)).status).toBe(422)
  expect((await reset(toNext)).status).toBe(422)
})

test('of a link and a hand-over at once the link is not made', async () => {
  const { tenant, apart } = await arrange()
  const next = await addMember(tenant, 'viewer')
  const caller = await callerOf(await newSession(tenant))
  const raced = racing(() =>
    db.write('update tenants set owner_id = :user where id = :tenant', { user: next.userId, tenant: tenant.tenantId }),
  )
  const late = makeResetLinkForPerson(requestContext({ db: raced }, caller), apart.userId, { password: PASSWORD })
  await expect(late).rejects.toMatchObject({ code: 'conflict' })
  expect(await db.all('select 1 from password_resets where user_id = :user', { user: apart.userId })).toEqual([])
})
