import { expect, test } from 'vitest'
import { travel } from '../../support/clock.ts'
import { newApp, newCode, newPerson, redeem, statusWith } from '../../support/oauth.ts'
import { form } from '../../support/world.ts'

test.each([
  [-1, 403, true],
  [0, 401, false],
  [1, 401, false],
])('an access token %i s past its hour, cached at the hub: %i, active %s', async (seconds, status, active) => {
  const person = await newPerson()
  const app = await newApp(person)
  travel(0)
  const { body } = await redeem(app, await newCode(person, app))
  expect(await statusWith(body.access_token)).toBe(403)
  travel(3_600_000 + seconds * 1_000)
  expect(await statusWith(body.access_token)).toBe(status)
  expect((await form('/auth/introspect', { ...app, token: body.access_token })).body.active).toBe(active)
})
