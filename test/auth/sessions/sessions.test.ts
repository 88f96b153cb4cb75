import { expect, test, vi } from 'vitest'
import { call, db, newSession, newTenant, system } from '../../support/world.ts'
import { travel } from '../../support/clock.ts'
import { sessionSweep } from '../../../src/auth/index.ts'

const status = async (headers: Record<string, string>) => (await call('GET', '/v1/projects', { headers })).status

test('GET /v1/sessions lists the caller’s live sessions, the present one marked, without any token', async () => {
  const tenant = await newTenant()
  const [one, two] = [await newSession(tenant), await newSession(tenant)]
  const { body, text } = await call('GET', '/v1/sessions', { headers: two })
  expect(body.data).toHaveLength(2)
  expect(body.data[0]).toEqual({
    id: expect.stringMatching(/^ses_/),
    user_agent: 'test',
    current: true,
    created_at: expect.stringMatching(/Z$/),
    last_used_at: null,
    expires_at: expect.stringMatching(/Z$/),
  })
  expect(body.data[1].current).toBe(false)
  expect(text).not.toContain(one['X-Session-Token'])
  const single = await call('GET', `/v1/sessions/${body.data[0].id}`, { headers: two })
  expect(single.body).toMatchObject({ id: body.data[0].id, current: true })
  await vi.waitFor(
    async () => {
      const again = await call('GET', '/v1/sessions', { headers: two })
      expect(again.body.data[0].last_used_at).toMatch(/:00\.000Z$/)
    },
    { timeout: 10_000, interval: 200 },
  )
})

test('security 46: one session ended, and all others ended, are refused at their next request', async () => {
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

test('security 26: a session of somebody else is a 404 and lives on', async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const foreign = await newSession(theirs)
  const { body } = await call('GET', '/v1/sessions', { headers: foreign })
  const answer = await call('DELETE', `/v1/sessions/${body.data[0].id}`, { headers: await newSession(mine) })
  expect(answer.status).toBe(404)
  expect(await status(foreign)).toBe(200)
})

test('sessions are managed with a session alone: 403 session_required', async () => {
  const { key } = await newTenant()
  for (const [method, path] of [
    ['GET', '/v1/sessions'],
    ['DELETE', '/v1/sessions'],
    ['DELETE', '/v1/sessions/ses_x'],
    ['POST', '/auth/logout'],
  ] as const)
    expect((await call(method, path, { key })).body.code).toBe('session_required')
})

test('the sweep erases sessions that have been over for 90 days', async () => {
  const tenant = await newTenant()
  await newSession(tenant)
  const left = () => db.all('select id from sessions where user_id = ?', tenant.userId)
  travel(90 * 86_400_000)
  await sessionSweep.run(system)
  expect(await left()).toHaveLength(1)
  travel(86_400_000 + 1_000)
  // A run is bounded, and other tests' sessions are as old by now.
  await vi.waitFor(async () => {
    await sessionSweep.run(system)
    expect(await left()).toHaveLength(0)
  })
})
