import { expect, test } from 'vitest'
import { directorySweeps } from '../../src/auth/index.ts'
import { deleteMe } from '../../src/identity/users/delete-me.ts'
import { interrupted } from '../support/interrupted.ts'
import { requestContext } from '../support/oauth.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { callerOf } from '../support/race.ts'
import { withDatabases } from '../support/shards.ts'
import { call, db, form, home, newSession, newTenant, system } from '../support/world.ts'

const directory = system.database('00')
const entryOf = (email: string) => directory.first('select 1 from directory where email = :email', { email })
const kill = () => Promise.reject(new Error('killed'))

async function person() {
  const tenant = await newTenant()
  await givePassword(tenant)
  const headers = await newSession(tenant)
  const signUp = async () =>
    (await form('/auth/register-user', { email: tenant.email, password: PASSWORD, name: 'Ada' })).status
  const login = async () => (await form('/auth/login', { username: tenant.email, password: PASSWORD })).status
  return { tenant, headers, signUp, login }
}

test('an erased account leaves the directory, and its address is free', async () => {
  const { tenant, headers, signUp, login } = await person()
  expect(home).not.toBe('00')
  const { status } = await call('DELETE', '/api/users/me', { headers, body: { password: PASSWORD } })
  expect(status).toBe(204)
  expect([await entryOf(tenant.email), await login()]).toEqual([null, 401])
  expect(await db.all('select * from directory_releases')).toEqual([])
  expect([await signUp(), await login()]).toEqual([201, 200])
})

test('killed before the commit: the account and its address stay', async () => {
  const { tenant, headers, signUp, login } = await person()
  const ctx = requestContext({ db: interrupted(kill) }, await callerOf(headers))
  await expect(deleteMe(ctx, { password: PASSWORD })).rejects.toThrow('killed')
  expect([await entryOf(tenant.email), await login(), await signUp()]).toEqual([expect.any(Object), 200, 409])
})

test.each([
  ['before the directory knows', '00', 0],
  ['before the release is forgotten', home, 1],
] as const)('killed after the commit, %s: the sweep frees the address', async (_, shard, nth) => {
  const { tenant, headers, signUp, login } = await person()
  const broken = interrupted((batch) => (batch >= nth ? kill() : Promise.resolve()), shard)
  const changed = withDatabases({ [shard]: broken }, { log: { info: () => {}, error: () => {} } })
  const ctx = requestContext({ ...changed, db: changed.database(home) }, await callerOf(headers))
  await deleteMe(ctx, { password: PASSWORD })
  expect(await db.all('select id from directory_releases')).toEqual([{ id: tenant.userId }])
  expect(await login()).toBe(401)
  for (const sweep of directorySweeps) await sweep.run(system)
  expect([await entryOf(tenant.email), await db.all('select id from directory_releases')]).toEqual([null, []])
  expect(await signUp()).toBe(201)
})

test('a shard that is down holds up no address: nobody else has anything of a user, and applications wait for it', async () => {
  const [first, second] = [await person(), await person()]
  const { body: app } = await call('POST', '/v1/apps', {
    headers: first.headers,
    body: { name: 'Notes', redirect_uris: ['https://client.example/callback'], scopes: ['read:memory'] },
  })
  const asked: string[] = []
  const database: typeof system.database = (shard) => {
    asked.push(shard)
    return shard === '01' ? interrupted(kill, '01') : system.database(shard)
  }
  const erase = async (headers: Awaited<ReturnType<typeof newSession>>) => {
    const log = { info: () => {}, error: () => {} }
    await deleteMe(requestContext({ ...system, database, db, log }, await callerOf(headers)), { password: PASSWORD })
  }
  await erase(first.headers)
  expect(await entryOf(first.tenant.email)).toBeNull()
  expect(await db.all('select id from directory_releases')).toEqual([{ id: app.client_id }])
  for (const sweep of directorySweeps) await sweep.run(system)
  expect(await db.all('select id from directory_releases')).toEqual([])
  asked.length = 0
  await erase(second.headers)
  expect([new Set(asked), await entryOf(second.tenant.email)]).toEqual([new Set(['00']), null])
})
