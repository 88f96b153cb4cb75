import { expect, test } from 'vitest'
import { clientOf, newApp, newPerson, secretOf } from '../../support/oauth.ts'
import { call, db, form } from '../../support/world.ts'

test('during the overlap of a rotation two secrets are valid, never three', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const rotate = async (body?: unknown): Promise<string> =>
    (await call('POST', `/v1/apps/${app.client_id}/rotate-secret`, { headers: person.session, body })).body
      .client_secret
  const opens = async (client_secret: string): Promise<boolean> =>
    (await form('/auth/introspect', { ...app, client_secret, token: 'x' })).status === 200
  const second = await rotate()
  expect([await opens(app.client_secret), await opens(second)]).toEqual([true, true])
  const third = await rotate({ overlap_seconds: 60 })
  expect([await opens(app.client_secret), await opens(second), await opens(third)]).toEqual([false, true, true])
  const last = await rotate({ overlap_seconds: 0 })
  expect([await opens(second), await opens(third), await opens(last)]).toEqual([false, false, true])
})

test('the old secret is valid at t - 1 of its overlap, and refused at t and t + 1', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  await call('POST', `/v1/apps/${app.client_id}/rotate-secret`, {
    headers: person.session,
    body: { overlap_seconds: 60 },
  })
  const [row] = await db.all<{ end: number }>(
    'select old_secret_expires_at as end from oauth_clients where id = :client',
    { client: app.client_id },
  )
  const alive = async (offset: number): Promise<number> =>
    (await clientOf(app, (row?.end ?? 0) + offset)).secretHashes.length
  expect([await alive(-1), await alive(0), await alive(1)]).toEqual([2, 1, 1])
})

test('a public application has no secret to rotate', async () => {
  const person = await newPerson()
  const app = await newApp(person, { type: 'public' })
  expect(secretOf(app)).toEqual({ client_id: app.client_id })
  const { status, body } = await call('POST', `/v1/apps/${app.client_id}/rotate-secret`, { headers: person.session })
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'conflict' })
})
