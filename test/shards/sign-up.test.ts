import { expect, test } from 'vitest'
import { directorySweeps } from '../../src/auth/index.ts'
import type { RequestContext, System } from '../../src/core/context.ts'
import { register } from '../../src/identity/users/register.ts'
import { MINUTE, travel } from '../support/clock.ts'
import { interrupted } from '../support/interrupted.ts'
import { openIn, SHARDS, withDatabases } from '../support/shards.ts'
import { until } from '../support/until.ts'
import { form, system } from '../support/world.ts'

const PASSWORD = 'correct horse battery'
const directory = system.database('00')

const newAddress = () => `sign-up-${crypto.randomUUID()}@example.com`

const contextIn = (shard: string, databases: Parameters<typeof withDatabases>[0] = {}): RequestContext => ({
  ...withDatabases(databases, openIn(shard)),
  requestId: system.newId('req'),
  client: { ip: '192.0.2.1', userAgent: 'test', origin: 'http://recollect.test' },
})

const signUp = (email: string, shard: string, databases: Parameters<typeof withDatabases>[0] = {}) =>
  register(contextIn(shard, databases), { email, password: PASSWORD, name: 'Ada' })

const entryOf = (email: string) =>
  directory.first<{ routing_id: string; expires_at: number | null }>(
    'select routing_id, expires_at from directory where email = :email',
    { email },
  )

const accountsOf = async (email: string): Promise<string[]> => {
  const found = await Promise.all(
    SHARDS.map((shard) =>
      system
        .database(shard)
        .all<{ routing_id: string }>('select routing_id from users where email = :email', { email }),
    ),
  )
  return found.flat().map((row) => row.routing_id.slice(0, 2))
}

const login = async (email: string) => (await form('/auth/login', { username: email, password: PASSWORD })).status

const sweep = async (on: System = system): Promise<void> => {
  for (const one of directorySweeps) await one.run(on)
}

const killed = new Error('killed')
const kill = () => Promise.reject(killed)

test.each(SHARDS)('an account in shard %s is reached by its address, and its tenant by its id', async (shard) => {
  const email = newAddress()
  const { user } = await signUp(email, shard)
  await until(async () => expect(await entryOf(email)).toMatchObject({ expires_at: null }))
  expect(await accountsOf(email)).toEqual([shard])
  expect(await login(email)).toBe(200)
  const db = system.database(shard)
  const row = await db.first<{ tenant_id: string }>('select tenant_id from users where id = :id', { id: user.id })
  const home = await directory.first('select shard from tenant_directory where id = :id', { id: row?.tenant_id ?? '' })
  expect(home).toEqual({ shard })
  await expect(signUp(email, '01')).rejects.toMatchObject({ code: 'email_taken' })
})

test('killed before the reservation: the address is free', async () => {
  const email = newAddress()
  await expect(signUp(email, '01', { '00': interrupted(kill, '00') })).rejects.toBe(killed)
  expect(await entryOf(email)).toBeNull()
  expect((await signUp(email, '02')).user.email).toBe(email)
})

test('killed between reservation and commit: taken for a minute, then free, and no login in between', async () => {
  const email = newAddress()
  await expect(signUp(email, '01', { '01': interrupted(kill, '01') })).rejects.toBe(killed)
  expect(await entryOf(email)).toMatchObject({ expires_at: expect.any(Number) })
  expect(await login(email)).toBe(401)
  await expect(signUp(email, '02')).rejects.toMatchObject({ code: 'conflict' })
  travel(MINUTE)
  expect((await signUp(email, '02')).user.email).toBe(email)
  expect(await accountsOf(email)).toEqual(['02'])
  expect(await login(email)).toBe(200)
})

test('killed between reservation and commit: the sweep erases the reservation', async () => {
  const email = newAddress()
  await expect(signUp(email, '01', { '01': interrupted(kill, '01') })).rejects.toBe(killed)
  await sweep()
  expect(await entryOf(email)).not.toBeNull()
  travel(MINUTE)
  await sweep()
  expect(await entryOf(email)).toBeNull()
})

test('killed between commit and confirmation: the login works at once, and the sweep confirms', async () => {
  const email = newAddress()
  await signUp(email, '01', { '00': interrupted((batch) => (batch === 0 ? Promise.resolve() : kill()), '00') })
  expect(await entryOf(email)).toMatchObject({ expires_at: expect.any(Number) })
  expect(await login(email)).toBe(200)
  await expect(signUp(email, '02')).rejects.toMatchObject({ code: 'conflict' })
  travel(MINUTE)
  await sweep()
  expect(await entryOf(email)).toMatchObject({ expires_at: null })
  expect(await login(email)).toBe(200)
})

test('killed between commit and confirmation: who asks for the address after a minute confirms it', async () => {
  const email = newAddress()
  await signUp(email, '01', { '00': interrupted((batch) => (batch === 0 ? Promise.resolve() : kill()), '00') })
  travel(MINUTE)
  await expect(signUp(email, '02')).rejects.toMatchObject({ code: 'email_taken' })
  expect(await entryOf(email)).toMatchObject({ expires_at: null })
  expect(await accountsOf(email)).toEqual(['01'])
})

test('a commit that comes after its reservation was given up makes no account: the address is never twice', async () => {
  const email = newAddress()
  const late = interrupted(async () => {
    travel(MINUTE)
    await signUp(email, '02')
  }, '01')
  await expect(signUp(email, '01', { '01': late })).rejects.toMatchObject({ code: 'dependency_unavailable' })
  expect(await accountsOf(email)).toEqual(['02'])
  expect(await entryOf(email)).toMatchObject({ routing_id: expect.stringMatching(/^02/) })
  expect(await login(email)).toBe(200)
})

test('a commit that is refused as a whole frees its address at once', async () => {
  const email = newAddress()
  const refused = Object.assign(new Error('D1_ERROR: FOREIGN KEY constraint failed'), {})
  const failing = interrupted(() => Promise.reject(refused), '01')
  await expect(signUp(email, '01', { '01': failing })).rejects.toMatchObject({ code: 'forbidden' })
  await until(async () => expect(await entryOf(email)).toBeNull())
})

test('of two sign-ups at once in different shards one gets the address', async () => {
  for (const shards of [
    ['01', '02'],
    ['00', '02'],
  ] as const) {
    const email = newAddress()
    const settled = await Promise.allSettled(shards.map((shard) => signUp(email, shard)))
    const refused = settled.filter((one) => one.status === 'rejected')
    expect(refused.map((one): unknown => one.reason)).toEqual([
      expect.objectContaining({ code: expect.stringMatching(/^(email_taken|conflict)$/) }),
    ])
    expect(await accountsOf(email)).toHaveLength(1)
    expect(await login(email)).toBe(200)
  }
})

test('a reservation whose shard is down stays until it is back, and holds up no other', async () => {
  const [lost, other] = [newAddress(), newAddress()]
  await expect(signUp(lost, '01', { '01': interrupted(kill, '01') })).rejects.toBe(killed)
  await expect(signUp(other, '02', { '02': interrupted(kill, '02') })).rejects.toBe(killed)
  travel(MINUTE)
  const lines: string[] = []
  const log = { info: () => {}, error: ({ event }: { event: string }) => void lines.push(event) }
  const half = { ...withDatabases({ '01': interrupted(kill, '01') }), log }
  await directorySweeps[0]?.run(half)
  expect(lines).toEqual(['directory.not_settled'])
  expect([await entryOf(lost), await entryOf(other)]).toEqual([expect.any(Object), null])
  await expect(signUp(lost, '02', { '01': interrupted(kill, '01') })).rejects.toBe(killed)
  await sweep()
  expect(await entryOf(lost)).toBeNull()
})
