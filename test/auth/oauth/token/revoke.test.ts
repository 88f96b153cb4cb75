/** @module-tag shards */
import { expect, test } from 'vitest'
import { expectAudited, newApp, newPerson, newTokens, refreshWith, statusWith } from '../../../support/oauth.ts'
import { form } from '../../../support/world.ts'

test('an access token is revoked alone, at the next request', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const tokens = await newTokens(person, app)
  expect(await statusWith(tokens.access_token)).toBe(403)
  const { status, body } = await form('/auth/revoke', { ...app, token: tokens.access_token })
  expect({ status, body }).toEqual({ status: 200, body: {} })
  expect(await statusWith(tokens.access_token)).toBe(401)
  expect((await refreshWith(app, tokens.refresh_token)).status).toBe(200)
  await expectAudited(person.tenantId, ['oauth.revoke'])
})

test('a refresh token is revoked with its whole grant, and no other', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const [tokens, other] = [await newTokens(person, app), await newTokens(person, app)]
  expect(await statusWith(tokens.access_token)).toBe(403)
  await form('/auth/revoke', { ...app, token: tokens.refresh_token, token_type_hint: 'access_token' })
  expect(await statusWith(tokens.access_token)).toBe(401)
  expect((await refreshWith(app, tokens.refresh_token)).body.error).toBe('invalid_grant')
  expect(await statusWith(other.access_token)).toBe(403)
})

test('an unknown token and one that is already revoked are a success', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const { refresh_token } = await newTokens(person, app)
  for (const token of ['made-up', person.key, refresh_token, refresh_token]) {
    const { status, body } = await form('/auth/revoke', { ...app, token })
    expect({ status, body }).toEqual({ status: 200, body: {} })
  }
  expect((await form('/auth/revoke', { ...app })).body.error).toBe('invalid_request')
})

test("security 19: another client's token is not revoked", async () => {
  const person = await newPerson()
  const [app, other] = [await newApp(person), await newApp(await newPerson())]
  const tokens = await newTokens(person, app)
  for (const token of [tokens.access_token, tokens.refresh_token]) {
    expect((await form('/auth/revoke', { ...other, token })).body.error).toBe('invalid_grant')
  }
  expect(
    (await form('/auth/revoke', { ...app, client_secret: other.client_secret, token: tokens.access_token })).status,
  ).toBe(401)
  expect(await statusWith(tokens.access_token)).toBe(403)
  expect((await refreshWith(app, tokens.refresh_token)).status).toBe(200)
})
