/** @module-tag long */
import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { call, newSession, newTenant } from '../../support/world.ts'

test('GET /v1/sessions lists the caller’s live sessions, marks the current one, and shows no token', async () => {
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
  await until(
    async () => {
      const again = await call('GET', '/v1/sessions', { headers: two })
      expect(again.body.data[0].last_used_at).toMatch(/:00\.000Z$/)
    },
    { everyMs: 200 },
  )
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
