import { expect, test } from 'vitest'
import { travel } from '../../support/clock.ts'
import { call, newSession, newTenant } from '../../support/world.ts'

test.for([
  [-1, 200],
  [0, 401],
  [1, 401],
] as const)('a session %i s past its 24 hours: %i, also where a hub has cached it', async ([seconds, status]) => {
  const headers = await newSession(await newTenant())
  expect((await call('GET', '/v1/projects', { headers })).status).toBe(200)
  travel(86_400_000 + seconds * 1_000)
  expect((await call('GET', '/v1/projects', { headers })).status).toBe(status)
})
