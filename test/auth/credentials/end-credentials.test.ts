import { expect, test } from 'vitest'
import { endCredentials } from '../../../src/auth/credentials/end-credentials.ts'
import { commitThenDeny } from '../../../src/auth/credentials/deny-and-commit.ts'
import { sql } from '../../../src/core/database/sql.ts'
import { newApp, newCode, newPerson, redeem, statusWith, requestContext } from '../../support/oauth.ts'
import { addKey, call, db, newSession } from '../../support/world.ts'

/** A person with one credential of each kind, all cached at the hub, besides the session of the test. */
async function arrange() {
  const person = await newPerson()
  const app = await newApp(person)
  const { body: tokens } = await redeem(app, await newCode(person, app, { scope: 'read:projects' }))
  const [session, key] = [await newSession(person), await addKey(person)]
  const statuses = async () => [
    await statusWith(tokens.access_token),
    (await call('GET', '/v1/projects', { headers: session })).status,
    (await call('GET', '/v1/projects', { headers: person.session })).status,
    (await call('GET', '/v1/projects', { key: key.secret })).status,
  ]
  expect(await statuses()).toEqual([200, 200, 200, 200])
  return { person, statuses }
}

test('security 46: after the commit and the denials, credentials of every kind are refused', async () => {
  const { person, statuses } = await arrange()
  const ctx = requestContext()
  await commitThenDeny(ctx, db, endCredentials(ctx, db, person))
  expect(await statuses()).toEqual([401, 401, 401, 401])
})

test('one session and the keys can be kept', async () => {
  const { person, statuses } = await arrange()
  const ctx = requestContext()
  const { body } = await call('GET', '/v1/sessions', { headers: person.session })
  const mine = body.data.find((one: { current: boolean }) => one.current).id
  await commitThenDeny(ctx, db, endCredentials(ctx, db, { ...person, exceptSession: mine, keepKeys: true }))
  expect(await statuses()).toEqual([401, 401, 200, 200])
})

test('a condition that does not hold ends nothing', async () => {
  const { person, statuses } = await arrange()
  const ctx = requestContext()
  const never = sql('exists (select 1 from users where id = :id)', { id: 'usr_nobody' })
  await commitThenDeny(ctx, db, endCredentials(ctx, db, person, never))
  expect(await statuses()).toEqual([200, 200, 200, 200])
})
