/** @module-tag long */
import { expect, test } from 'vitest'
import { changePassword } from '../../../src/auth/passwords/change-password.ts'
import { denialSweep } from '../../../src/auth/credentials/send-denials.ts'
import { readAuthorizationRequest } from '../../../src/auth/oauth/authorize/authorization-request.ts'
import { issueCode } from '../../../src/auth/oauth/authorize/issue-code.ts'
import { CreateKey, createKey } from '../../../src/identity/api-keys/create.ts'
import { authorizeQuery, newApp, newPerson, requestContext } from '../../support/oauth.ts'
import { givePassword, PASSWORD } from '../../support/password.ts'
import { callerOf, racing } from '../../support/race.ts'
import { addKey, call, db, form, newSession, newTenant, system, type Tenant } from '../../support/world.ts'

const NEW = 'staple or something else'

async function arrange() {
  const tenant = await newTenant()
  await givePassword(tenant)
  const [mine, other] = [await newSession(tenant), await newSession(tenant)]
  const { secret } = await addKey(tenant)
  const statuses = async () =>
    Promise.all(
      [{ headers: mine }, { headers: other }, { key: secret }].map(
        async (credential) => (await call('GET', '/v1/projects', credential)).status,
      ),
    )
  // Fills every cache.
  expect(await statuses()).toEqual([200, 200, 200])
  return { tenant, mine, statuses }
}

const change = (headers: Record<string, string>, more: Record<string, unknown> = {}) =>
  call('POST', '/v1/users/me/password', {
    headers,
    body: { current_password: PASSWORD, new_password: NEW, ...more },
  })

test('security 46: a changed password ends all other sessions and the user’s keys at once', async () => {
  const { tenant, mine, statuses } = await arrange()
  expect((await change(mine)).status).toBe(204)
  expect(await statuses()).toEqual([200, 401, 401])
  expect((await form('/auth/login', { username: tenant.email, password: PASSWORD })).status).toBe(401)
  expect((await form('/auth/login', { username: tenant.email, password: NEW })).status).toBe(200)
})

test('keep_keys leaves the keys alive', async () => {
  const { mine, statuses } = await arrange()
  expect((await change(mine, { keep_keys: true })).status).toBe(204)
  expect(await statuses()).toEqual([200, 401, 200])
})

test('a wrong current password, a short new one and unknown fields are 422 and change nothing', async () => {
  const { mine, statuses } = await arrange()
  const wrong = await change(mine, { current_password: 'wrong wrong wrong' })
  expect(wrong).toMatchObject({ status: 422, body: { errors: [{ path: 'current_password', code: 'wrong_password' }] } })
  expect((await change(mine, { new_password: 'short' })).status).toBe(422)
  expect((await change(mine, { user_id: 'usr_x' })).status).toBe(422)
  expect(await statuses()).toEqual([200, 200, 200])
})

test('a login with the old password opens no session while the password changes', async () => {
  const { tenant, mine } = await arrange()
  const [changed, login] = await Promise.all([
    change(mine),
    form('/auth/login', { username: tenant.email, password: PASSWORD }),
  ])
  expect(changed.status).toBe(204)
  const token = login.body.session_token
  const late = token ? (await call('GET', '/v1/projects', { headers: { 'X-Session-Token': token } })).status : 401
  expect(late).toBe(401)
  expect(await liveSessions(tenant)).toBe(1)
})

test('security 46: a change that loses a race ends no credential that the winner has kept', async () => {
  const { mine, statuses } = await arrange()
  // The other change comes from the same session, and keeps the keys.
  const winner = () => change(mine, { keep_keys: true, new_password: 'what the winner chose' })
  const headers = await callerOf(mine)
  const loser = changePassword(requestContext({ db: racing(winner) }, { ...headers, credential: OTHER_SESSION }), {
    current_password: PASSWORD,
    new_password: NEW,
    keep_keys: false,
  })
  await expect(loser).rejects.toMatchObject({ code: 'conflict' })
  await denialSweep.run(system)
  expect(await statuses()).toEqual([200, 401, 200])
})

test('security 46: a key that another session makes at the same moment is not stored after the new password', async () => {
  const { tenant, mine } = await arrange()
  const other = await callerOf(await newSession(tenant))
  const raced = racing(async () => expect((await change(mine)).status).toBe(204))
  const input = CreateKey.parse({ name: 'Back door', scopes: ['read:memory'] })
  await expect(createKey(requestContext({ db: raced }, other), input)).rejects.toMatchObject({ code: 'invalid_token' })
  expect(
    await db.all('select id from api_keys where user_id = :user and revoked_at is null', { user: tenant.userId }),
  ).toEqual([])
})

test('security 46: a grant that another session approves at the same moment is not stored after the new password', async () => {
  const person = await newPerson()
  await givePassword(person)
  const query = new URLSearchParams(authorizeQuery(await newApp(person)))
  const next = await readAuthorizationRequest(requestContext(), query)
  if (next.step !== 'consent') throw new Error(next.step)
  const other = await callerOf(await newSession(person))
  const raced = racing(async () => expect((await change(person.session)).status).toBe(204))
  const late = issueCode(requestContext({ db: raced }, other), next.request)
  await expect(late).rejects.toMatchObject({ code: 'forbidden' })
  expect(await db.all('select id from oauth_grants where user_id = :user', { user: person.userId })).toEqual([])
})

const OTHER_SESSION = { kind: 'session', id: 'ses_other', environment: null, appId: null, grantId: null } as const

const liveSessions = async (tenant: Tenant) =>
  (await db.all('select id from sessions where user_id = :user and revoked_at is null', { user: tenant.userId })).length
