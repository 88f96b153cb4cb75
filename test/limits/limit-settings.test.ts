import { expect, test } from 'vitest'
import {
  deploymentLimits,
  limitOf,
  type Account,
  type DeploymentLimits,
  type LimitSetting,
} from '../../src/limits/limit-settings.ts'

const person: Account = { userId: 'usr_1', tenantId: 'ten_1', kind: 'person' }
const service: Account = { ...person, kind: 'service' }
const plain: DeploymentLimits = { variables: { users: {}, service_accounts: {} }, factor: 1 }
const set = (
  subject: string,
  permits: number,
  name = 'read',
  account_class: LimitSetting['account_class'] = 'users',
) => ({
  subject,
  account_class,
  name,
  permits,
})

test('contract §6: the nearest setting holds: key, user, tenant, deployment, variable, table', () => {
  const settings = [
    set('key_1', 6, 'api-key'),
    set('usr_1', 7, 'api-key'),
    set('ten_1', 8, 'api-key'),
    set('deployment', 9, 'api-key'),
  ]
  const variables = { users: { 'api-key': 10 }, service_accounts: {} }
  const by = (from: number) => limitOf('api-key', person, settings.slice(from), { variables, factor: 1 }, 'key_1').limit
  expect([by(0), by(1), by(2), by(3), by(4)]).toEqual([6, 7, 8, 9, 10])
  expect(limitOf('api-key', person, settings, plain, 'key_2').limit).toBe(7)
  expect(limitOf('api-key', person, [], plain, 'key_1')).toEqual({ limit: 5, windowMs: 1_000, per: 'key' })
})

test('contract §6: of one subject the setting for service accounts goes first, for them alone', () => {
  const settings = [set('ten_1', 30), set('deployment', 40), set('deployment', 50, 'read', 'service_accounts')]
  expect([limitOf('read', person, settings, plain).limit, limitOf('read', service, settings, plain).limit]).toEqual([
    30, 30,
  ])
  const wider = settings.slice(1)
  expect([limitOf('read', person, wider, plain).limit, limitOf('read', service, wider, plain).limit]).toEqual([40, 50])
  const variables = { users: { read: 60 }, service_accounts: { read: 70 } }
  expect([person, service].map((account) => limitOf('read', account, [], { variables, factor: 1 }).limit)).toEqual([
    60, 70,
  ])
})

test('the factor multiplies what is set too, and what cannot be set is as in the table', () => {
  const variables = { users: {}, service_accounts: {} }
  expect(limitOf('read', person, [set('usr_1', 30)], { variables, factor: 10 }).limit).toBe(300)
  expect(limitOf('login', person, [set('usr_1', 30, 'login')], plain).limit).toBe(5)
})

test('a Durable Object reads the variables of the deployment, and none of a faulty one', () => {
  const env = { ENVIRONMENT: 'production', LIMITS: 'read=30', SERVICE_ACCOUNT_LIMITS: 'read=many' }
  expect(deploymentLimits(env)).toEqual({ variables: { users: { read: 30 }, service_accounts: {} }, factor: 1 })
})
