import { expect, test } from 'vitest'
import { denialSweep } from '../../../src/auth/credentials/send-denials.ts'
import { ask, authorizeQuery, newApp, newPerson, newTokens, refreshWith, statusWith } from '../../support/oauth.ts'
import { call, system } from '../../support/world.ts'

test("deleting an application ends its refresh tokens at once, and every user's access tokens with the sweep at the latest", async () => {
  const owner = await newPerson()
  const people = [await newPerson(), await newPerson(), owner]
  const app = await newApp(owner)
  const tokens = []
  for (const person of people) tokens.push(await newTokens(person, app))
  for (const { access_token } of tokens) expect(await statusWith(access_token)).toBe(403)
  expect((await call('DELETE', `/v1/apps/${app.client_id}`, { headers: owner.session })).status).toBe(204)
  expect((await refreshWith(app, tokens[0]?.refresh_token ?? '')).body.error).toBe('invalid_client')
  expect((await ask(owner, authorizeQuery(app))).status).toBe(400)
  await denialSweep.run(system)
  for (const { access_token } of tokens) expect(await statusWith(access_token)).toBe(401)
})
