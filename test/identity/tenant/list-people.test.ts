import { expect, test } from 'vitest'
import { addMember, call, db, newSession, newTenant } from '../../support/world.ts'

const PATH = '/v1/tenant/people'

test('the owner of the tenant sees its people, newest first, whatever workspaces they are in; no keys, nobody who left', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const [member, apart, gone] = [
    await addMember(tenant, 'viewer'),
    await addMember(tenant, null),
    await addMember(tenant, null),
  ]
  await db.write('update users set created_at = created_at + 1000 where id = :user', { user: apart.userId })
  await db.write('update users set deleted_at = 1 where id = :user', { user: gone.userId })
  await call('POST', '/v1/api-keys', { headers, body: { name: 'CI', scopes: ['read:projects'], owner: 'workspace' } })
  await newTenant()
  const first = await call('GET', `${PATH}?limit=2`, { headers })
  expect(first).toMatchObject({ status: 200, body: { has_more: true } })
  expect(first.body.data[0]).toEqual({
    user_id: apart.userId,
    email: apart.email,
    name: 'Member',
    avatar_url: '',
    created_at: expect.stringMatching(/Z$/),
  })
  const rest = await call('GET', `${PATH}?limit=2&cursor=${first.body.next_cursor}`, { headers })
  expect(rest.body).toMatchObject({ has_more: false, next_cursor: null })
  const ids = [...first.body.data, ...rest.body.data].map((one: { user_id: string }) => one.user_id)
  expect(new Set(ids)).toEqual(new Set([tenant.userId, member.userId, apart.userId]))
})

test('security 52: nobody else sees the people of the tenant, whatever their role', async () => {
  const tenant = await newTenant()
  for (const role of ['owner', 'admin', null] as const) {
    const answer = await call('GET', PATH, { headers: await newSession(await addMember(tenant, role)) })
    expect({ role, status: answer.status, code: answer.body.code }).toEqual({ role, status: 403, code: 'forbidden' })
  }
  expect((await call('GET', PATH, { key: tenant.key })).body.code).toBe('session_required')
})
