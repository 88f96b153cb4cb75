import { expect, test } from 'vitest'
import { register } from '../../../src/auth/oauth/clients/register.ts'
import { oauthSweep } from '../../../src/auth/oauth/sweep.ts'
import {
  authorizeQuery,
  CHALLENGE,
  decide,
  newApp,
  newCode,
  newPerson,
  newTokens,
  redeem,
  REDIRECT,
  refreshWith,
  requestContext,
  VERIFIER,
} from '../../support/oauth.ts'
import { until } from '../../support/until.ts'
import { db, system } from '../../support/world.ts'

const DAY_MS = 24 * 3_600_000
const at = (ms: number) => ({ ...system, now: () => system.now() + ms })

test('codes, tokens and grants without either are erased once their time is over, and not before', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  await newCode(person, app)
  const tokens = await newTokens(person, app)
  const count = async () => {
    const [row] = await db.all<{ codes: number; tokens: number; grants: number }>(
      `select (select count(*) from oauth_codes where tenant_id = :tenant) as codes,
              (select count(*) from oauth_tokens where tenant_id = :tenant) as tokens,
              (select count(*) from oauth_grants where tenant_id = :tenant) as grants`,
      { tenant: person.tenantId },
    )
    return row
  }
  await oauthSweep.run(at(0))
  expect(await count()).toEqual({ codes: 2, tokens: 2, grants: 2 })
  await oauthSweep.run(at(DAY_MS + 1))
  // The codes stay as long as the refresh token, so that a replay still ends the grant.
  expect(await count()).toEqual({ codes: 2, tokens: 1, grants: 2 })
  expect((await refreshWith(app, tokens.refresh_token)).status).toBe(200)
  await oauthSweep.run(at(60 * DAY_MS))
  expect(await count()).toEqual({ codes: 0, tokens: 0, grants: 0 })
})

test('an application that registered itself and that nobody authorized is erased after 7 days; one that a user made is not', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const walkIn = await register(requestContext(), { redirect_uris: [REDIRECT] })
  const left = () =>
    db.all<{ id: string }>('select id from oauth_clients where id in (:client, :client_id)', {
      client: app.client_id,
      client_id: walkIn.client_id,
    })
  await oauthSweep.run(at(7 * DAY_MS - 60_000))
  expect(await left()).toHaveLength(2)
  await oauthSweep.run(at(7 * DAY_MS + 60_000))
  expect(await left()).toEqual([{ id: app.client_id }])
})

test('one that was used is erased 90 days after its last token request, to the day', async () => {
  const walkIn = await register(requestContext(), { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' })
  const query = authorizeQuery(walkIn, { code_challenge: CHALLENGE, code_challenge_method: 'S256' })
  const code = (await decide(await newPerson(), query)).searchParams.get('code') ?? ''
  const app = { ...walkIn, client_secret: '' }
  expect((await redeem(app, code, { code_verifier: VERIFIER })).status).toBe(200)
  const rows = () =>
    db.all<{ last_used_at: number }>('select last_used_at from oauth_clients where id = :client', {
      client: walkIn.client_id,
    })
  const today = Math.floor(system.now() / DAY_MS) * DAY_MS
  await until(async () => expect(await rows()).toEqual([{ last_used_at: today }]))
  const sweepAt = (ms: number) => oauthSweep.run({ ...system, now: () => today + ms })
  // The tokens and the grant go first.
  await sweepAt(80 * DAY_MS)
  await sweepAt(90 * DAY_MS - 1)
  expect(await rows()).toHaveLength(1)
  await sweepAt(90 * DAY_MS)
  expect(await rows()).toEqual([])
})
