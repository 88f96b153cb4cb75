import { expect, test } from 'vitest'
import { endCredentials } from '../../src/auth/end-credentials.ts'
import { travel } from '../support/clock.ts'
import { newApp, newCode, newPerson, redeem, refreshWith, statusWith } from '../support/oauth.ts'
import { addKey, call, db, newSession, system } from '../support/world.ts'

test('security 46: what is issued and used between the denial and the commit ends with the commit', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const { body: tokens } = await redeem(app, await newCode(person, app, { scope: 'read:projects' }))
  const { statements, seal } = await endCredentials(system, db, person)
  travel(10)
  const { body: late } = await refreshWith(app, tokens.refresh_token)
  const [session, key] = [await newSession(person), await addKey(person)]
  const statuses = async () => [
    await statusWith(late.access_token),
    (await call('GET', '/v1/projects', { headers: session })).status,
    (await call('GET', '/v1/projects', { key: key.secret })).status,
  ]
  expect(await statuses()).toEqual([200, 200, 200])
  await seal(await db.batch<{ id: string }[]>(statements))
  expect(await statuses()).toEqual([401, 401, 401])
})
