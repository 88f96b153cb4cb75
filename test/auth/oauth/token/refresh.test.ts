/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import { findRefresh, refresh } from '../../../../src/auth/oauth/token/refresh.ts'
import { REFRESH_TTL_MS } from '../../../../src/auth/oauth/token/issue-token.ts'
import { shiftClock } from '../../../../src/core/values/clock.ts'
import { sha256 } from '../../../../src/core/values/hash.ts'
import {
  expectAudited,
  clientOf,
  mintingWith,
  newApp,
  newCode,
  newPerson,
  newTokens,
  redeem,
  refreshWith,
  settle,
  statusWith,
  requestContext,
  type App,
  type Person,
} from '../../../support/oauth.ts'
import { givePassword, PASSWORD } from '../../../support/password.ts'
import { call, db, form, system } from '../../../support/world.ts'

const world = async (options: Parameters<typeof newApp>[1] = {}): Promise<{ person: Person; app: App }> => {
  const person = await newPerson()
  return { person, app: await newApp(person, options) }
}

async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
  shiftClock(ms)
  try {
    return await work()
  } finally {
    shiftClock(-ms)
  }
}

test('a refresh answers the same shape with a new refresh token', async () => {
  const { person, app } = await world()
  const first = await newTokens(person, app)
  const { status, body, headers } = await refreshWith(app, first.refresh_token)
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      access_token: expect.stringMatching(/^rca_/),
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^rcr_/),
      scope: first.scope,
    },
  })
  expect(body.refresh_token).not.toBe(first.refresh_token)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(await statusWith(body.access_token)).toBe(403)
  expect((await refreshWith(app, body.refresh_token)).status).toBe(200)
})

test('a retry within the window gets the same successor, which works, so that a lost answer does no harm', async () => {
  const { person, app } = await world()
  const { refresh_token } = await newTokens(person, app)
  const lost = await refreshWith(app, refresh_token)
  const again = await later(25_000, () => refreshWith(app, refresh_token))
  expect(again.status).toBe(200)
  expect(again.body.refresh_token).toBe(lost.body.refresh_token)
  expect(await statusWith(again.body.access_token)).toBe(403)
  expect((await refreshWith(app, again.body.refresh_token)).status).toBe(200)
})

test('a reuse after the window revokes its grant, and no other', async () => {
  const { person, app } = await world()
  const [stolen, other] = [await newTokens(person, app), await newTokens(person, app)]
  const { body: next } = await refreshWith(app, stolen.refresh_token)
  expect(await statusWith(next.access_token)).toBe(403)
  await later(31_000, async () => {
    const reuse = await refreshWith(app, stolen.refresh_token)
    expect({ status: reuse.status, error: reuse.body.error }).toEqual({ status: 400, error: 'invalid_grant' })
    expect((await refreshWith(app, next.refresh_token)).body.error).toBe('invalid_grant')
    for (const dead of [stolen.access_token, next.access_token]) expect(await statusWith(dead)).toBe(401)
    expect(await statusWith(other.access_token)).toBe(403)
    expect((await refreshWith(app, other.refresh_token)).status).toBe(200)
  })
  await expectAudited(person.tenantId, ['oauth.refresh_reuse'])
})

test.each([
  [-1, 1],
  [0, 0],
  [1, 0],
])('a retry %i ms from the end of the window: %i success', async (offset, expected) => {
  const { person, app } = await world()
  const { refresh_token } = await newTokens(person, app)
  const client = await clientOf(app)
  await refresh(requestContext(), client, await findRefresh(requestContext(), refresh_token), {})
  const spent = await findRefresh(requestContext(), refresh_token)
  const at = (spent?.spentAt ?? 0) + 30_000 + offset
  const { succeeded } = await settle([refresh(requestContext({ now: () => at }), client, spent, {})])
  expect(succeeded).toBe(expected)
})

test.each([
  [-1, 1],
  [0, 0],
  [1, 0],
])('a refresh token %i ms from its expiry: %i success', async (offset, expected) => {
  const { person, app } = await world()
  const { refresh_token } = await newTokens(person, app)
  const token = await findRefresh(requestContext(), refresh_token)
  expect((token?.expiresAt ?? 0) - system.now()).toBeGreaterThan(REFRESH_TTL_MS - 60_000)
  const now = () => (token?.expiresAt ?? 0) + offset
  const { succeeded } = await settle([refresh(requestContext({ now }), await clientOf(app), token, {})])
  expect(succeeded).toBe(expected)
})

test('with a window of 0, an immediate second use ends the grant', async () => {
  const { person, app } = await world({ refresh_grace_seconds: 0 })
  const { refresh_token } = await newTokens(person, app)
  const { body } = await refreshWith(app, refresh_token)
  expect((await refreshWith(app, refresh_token)).body.error).toBe('invalid_grant')
  expect(await statusWith(body.access_token)).toBe(401)
})

test('security 16: 16 refreshes at once leave one chain within the window, and none without one', async () => {
  for (let round = 0; round < 3; round += 1) {
    for (const grace of [30, 0]) {
      const { person, app } = await world({ refresh_grace_seconds: grace })
      const { refresh_token } = await newTokens(person, app)
      const client = await clientOf(app)
      const found = await findRefresh(requestContext(), refresh_token)
      const successors = new Set<string>()
      const { succeeded } = await settle(
        Array.from({ length: 16 }, async () => {
          successors.add((await refresh(requestContext(), client, found, {})).refresh_token)
        }),
      )
      expect({ succeeded, chains: successors.size }).toEqual({ succeeded: grace ? 16 : 1, chains: 1 })
      const [successor = ''] = successors
      expect((await findRefresh(requestContext(), successor)) !== null).toBe(grace > 0)
    }
  }
})

test('a crash loses nothing: one commit spends the token and stores the new ones, and the token still works', async () => {
  const { person, app } = await world()
  const { access_token, refresh_token } = await newTokens(person, app)
  const taken = await system.tokens.parse(access_token)
  const broken = requestContext({ tokens: mintingWith(async () => ({ token: access_token, hash: taken?.hash ?? '' })) })
  const token = await findRefresh(broken, refresh_token)
  await expect(refresh(broken, await clientOf(app), token, {})).rejects.toThrow(/UNIQUE/)
  expect((await findRefresh(requestContext(), refresh_token))?.spentAt).toBeNull()
  expect((await refreshWith(app, refresh_token)).status).toBe(200)
})

test('scope may narrow an access token; the next refresh has the whole grant again', async () => {
  const { person, app } = await world()
  const { body: first } = await redeem(app, await newCode(person, app, { scope: 'read:memory read:projects' }))
  const { body } = await refreshWith(app, first.refresh_token, { scope: 'read:memory' })
  expect([body.scope, await statusWith(body.access_token)]).toEqual(['read:memory', 403])
  const { body: next } = await refreshWith(app, body.refresh_token)
  expect([next.scope, await statusWith(next.access_token)]).toEqual(['read:memory read:projects', 200])
})

test('security 15: a refresh that widens is refused and does not spend the token; a scope that was lost since is gone', async () => {
  const { person, app } = await world()
  const { refresh_token } = await newTokens(person, app)
  for (const scope of ['read:memory read:projects', 'admin:workspace', 'read:everything']) {
    expect((await refreshWith(app, refresh_token, { scope })).body.error).toBe('invalid_scope')
  }
  const patch = (scopes: string[]) =>
    call('PATCH', `/v1/apps/${app.client_id}`, { headers: person.session, body: { scopes } })
  await patch(['read:memory'])
  const { body } = await refreshWith(app, refresh_token)
  expect(body.scope).toBe('read:memory')
  await patch(['read:audit'])
  expect((await refreshWith(app, body.refresh_token)).body.error).toBe('invalid_scope')
})

test('security 16: a refresh fails for another client, after a revocation, and after the application is deleted', async () => {
  const { person, app } = await world()
  const other = await newApp(person)
  const tokens = await newTokens(person, app)
  expect((await refreshWith(other, tokens.refresh_token)).body.error).toBe('invalid_grant')
  expect((await refreshWith(app, tokens.refresh_token)).status).toBe(200)

  const revoked = await newTokens(person, app)
  await form('/auth/revoke', { ...app, token: revoked.refresh_token })
  expect((await refreshWith(app, revoked.refresh_token)).body.error).toBe('invalid_grant')

  const last = await newTokens(person, app)
  await call('DELETE', `/v1/apps/${app.client_id}`, { headers: person.session })
  expect((await refreshWith(app, last.refresh_token)).body.error).toBe('invalid_client')
})

test('security 16: after a password change, neither the refresh token nor the access token works', async () => {
  const [owner, person] = [await newPerson(), await newPerson()]
  await givePassword(person)
  const app = await newApp(owner)
  const tokens = await newTokens(person, app)
  const others = await newTokens(owner, app)
  expect(await statusWith(tokens.access_token)).toBe(403)
  const changed = await call('POST', '/v1/users/me/password', {
    headers: person.session,
    body: { current_password: PASSWORD, new_password: 'a new horse, and a battery' },
  })
  expect(changed.status).toBe(204)
  expect(await statusWith(tokens.access_token)).toBe(401)
  expect((await refreshWith(app, tokens.refresh_token)).body.error).toBe('invalid_grant')
  expect((await refreshWith(app, others.refresh_token)).status).toBe(200)
})

test('only the hash of a token is stored', async () => {
  const { person, app } = await world()
  const first = await newTokens(person, app)
  const { body } = await refreshWith(app, first.refresh_token)
  const dump = JSON.stringify([
    await db.all('select * from oauth_tokens where user_id = :user', { user: person.userId }),
    await db.all('select * from oauth_codes where tenant_id = :tenant', { tenant: person.tenantId }),
    await db.all('select * from oauth_clients where id = :client', { client: app.client_id }),
  ])
  for (const secret of [first.access_token, first.refresh_token, body.refresh_token, app.client_secret]) {
    expect(dump).not.toContain(secret)
    expect(dump).toContain(await sha256(secret))
  }
})
