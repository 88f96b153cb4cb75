import { expect, test } from 'vitest'
import { call, form } from '../support/world.ts'

const password = 'correct horse battery'

test('register, log in, call, log out: the token is dead at the next request', async () => {
  const email = `ada-${crypto.randomUUID()}@example.com`
  const made = await form('/auth/register-user', { email, password, name: 'Ada' })
  expect(made).toMatchObject({
    status: 201,
    body: {
      user: { email, name: 'Ada', avatar_url: '' },
      session_token: expect.stringMatching(/^rcs_/),
      expires_in: 86_400,
    },
  })
  const { status, body } = await form('/auth/login', { username: email.toUpperCase(), password })
  expect({ status, body }).toEqual({
    status: 200,
    body: { session_token: expect.stringMatching(/^rcs_/), expires_in: 86_400 },
  })
  const headers = { 'X-Session-Token': body.session_token }
  const projects = await call('GET', '/v1/projects', { headers })
  expect(projects.body.data).toMatchObject([{ name: 'Default' }])
  expect((await call('POST', '/auth/logout', { headers })).status).toBe(204)
  expect((await call('GET', '/v1/projects', { headers })).status).toBe(401)
  expect((await call('GET', '/v1/projects', { headers: { 'X-Session-Token': made.body.session_token } })).status).toBe(
    200,
  )
})
