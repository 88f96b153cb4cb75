/** @module-tag shards */
import { expect, test } from 'vitest'
import { newApp, newPerson, newTokens, ORIGIN, refreshWith } from '../../../support/oauth.ts'
import { form } from '../../../support/world.ts'

test('a live token tells its scope, user, client and times', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const tokens = await newTokens(person, app)
  const { status, body } = await form('/auth/introspect', { ...app, token: tokens.access_token })
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      active: true,
      scope: 'read:memory write:memory',
      client_id: app.client_id,
      token_type: 'bearer',
      sub: person.userId,
      aud: ORIGIN,
      iss: ORIGIN,
      iat: expect.any(Number),
      exp: expect.any(Number),
    },
  })
  expect(body.exp - body.iat).toBe(3600)
})

test('a spent, revoked or made-up token is inactive, and the answer says no more', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const tokens = await newTokens(person, app)
  await refreshWith(app, tokens.refresh_token)
  const spent = await form('/auth/introspect', { ...app, token: tokens.refresh_token })
  await form('/auth/revoke', { ...app, token: tokens.access_token })
  const revoked = await form('/auth/introspect', { ...app, token: tokens.access_token })
  const madeUp = await form('/auth/introspect', { ...app, token: 'rca_made-up' })
  expect([spent.body, revoked.body, madeUp.body]).toEqual([{ active: false }, { active: false }, { active: false }])
})

test("security 19: another client's token is inactive; a public client and an unknown one may not ask", async () => {
  const person = await newPerson()
  const [app, other] = [await newApp(person), await newApp(person)]
  const open = await newApp(person, { type: 'public' })
  const { access_token: token } = await newTokens(person, app)
  expect((await form('/auth/introspect', { ...other, token })).body).toEqual({ active: false })
  expect((await form('/auth/introspect', { client_id: open.client_id, token })).status).toBe(401)
  expect((await form('/auth/introspect', { token })).status).toBe(401)
})
