/** @module-tag long */
import { expect, test } from 'vitest'
import { givePassword, PASSWORD } from '../support/password.ts'
import { cookieOf, newApp, newCode, newPerson, redeem, refreshWith, statusWith, type Person } from '../support/oauth.ts'
import { addKey, addMember, call, newSession, newTenant } from '../support/world.ts'

/** A person with one credential of each kind, all of them cached at the person's hub. */
async function arrange() {
  const person = await newPerson()
  await givePassword(person)
  const app = await newApp(person)
  const code = await newCode(person, app, { scope: 'read:projects' })
  const { body: tokens } = await redeem(app, code)
  const [other, key] = [await newSession(person), await addKey(person)]
  const statuses = async () => ({
    session: (await call('GET', '/v1/projects', { headers: person.session })).status,
    otherSession: (await call('GET', '/v1/projects', { headers: other })).status,
    key: (await call('GET', '/v1/projects', { key: key.secret })).status,
    access: await statusWith(tokens.access_token),
  })
  expect(await statuses()).toEqual({ session: 200, otherSession: 200, key: 200, access: 200 })
  const refreshed = async () => (await refreshWith(app, tokens.refresh_token)).status
  return { person, statuses, refreshed }
}

const post = (person: Person, path: string, body: unknown, method = 'POST') =>
  call(method, path, { headers: person.session, body })

test('security 16, 46: a changed password ends the other sessions, keys, access and refresh tokens, although the hub has cached them', async () => {
  const { person, statuses, refreshed } = await arrange()
  const body = { current_password: PASSWORD, new_password: 'staple or something else' }
  expect((await post(person, '/v1/users/me/password', body)).status).toBe(204)
  expect(await statuses()).toEqual({ session: 200, otherSession: 401, key: 401, access: 401 })
  expect(await refreshed()).toBe(400)
})

test('all credentials of a deleted user are refused from the next request on', async () => {
  const { person, statuses, refreshed } = await arrange()
  expect((await post(person, '/api/users/me', { password: PASSWORD }, 'DELETE')).status).toBe(204)
  expect(await statuses()).toEqual({ session: 401, otherSession: 401, key: 401, access: 401 })
  expect([400, 401]).toContain(await refreshed())
})

test('security 25: a demoted member’s session, key and access token lose their rights at the next request', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'editor')
  const session = await newSession(member)
  const person = { ...member, session, cookie: cookieOf(session) }
  const app = await newApp(person, { scopes: ['write:projects'] })
  const { body: tokens } = await redeem(app, await newCode(person, app, { scope: 'write:projects' }))
  const credentials = [
    { headers: session },
    { key: member.key },
    { headers: { Authorization: `Bearer ${tokens.access_token}` } },
  ]
  const create = async (credential: (typeof credentials)[number]) =>
    (await call('POST', '/api/projects', { ...credential, body: { name: 'x', workspace_id: tenant.workspaceId } }))
      .status
  expect(await Promise.all(credentials.map(create))).toEqual([201, 201, 201])
  await call('PATCH', `/v1/workspaces/${tenant.workspaceId}/members/${member.userId}`, {
    key: tenant.key,
    body: { role: 'viewer' },
  })
  expect(await Promise.all(credentials.map(create))).toEqual([403, 403, 403])
})
