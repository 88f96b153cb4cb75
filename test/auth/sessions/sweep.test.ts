import { expect, test } from 'vitest'
import { sessionSweep } from '../../../src/auth/index.ts'
import { travel } from '../../support/clock.ts'
import { until } from '../../support/until.ts'
import { db, newSession, newTenant, system } from '../../support/world.ts'

test('the sweep erases sessions 90 days after they expired', async () => {
  const tenant = await newTenant()
  await newSession(tenant)
  const left = () => db.all('select id from sessions where user_id = :user', { user: tenant.userId })
  travel(90 * 86_400_000)
  await sessionSweep.run(system)
  expect(await left()).toHaveLength(1)
  travel(86_400_000 + 1_000)
  // One run erases a bounded number, and sessions of other tests are as old by now.
  await until(async () => {
    await sessionSweep.run(system)
    expect(await left()).toHaveLength(0)
  })
})
