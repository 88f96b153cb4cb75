import { expect, test } from 'vitest'
import { commitThenDeny } from '../../../src/auth/credentials/deny-and-commit.ts'
import { endGrant, endGrantsOf } from '../../../src/auth/grants/end-grant.ts'
import { findStoredToken } from '../../../src/auth/oauth/token/stored-token.ts'
import { sql } from '../../../src/core/database/sql.ts'
import {
  expectAudited,
  newApp,
  newPerson,
  newTokens,
  refreshWith,
  statusWith,
  requestContext,
} from '../../support/oauth.ts'
import { callerOf } from '../../support/race.ts'
import { db } from '../../support/world.ts'

test('a grant ends with all of its tokens at the next request, and no other does', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const [ended, kept] = [await newTokens(person, app), await newTokens(person, app)]
  expect([await statusWith(ended.access_token), await statusWith(kept.access_token)]).toEqual([403, 403])
  const ctx = requestContext({}, await callerOf(person.session))
  const grantId = (await findStoredToken(ctx, ended.access_token))?.grantId ?? ''
  await endGrant(ctx, grantId, 'grants.revoke')
  expect([await statusWith(ended.access_token), await statusWith(kept.access_token)]).toEqual([401, 403])
  expect((await refreshWith(app, ended.refresh_token)).body.error).toBe('invalid_grant')
  expect((await refreshWith(app, kept.refresh_token)).status).toBe(200)
  await expectAudited(person.tenantId, ['grants.revoke'])
})

test('all grants of an application end for all of its users', async () => {
  const [one, other] = [await newPerson(), await newPerson()]
  const [app, kept] = [await newApp(one), await newApp(one)]
  const tokens = [await newTokens(one, app), await newTokens(other, app), await newTokens(other, kept)]
  const statuses = () => Promise.all(tokens.map(({ access_token }) => statusWith(access_token)))
  expect(await statuses()).toEqual([403, 403, 403])
  const ctx = requestContext()
  await commitThenDeny(ctx, db, endGrantsOf(ctx, db, sql('select :client', { client: app.client_id })))
  expect(await statuses()).toEqual([401, 401, 403])
})
