/** @module-tag long */
import { expect, test } from 'vitest'
import { reauthenticate } from '../../../src/auth/passwords/reauthenticate.ts'
import { requestContext } from '../../support/oauth.ts'
import { givePassword, PASSWORD } from '../../support/password.ts'
import { callerOf } from '../../support/race.ts'
import { db, newSession, newTenant } from '../../support/world.ts'

async function arrange({ password = true } = {}) {
  const tenant = await newTenant()
  if (password) await givePassword(tenant)
  return { tenant, ctx: requestContext({}, await callerOf(await newSession(tenant))) }
}

test('the right password answers its stored hash', async () => {
  const { tenant, ctx } = await arrange()
  const row = await db.first<{ password_hash: string }>('select password_hash from users where id = :user', {
    user: tenant.userId,
  })
  expect(await reauthenticate(ctx, PASSWORD, 'password')).toBe(row?.password_hash)
})

test('a wrong password is 422 at its field, and so is any password for an account without one', async () => {
  for (const password of [true, false]) {
    const { ctx } = await arrange({ password })
    await expect(reauthenticate(ctx, password ? 'wrong wrong' : PASSWORD, 'current_password')).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'current_password', code: 'wrong_password' }],
    })
  }
})

test('guesses are slowed down, and right passwords are not', async () => {
  const { ctx } = await arrange()
  for (let n = 0; n < 12; n++) await reauthenticate(ctx, PASSWORD, 'password')
  const codes: string[] = []
  for (let n = 0; n < 12; n++) {
    await reauthenticate(ctx, 'wrong wrong', 'password').catch(({ code }: { code: string }) => codes.push(code))
  }
  expect([codes[0], codes.at(-1)]).toEqual(['validation_failed', 'rate_limited'])
})
