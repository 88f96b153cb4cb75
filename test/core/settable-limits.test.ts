import { expect, test } from 'vitest'
import { LIMITS } from '../../src/core/limits.ts'
import { maxPermits, parseLimits, SETTABLE } from '../../src/core/settable-limits.ts'

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

test('a variable sets limits by name', () => {
  expect(parseLimits('LIMITS', ' memory.search=50, api-key=1000\nread=1 ')).toEqual({
    limits: { 'memory.search': 50, 'api-key': 1_000, read: 1 },
    faults: [],
  })
  expect(parseLimits('LIMITS', '')).toEqual({ limits: {}, faults: [] })
})

test.each([
  ['memory.serch=5', 'LIMITS names "memory.serch", which is not a limit: did you mean memory.search?'],
  ['login=5', `LIMITS names "login", which is not a limit that can be set (${SETTABLE.join(', ')})`],
  ['read', 'LIMITS must set read to a whole number from 1 to 1000'],
  ['read=0', 'LIMITS must set read to a whole number from 1 to 1000'],
  ['read=1e2', 'LIMITS must set read to a whole number from 1 to 1000'],
  ['read=1001', 'LIMITS must set read to a whole number from 1 to 1000'],
  ['read=5=6', 'LIMITS must set read to a whole number from 1 to 1000'],
  ['events.publish=60001', 'LIMITS must set events.publish to a whole number from 1 to 60000'],
  ['read=5,read=6', 'LIMITS names read twice'],
])('the variable %j is a fault, and sets nothing', (text, fault) => {
  const { limits, faults } = parseLimits('LIMITS', `write=9,${text}`)
  expect(limits).toEqual({})
  expect(faults).toEqual([fault])
})
