/** @module-tag long */
import { expect, test } from 'vitest'
import { openSocket, requestSocket, type TestSocket } from '../support/socket.ts'
import { newApp, newCode, newPerson, newTokens, redeem, secretOf, type Person } from '../support/oauth.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { until } from '../support/until.ts'
import { addKey, addMember, call, form, newSession, newTenant } from '../support/world.ts'

const CHANNEL = '/realtime?channels=conversation'

const ends = (socket: TestSocket) => until(() => expect(socket.closed?.code).toBe(4401))

/** A socket of an application to which the person gave access. */
async function appSocket(person: Person) {
  const app = await newApp(person, { scopes: ['read:events'] })
  const { body: tokens } = await redeem(app, await newCode(person, app, { scope: 'read:events' }))
  const socket = await openSocket(CHANNEL, { Authorization: `Bearer ${tokens.access_token}` })
  return { app, tokens, socket }
}

test('security 46: logging out closes the sockets of the session, and of no other', async () => {
  const person = await newPerson()
  const other = await openSocket(CHANNEL, await newSession(person))
  const socket = await openSocket(CHANNEL, person.session)
  expect((await call('POST', '/auth/logout', { headers: person.session })).status).toBe(204)
  await ends(socket)
  expect(other.closed).toBeNull()
})

test('security 46: ending all other sessions closes their sockets', async () => {
  const person = await newPerson()
  const other = await openSocket(CHANNEL, await newSession(person))
  const socket = await openSocket(CHANNEL, person.session)
  expect((await call('DELETE', '/v1/sessions', { headers: person.session })).status).toBe(204)
  await ends(other)
  expect(socket.closed).toBeNull()
})

test('a deleted API key closes its sockets', async () => {
  const person = await newPerson()
  const key = await addKey(person)
  const socket = await openSocket(CHANNEL, { 'X-API-Key': key.secret })
  expect((await call('DELETE', `/v1/api-keys/${key.id}`, { headers: person.session })).status).toBe(204)
  await ends(socket)
})

test('a revoked access token closes its sockets', async () => {
  const { app, tokens, socket } = await appSocket(await newPerson())
  expect((await form('/auth/revoke', { ...secretOf(app), token: tokens.access_token })).status).toBe(200)
  await ends(socket)
})

test('a revoked grant closes the sockets of its application', async () => {
  const person = await newPerson()
  const { socket } = await appSocket(person)
  const { body } = await call('GET', '/v1/grants', { headers: person.session })
  expect((await call('DELETE', `/v1/grants/${body.data[0].id}`, { headers: person.session })).status).toBe(204)
  await ends(socket)
})

test('security 46: a changed password closes the sockets of other sessions, keys and applications, not its own', async () => {
  const person = await newPerson()
  await givePassword(person)
  const sockets = [
    await openSocket(CHANNEL, await newSession(person)),
    await openSocket(CHANNEL, { 'X-API-Key': person.key }),
    (await appSocket(person)).socket,
  ]
  const mine = await openSocket(CHANNEL, person.session)
  const body = { current_password: PASSWORD, new_password: 'staple or something else' }
  const changed = await call('POST', '/v1/users/me/password', { headers: person.session, body })
  expect(changed.status).toBe(204)
  for (const socket of sockets) await ends(socket)
  expect(mine.closed).toBeNull()
})

test('an application without the scope read:events opens no socket', async () => {
  const person = await newPerson()
  const tokens = await newTokens(person, await newApp(person))
  const response = await requestSocket(CHANNEL, { Authorization: `Bearer ${tokens.access_token}` })
  expect(response.status).toBe(403)
})

test('a session cookie opens a socket for our own pages only', async () => {
  const { cookie } = await newPerson()
  const own = await openSocket(CHANNEL, { ...cookie, Origin: 'http://recollect.test' })
  expect(own.messages[0]?.type).toBe('system.status')
  expect((await requestSocket(CHANNEL, { ...cookie, Origin: 'https://evil.example' })).status).toBe(401)
  expect((await requestSocket(CHANNEL, cookie)).status).toBe(401)
})

test('a token of one kind in the header of another is 401', async () => {
  const { key, ...person } = await newPerson()
  expect((await requestSocket(CHANNEL, { Authorization: `Bearer ${key}` })).status).toBe(401)
  expect((await requestSocket(CHANNEL, { 'X-API-Key': person.session['X-Session-Token'] })).status).toBe(401)
})

test('a removed member receives nothing from the next event on', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'viewer')
  const [theirs, mine] = await Promise.all([
    openSocket(CHANNEL, { 'X-API-Key': member.key }),
    openSocket(CHANNEL, { 'X-API-Key': tenant.key }),
  ])
  const removed = await call('DELETE', `/v1/workspaces/${tenant.workspaceId}/members/${member.userId}`, {
    key: tenant.key,
  })
  expect(removed.status).toBe(204)
  const { body } = await call('POST', '/api/events/publish', {
    key: tenant.key,
    body: { type: 'message.new', data: { conversation_id: 'c' } },
  })
  await mine.received('message.new', (one) => one.id === body.event_id)
  expect(theirs.messages.filter((one) => one.type === 'message.new')).toEqual([])
})
