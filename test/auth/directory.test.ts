import { expect, test } from 'vitest'
import { Email, findAccount, normalizeEmail } from '../../src/auth/directory/accounts.ts'
import { db, newTenant, system } from '../support/world.ts'

test.each([
  [' Ada@Example.COM ', 'ada@example.com'],
  ['e\u0301ve@example.com', '\u00e9ve@example.com'],
])('%j is stored and compared as %j', (email, normal) => {
  expect(normalizeEmail(email)).toBe(normal)
})

test.each([
  ['ada@example.com', true],
  [' Ada@Example.COM ', true],
  ['ada', false],
  ['ada@', false],
  ['ada@example.com, eve@example.com', false],
  [`${'a'.repeat(250)}@example.com`, false],
])('%j is an address: %s', (email, valid) => {
  expect(Email.safeParse(email).success).toBe(valid)
})

test('an e-mail address leads to its live user, in two reads with a user or without', async () => {
  const tenant = await newTenant()
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const metered = { ...system, database: () => db.metered(meter) }
  expect(await findAccount(metered, tenant.email)).toMatchObject({ id: tenant.userId, routing_id: tenant.routingId })
  expect(meter.roundTrips).toBe(2)
  expect(await findAccount(metered, 'nobody@example.com')).toBeNull()
  expect(meter.roundTrips).toBe(4)
  await db.write('update users set deleted_at = 1 where id = :user', { user: tenant.userId })
  expect(await findAccount(metered, tenant.email)).toBeNull()
})
