import { expect, test } from 'vitest'
import {
  refuseFaultyLimits,
  refuseLocalOnly,
  refuseMisbound,
  refuseUnknownRegion,
  refuseUnknownRegistration,
  refuseUnknownShards,
  refuseUnknownSignups,
} from '../../tools/refuse-variables.ts'

test('a variable for local use is refused (contract §7)', () => {
  for (const name of ['ALLOW_LOOPBACK_REDIRECTS', 'ALLOW_PRIVATE_WEBHOOKS', 'LIMITS_FACTOR']) {
    expect(() => refuseLocalOnly(['SIGNUPS', name])).toThrow(name)
  }
  expect(() => refuseLocalOnly(['SIGNUPS', 'ENVIRONMENT'])).not.toThrow()
})

test('DATA_REGION is a region that is known; no other name is taken', () => {
  for (const name of [undefined, '', 'weur', 'afr']) expect(() => refuseUnknownRegion(name)).not.toThrow()
  for (const name of ['europe', 'WEUR', 3]) expect(() => refuseUnknownRegion(name)).toThrow('DATA_REGION is')
})

test('CLIENT_REGISTRATION is open or closed; another word stops a deployment, which would not be ready', () => {
  for (const word of [undefined, '', 'open', 'closed']) expect(() => refuseUnknownRegistration(word)).not.toThrow()
  for (const word of ['no', 'Closed', 'close', false])
    expect(() => refuseUnknownRegistration(word)).toThrow('CLIENT_REGISTRATION is')
})

test('CLOSED_SHARDS names shards that are there; another name stops a deployment, which would not be ready', () => {
  for (const names of [undefined, '', '00', '00, 01'])
    expect(() => refuseUnknownShards(names, ['00', '01'])).not.toThrow()
  for (const names of ['02', '00,1', 'all', 1])
    expect(() => refuseUnknownShards(names, ['00', '01'])).toThrow(/^CLOSED_SHARDS names .*\.$/)
})

test('a database of another name stops a deployment, which would refuse every request', () => {
  expect(() => refuseMisbound(['DB', 'AUDIT_DB', 'AUDIT_DB_01', 'DB_01'])).not.toThrow()
  expect(() => refuseMisbound(['DB', 'AUDIT_DB', 'MEMORY'])).toThrow(/^MEMORY is not the name of a database.*\.$/)
})

test('SIGNUPS is open, first or closed; another word stops a deployment, which would let nobody in', () => {
  for (const word of [undefined, '', 'open', 'first', 'closed']) expect(() => refuseUnknownSignups(word)).not.toThrow()
  for (const word of ['one', 'First', true]) expect(() => refuseUnknownSignups(word)).toThrow('SIGNUPS is')
})

test('LIMITS names limits and numbers that they take; another text stops a deployment, which would not be ready', () => {
  for (const LIMITS of [undefined, '', 'memory.search=50, api-key=100'])
    expect(() => refuseFaultyLimits({ LIMITS, SIGNUPS: 'closed' })).not.toThrow()
  expect(() => refuseFaultyLimits({ LIMITS: 'read=0' })).toThrow(
    'LIMITS must set read to a whole number from 1 to 1000.',
  )
  expect(() => refuseFaultyLimits({ SERVICE_ACCOUNT_LIMITS: 'login=9' })).toThrow(
    'SERVICE_ACCOUNT_LIMITS names "login"',
  )
})
