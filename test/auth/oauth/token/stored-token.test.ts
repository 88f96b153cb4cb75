/** @module-tag shards */
import { expect, test } from 'vitest'
import { findStoredToken } from '../../../../src/auth/oauth/token/stored-token.ts'
import { newApp, newPerson, newTokens, refreshWith, requestContext } from '../../../support/oauth.ts'
import { form, system } from '../../../support/world.ts'

const arrange = async () => {
  const person = await newPerson()
  const app = await newApp(person)
  return { person, app, tokens: await newTokens(person, app) }
}

test('a token of either kind is found with its grant, and is active to its last millisecond', async () => {
  const { person, app, tokens } = await arrange()
  for (const [kind, text] of [
    ['access', tokens.access_token],
    ['refresh', tokens.refresh_token],
  ] as const) {
    const found = await findStoredToken(requestContext(), text)
    expect(found).toMatchObject({
      kind,
      active: true,
      tenantId: person.tenantId,
      userId: person.userId,
      routingId: person.routingId,
      clientId: app.client_id,
      scopes: ['read:memory', 'write:memory'],
    })
    const end = found?.expiresAt ?? 0
    const activeAt = async (now: number) => (await findStoredToken(requestContext({ now: () => now }), text))?.active
    expect([await activeAt(end - 1), await activeAt(end)]).toEqual([true, false])
  }
})

test('a spent or revoked token is found, and is not active', async () => {
  const { app, tokens } = await arrange()
  await refreshWith(app, tokens.refresh_token)
  expect(await findStoredToken(requestContext(), tokens.refresh_token)).toMatchObject({ active: false })
  await form('/auth/revoke', { ...app, token: tokens.access_token })
  expect(await findStoredToken(requestContext(), tokens.access_token)).toMatchObject({ active: false })
})

test('a token that was never issued, or of another kind, is not found', async () => {
  const { person, tokens } = await arrange()
  const { token: made } = await system.tokens.mint('rca', person.routingId, system.random)
  for (const text of ['', 'rca_x', made, person.key, person.session['X-Session-Token'], `${tokens.access_token}x`]) {
    expect(await findStoredToken(requestContext(), text)).toBeNull()
  }
})
