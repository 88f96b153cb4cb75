import { expect, test } from 'vitest'
import { register } from '../../../src/auth/oauth/clients/register.ts'
import { sweepOAuth } from '../../../src/auth/oauth/sweep.ts'
import { newApp, newCode, newPerson, newTokens, REDIRECT, requestContext, refreshWith } from '../../support/oauth.ts'
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
      `select (select count(*) from oauth_codes where tenant_id = ?1) as codes,
              (select count(*) from oauth_tokens where tenant_id = ?1) as tokens,
              (select count(*) from oauth_grants where tenant_id = ?1) as grants`,
      person.tenantId,
    )
    return row
  }
  await sweepOAuth(at(0))
  expect(await count()).toEqual({ codes: 2, tokens: 2, grants: 2 })
  await sweepOAuth(at(DAY_MS + 1))
  // The codes stay as long as the refresh token, so that a replay still ends the grant.
  expect(await count()).toEqual({ codes: 2, tokens: 1, grants: 2 })
  expect((await refreshWith(app, tokens.refresh_token)).status).toBe(200)
  await sweepOAuth(at(60 * DAY_MS))
  expect(await count()).toEqual({ codes: 0, tokens: 0, grants: 0 })
})

test('an application that registered itself and was never used is erased; one that a user made is not', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const walkIn = await register(requestContext({ config: { ...system.config, openClientRegistration: true } }), {
    redirect_uris: [REDIRECT],
  })
  const left = () =>
    db.all<{ id: string }>('select id from oauth_clients where id in (?, ?)', app.client_id, walkIn.client_id)
  await sweepOAuth(at(29 * DAY_MS))
  expect(await left()).toHaveLength(2)
  await sweepOAuth(at(31 * DAY_MS))
  expect(await left()).toEqual([{ id: app.client_id }])
})
