import { expect, test } from 'vitest'
import { LIMITS } from '../../src/core/limits.ts'
import { maxPermits, SETTABLE } from '../../src/core/settable-limits.ts'

test('contract §6: each limit of a user, a key and a subscription can be set, and none of an address or an application', () => {
  const per = new Set(SETTABLE.map((name) => LIMITS[name].per))
  expect(per).toEqual(new Set(['user', 'key', 'subscription']))
  const left = Object.keys(LIMITS).filter((name) => !SETTABLE.some((one) => one === name))
  const ofUsers = left.filter((name) => ['user', 'key', 'subscription'].includes(LIMITS[name as 'read'].per))
  expect(ofUsers).toEqual(['events.refused.audit'])
})

test('contract §6: a limit goes up to 1,000 a second, and to 60,000 in its window', () => {
  expect([maxPermits('read'), maxPermits('events.publish'), maxPermits('events.subscribe')]).toEqual([
    1_000, 60_000, 60_000,
  ])
})
