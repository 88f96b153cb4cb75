import { expect, test } from 'vitest'
import { findAccount } from '../../src/auth/directory/accounts.ts'
import { ringOf } from '../support/key-ring.ts'
import { callWith, counting, DOWN, SHARDS } from '../support/shards.ts'
import { newTenant, system } from '../support/world.ts'

const addresses = Array.from({ length: 40 }, () => `nobody-${crypto.randomUUID()}@example.com`)

/** The shard where an address without an account is looked for, after the directory. */
async function decoyOf(email: string, on = system): Promise<string> {
  const { system: watched, asked } = counting(on)
  expect(await findAccount(watched, email)).toBeNull()
  expect(Object.values(asked).reduce((sum, one) => sum + one)).toBe(2)
  return Object.keys(asked).find((shard) => shard !== '00') ?? '00'
}

test('security 44: addresses without an account are looked for in every shard, each one always in the same', async () => {
  const decoys = await Promise.all(addresses.map((email) => decoyOf(email)))
  expect(new Set(decoys)).toEqual(new Set(SHARDS))
  expect(await Promise.all(addresses.map((email) => decoyOf(email)))).toEqual(decoys)
  // Who lacks the key does not know which one.
  const dataKeys = ringOf(`k9:${'x'.repeat(43)}`)
  expect(await Promise.all(addresses.map((email) => decoyOf(email, { ...system, dataKeys })))).not.toEqual(decoys)
})

test('security 44: a shard that is down does not tell who has an account in it', async () => {
  const tenant = await newTenant({ shard: '01' })
  let address = 0
  const login = async (username: string) => {
    const { status, headers, body } = await callWith({ DB_01: DOWN }, '/auth/login', {
      method: 'POST',
      headers: {
        'CF-Connecting-IP': `2001:db8:dead:${(address += 1)}::1`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ username, password: 'correct horse battery' }).toString(),
    })
    return { status, retry: headers.get('retry-after'), body: { ...body, request_id: '' } }
  }
  const of = async (shard: string): Promise<string> => {
    for (const email of addresses) if ((await decoyOf(email)) === shard) return email
    throw new Error(`no address is looked for in ${shard}`)
  }
  const known = await login(tenant.email)
  expect(known.status).toBe(503)
  expect(await login(await of('01'))).toEqual(known)
  expect((await login(await of('02'))).status).toBe(401)
})
