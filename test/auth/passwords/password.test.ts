/** @module-tag long */
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '../../../src/auth/passwords/password.ts'
import type { KeyRing } from '../../../src/core/values/key-ring.ts'
import { systemRandom } from '../../../src/core/values/ids.ts'

const pepper = (id: string, byte: number) => ({ id, bytes: new Uint8Array(32).fill(byte) })
const old = pepper('p1', 1)
const young = pepper('p2', 2)
const system = (...ring: KeyRing) => ({ peppers: ring, random: systemRandom })

test('a hash is a PHC string with OWASP’s parameters and the id of its pepper, and verifies', async () => {
  const hash = await hashPassword(system(old), 'correct horse battery')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1,keyid=p1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await verifyPassword(system(old), 'correct horse battery', hash)).toEqual({ matches: true, outdated: false })
  expect((await verifyPassword(system(old), 'correct horse batterz', hash)).matches).toBe(false)
})

test('a hash with a rotated pepper verifies and is outdated; without its pepper in the ring, it does not verify', async () => {
  const hash = await hashPassword(system(old), 'correct horse battery')
  expect(await verifyPassword(system(young, old), 'correct horse battery', hash)).toEqual({
    matches: true,
    outdated: true,
  })
  expect((await verifyPassword(system(young), 'correct horse battery', hash)).matches).toBe(false)
})

test('security 45: passwords differ in every character, also beyond ASCII, and not in their Unicode form', async () => {
  const hash = await hashPassword(system(old), 'пароль-номер-11')
  expect((await verifyPassword(system(old), 'пароль-номер-22', hash)).matches).toBe(false)
  const composed = await hashPassword(system(old), 'caf\u00e9 caf\u00e9 caf\u00e9')
  expect((await verifyPassword(system(old), 'cafe\u0301 cafe\u0301 cafe\u0301', composed)).matches).toBe(true)
})
