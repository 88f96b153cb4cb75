/** @module-tag long */
import { argon2id } from 'argon2-wasm-edge'
import { expect, test } from 'vitest'
import { hashPassword } from '../../../src/auth/index.ts'
import { login } from '../../../src/auth/login.ts'
import { toBase64Url, utf8 } from '../../../src/core/values/encoding.ts'
import { hmacSha256, importHmacKey } from '../../../src/core/values/hash.ts'
import { requestContext } from '../../support/oauth.ts'
import { PASSWORD } from '../../support/password.ts'
import { racing } from '../../support/race.ts'
import { until } from '../../support/until.ts'
import { db, form, newTenant, system } from '../../support/world.ts'

const password = PASSWORD

const hashOf = async (userId: string) =>
  (await db.first<{ password_hash: string }>('select password_hash from users where id = :user', { user: userId }))
    ?.password_hash ?? null

test('a login hashes a password anew that was hashed with older parameters', async () => {
  const tenant = await newTenant()
  await db.write('update users set password_hash = :password_hash where id = :user', {
    password_hash: await olderHash(),
    user: tenant.userId,
  })
  expect((await form('/auth/login', { username: tenant.email, password })).status).toBe(200)
  await until(async () => expect(await hashOf(tenant.userId)).toContain('m=19456,t=2,p=1'))
  expect((await form('/auth/login', { username: tenant.email, password })).status).toBe(200)
})

test('a login succeeds although another one hashes the same password anew; it fails after a change of the password', async () => {
  const tenant = await newTenant()
  const enter = async (stored: string, chosen: string) => {
    await db.write('update users set password_hash = :stored where id = :user', { stored, user: tenant.userId })
    const raced = racing(async () =>
      db.write('update users set password_hash = :password_hash where id = :user', {
        password_hash: await hashPassword(system, chosen),
        user: tenant.userId,
      }),
    )
    return login(requestContext({ database: () => raced }), { email: tenant.email, password })
  }
  expect(await enter(await olderHash(), password)).toMatchObject({ userId: tenant.userId })
  await expect(enter(await olderHash(), 'staple or something')).rejects.toMatchObject({ code: 'unauthenticated' })
})

/** The tests' password with the current pepper and a quarter of the current memory. */
async function olderHash(): Promise<string> {
  const [pepper] = system.peppers
  const peppered = toBase64Url(await hmacSha256(await importHmacKey(pepper.bytes), utf8(password)))
  const salt = new Uint8Array(16).fill(7)
  const cost = { memorySize: 8_192, iterations: 1, parallelism: 1, hashLength: 32 }
  const encoded = await argon2id({ ...cost, password: peppered, salt, outputType: 'encoded' })
  return encoded.replace('p=1$', `p=1,keyid=${pepper.id}$`)
}
