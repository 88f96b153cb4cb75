import { beforeEach, describe, expect, test } from 'vitest'
import { directorySweeps } from '../../src/auth/index.ts'
import { findCode } from '../../src/auth/oauth/token/redeem-code.ts'
import { resetPassword } from '../../src/identity/members/reset-password.ts'
import { register } from '../../src/identity/users/register.ts'
import { MINUTE, travel } from '../support/clock.ts'
import { interrupted } from '../support/interrupted.ts'
import { decide, authorizeQuery, newApp, newPerson, requestContext, type Person } from '../support/oauth.ts'
import { counting, withDatabases } from '../support/shards.ts'
import { addMember, call, form, system } from '../support/world.ts'

const PASSWORD = 'correct horse battery'
const killed = new Error('killed')
const kill = () => Promise.reject(killed)
/** Killed at the second batch and from then on. */
const killLater = (batch: number) => (batch === 0 ? Promise.resolve() : kill())

describe('an invitation to a tenant of shard 01, whose sign-up is killed', () => {
  let owner: Person
  let email: string
  let token: string
  beforeEach(async () => {
    owner ??= await newPerson({ shard: '01' })
    email = `invited-${crypto.randomUUID()}@example.com`
    const { body } = await call('POST', `/v1/workspaces/${owner.workspaceId}/members`, {
      headers: owner.session,
      body: { email, role: 'editor' },
    })
    token = new URL(body.invitation_url).searchParams.get('invitation') ?? ''
  })

  const accept = (databases: Parameters<typeof withDatabases>[0] = {}) =>
    register(
      {
        ...withDatabases(databases),
        requestId: system.newId('req'),
        client: { ip: '192.0.2.1', userAgent: '', origin: '' },
      },
      { email, password: PASSWORD, name: 'Grace', invitation: token },
    )
  const accounts = () => system.database('01').all('select 1 from users where email = :email', { email })
  const isReserved = async () =>
    (await system
      .database('00')
      .first('select 1 from directory where email = :email and expires_at is not null', { email })) !== null
  const login = async () => (await form('/auth/login', { username: email, password: PASSWORD })).status

  test('before the commit: it stays open, and makes the account after a minute', async () => {
    await expect(accept({ '01': interrupted(kill, '01') })).rejects.toBe(killed)
    expect([await accounts(), await isReserved(), await login()]).toEqual([[], true, 401])
    await expect(accept()).rejects.toMatchObject({ code: 'conflict' })
    travel(MINUTE)
    expect((await accept()).user.email).toBe(email)
    expect([await accounts(), await login()]).toEqual([[expect.anything()], 200])
  })

  test('between the commit and the confirmation: it is used up, the login works, and the sweep confirms', async () => {
    expect((await accept({ '00': interrupted(killLater, '00') })).user.email).toBe(email)
    expect([await isReserved(), await login()]).toEqual([true, 200])
    await expect(accept()).rejects.toMatchObject({ code: 'validation_failed' })
    travel(MINUTE)
    for (const one of directorySweeps) await one.run(system)
    expect([await accounts(), await isReserved(), await login()]).toEqual([[expect.anything()], false, 200])
  })

  test('a commit that comes after its reservation was given up: it stays open', async () => {
    const late = interrupted(async () => {
      travel(MINUTE)
      for (const one of directorySweeps) await one.run(system)
    }, '01')
    await expect(accept({ '01': late })).rejects.toMatchObject({ code: 'dependency_unavailable' })
    expect([await accounts(), await login()]).toEqual([[], 401])
    expect((await accept()).user.email).toBe(email)
  })
})

test('a reset link leads to its shard, and nobody else is asked', async () => {
  const owner = await newPerson({ shard: '01' })
  const member = await addMember(owner, 'editor')
  const { body } = await call('POST', `/v1/workspaces/${owner.workspaceId}/members/${member.userId}/reset-link`, {
    headers: owner.session,
  })
  const token = new URL(body.reset_url).searchParams.get('token') ?? ''
  const watched = counting()
  await resetPassword(requestContext(watched.system), { token, password: PASSWORD })
  expect(Object.keys(watched.asked)).toEqual(['01'])
})

test('an authorization code leads to the shard of its user, wherever its application is', async () => {
  const [owner, user] = [await newPerson({ shard: '02' }), await newPerson({ shard: '01' })]
  const app = await newApp(owner)
  const code = (await decide(user, authorizeQuery(app))).searchParams.get('code') ?? ''
  const watched = counting()
  expect(await findCode(requestContext(watched.system), code)).toMatchObject({ clientId: app.client_id })
  expect(watched.asked).toEqual({ '01': 1 })
})
