import { expect, test } from 'vitest'
import { Email, findAccount, normalizeEmail, routingIdOf } from '../../../src/auth/directory/accounts.ts'
import { Database } from '../../../src/core/database/database.ts'
import { counting, withDatabases } from '../../support/shards.ts'
import { bindingIn, db, newTenant, system } from '../../support/world.ts'

test('an address is compared in lower case, without blanks around it and in one Unicode form', () => {
  expect(normalizeEmail('  Ada@Example.COM ')).toBe('ada@example.com')
  expect(normalizeEmail('zoe\u0308@example.com')).toBe(normalizeEmail('zo\u00eb@example.com'))
  expect(Email.parse(' Ada@Example.com ')).toBe('ada@example.com')
})

test.each(['', 'ada', 'ada@', '@example.com', `${'a'.repeat(250)}@example.com`])('"%s" is no address', (email) => {
  expect(Email.safeParse(email).success).toBe(false)
})

test('an address leads to the account in its shard', async () => {
  const { email, userId, tenantId, routingId } = await newTenant()
  expect(await routingIdOf(system, email)).toBe(routingId)
  expect(await findAccount(system, email)).toEqual({
    id: userId,
    tenant_id: tenantId,
    routing_id: routingId,
    password_hash: null,
  })
})

test('an account that is deleted is none, although its address is still listed', async () => {
  const { email, userId } = await newTenant()
  await db.batch([db.statement('update users set deleted_at = 1 where id = :user', { user: userId })])
  expect(await findAccount(system, email)).toBeNull()
})

test('security 44: an unknown address costs the same two reads, always in the same shard', async () => {
  const { email } = await newTenant()
  const nobody = `nobody-${crypto.randomUUID()}@example.com`
  const shards: string[][] = []
  for (const one of [email, nobody, nobody]) {
    const { system: counted, asked } = counting()
    await findAccount(counted, one)
    expect(Object.values(asked).reduce((sum, reads) => sum + reads, 0)).toBe(2)
    shards.push(Object.keys(asked))
  }
  expect(shards[1]).toEqual(shards[2])
})

test('unknown addresses are spread over the shards, by the key of the deployment', async () => {
  const addresses = Array.from({ length: 40 }, (_, n) => `nobody-${n}@example.com`)
  const places = async (on = system) =>
    Promise.all(addresses.map(async (email) => (await routingIdOf(on, email)).slice(0, 2)))
  const chosen = await places()
  expect(new Set(chosen)).toEqual(new Set(system.shards))
  const otherKey = { ...system.dataKeys[0], bytes: new Uint8Array(32).fill(7) }
  expect(await places({ ...system, dataKeys: [otherKey] })).not.toEqual(chosen)
})

test('where the directory is down nobody is told that there is no account', async () => {
  const { email } = await newTenant()
  const directory = Object.assign(new Database(bindingIn('00'), '00'), {
    first: () => Promise.reject(new Error('down')),
  })
  await expect(findAccount(withDatabases({ '00': directory }), email)).rejects.toThrow('down')
})
