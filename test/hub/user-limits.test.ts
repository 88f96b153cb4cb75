import { expect, onTestFinished, test, vi } from 'vitest'
import { UserLimits } from '../../src/hub/user-limits.ts'
import type { AccountLimits } from '../../src/limits/index.ts'

const DEPLOYMENT = { variables: { users: {}, service_accounts: {} }, factor: 1 }

const readAt = (permits: number): AccountLimits => ({
  account: { userId: 'usr_1', tenantId: 'ten_1', kind: 'person' },
  settings: [{ subject: 'usr_1', account_class: 'users', name: 'read', permits }],
})

test('limits are read again after 30 s beside the work, and before the work once they are 60 s old', async () => {
  const read = vi.fn(async () => readAt(40))
  const limits = new UserLimits(read, DEPLOYMENT)
  limits.learn(readAt(30), 0)
  expect([limits.of('read').limit, limits.refresh(29_999)]).toEqual([30, null])
  const [first, second] = [limits.refresh(30_000), limits.refresh(59_999)]
  expect([first?.wait, second?.wait, read.mock.calls.length]).toEqual([false, false, 1])
  await first?.work
  expect([limits.of('read').limit, limits.refresh(59_999)]).toEqual([40, null])
  expect(limits.refresh(90_000)?.wait).toBe(true)
})

test('of two reads the one counts that began later, whichever ends first', () => {
  const limits = new UserLimits(async () => null, DEPLOYMENT)
  limits.learn(readAt(50), 200)
  limits.learn(readAt(40), 100)
  expect(limits.of('read').limit).toBe(50)
})

test('a database that is down changes no limit, and is asked again five seconds later', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => logged.mockRestore())
  const read = vi.fn<() => Promise<AccountLimits>>().mockRejectedValueOnce(new Error('down'))
  const limits = new UserLimits(read, DEPLOYMENT)
  limits.learn(readAt(30), 0)
  await limits.refresh(60_000)?.work
  expect([limits.of('read').limit, limits.refresh(64_999), read.mock.calls.length]).toEqual([30, null, 1])
  read.mockResolvedValueOnce(readAt(45))
  await limits.refresh(65_000)?.work
  expect(limits.of('read').limit).toBe(45)
  expect(logged.mock.calls.join()).toContain('limits.unread')
})

test('a hub that knows nothing yet applies the variables and the table, and reads before it admits', async () => {
  const variables = { users: { write: 70 }, service_accounts: {} }
  const limits = new UserLimits(async () => null, { variables, factor: 1 })
  expect([limits.of('read').limit, limits.of('write').limit]).toEqual([20, 70])
  const refresh = limits.refresh(5)
  expect(refresh?.wait).toBe(true)
  await refresh?.work
  expect(limits.refresh(6)).toBeNull()
})
