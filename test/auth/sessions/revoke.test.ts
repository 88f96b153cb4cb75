/** @module-tag shards */
import { expect, test } from 'vitest'
import { call, newSession, newTenant } from '../../support/world.ts'

const status = async (headers: Record<string, string>) => (await call('GET', '/v1/projects', { headers })).status

test('security 46: one ended session, and all others that end, are refused from the next request on', async () => {
  const tenant = await newTenant()
  const [mine, one, two] = [await newSession(tenant), await newSession(tenant), await newSession(tenant)]
  for (const headers of [mine, one, two]) expect(await status(headers)).toBe(200)
  const { body } = await call('GET', '/v1/sessions', { headers: one })
  const id = body.data.find((session: { current: boolean }) => session.current).id
  expect((await call('DELETE', `/v1/sessions/${id}`, { headers: mine })).status).toBe(204)
  expect(await status(one)).toBe(401)
  expect((await call('DELETE', `/v1/sessions/${id}`, { headers: mine })).status).toBe(404)
  expect((await call('GET', `/v1/sessions/${id}`, { headers: mine })).status).toBe(404)
  expect((await call('DELETE', '/v1/sessions', { headers: mine })).status).toBe(204)
  expect([await status(two), await status(mine)]).toEqual([401, 200])
  expect((await call('GET', '/v1/sessions', { headers: mine })).body.data).toHaveLength(1)
})

test('security 26: a session of another user is a 404 and stays', async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const foreign = await newSession(theirs)
  const { body } = await call('GET', '/v1/sessions', { headers: foreign })
  const answer = await call('DELETE', `/v1/sessions/${body.data[0].id}`, { headers: await newSession(mine) })
  expect(answer.status).toBe(404)
  expect(await status(foreign)).toBe(200)
})
