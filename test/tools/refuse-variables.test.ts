import { expect, test } from 'vitest'
import { refuseFaulty, refuseLocalOnly, refuseMisbound } from '../../tools/refuse-variables.ts'
import { CANARY, FAULTY } from '../support/faulty-settings.ts'

const SHARDS = ['00', '01']
const refusalOf = (vars: Record<string, unknown>): string => {
  try {
    refuseFaulty(vars, SHARDS)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'taken'
}

test.each(Object.entries(FAULTY))('a faulty %s stops a deployment, in one line without its value', (name, text) => {
  const refusal = refusalOf({ [name]: text })
  expect(refusal).toMatch(new RegExp(`^${name} (must|is for local use only).*\\.$`))
  expect(refusal).not.toMatch(new RegExp(`${CANARY}|sk-|\n`))
})

test('several faults are one line together', () => {
  expect(refusalOf({ QUOTA_ITEMS: 'ten', SIGNUPS: 'First', ENVIRONMENT: 'production' })).toBe(
    'SIGNUPS must be one of open, first, closed; QUOTA_ITEMS must be a whole number from 0 to 999999999.',
  )
})

test.each([
  {},
  { SIGNUPS: 'first', ENVIRONMENT: 'production' },
  { DATA_REGION: 'afr', CLOSED_SHARDS: '00, 01', SHARD_REGIONS: '00:weur' },
  { DATA_REGION: '', CLIENT_REGISTRATION: '', CLOSED_SHARDS: '', SIGNUPS: '', LIMITS: '' },
  { LIMITS: 'memory.search=50, api-key=100', SERVICE_ACCOUNT_LIMITS: 'read=5', SOMETHING: { else: 1 } },
])('%j is taken', (vars) => {
  expect(refusalOf(vars)).toBe('taken')
})

test('a number or a flag without quotes is refused: the Worker would get no text', () => {
  expect(refusalOf({ QUOTA_ITEMS: 10 })).toBe('QUOTA_ITEMS must be a text: put quotes around it.')
  expect(refusalOf({ LOG_REQUESTS: true })).toBe('LOG_REQUESTS must be a text: put quotes around it.')
})

test('a variable for local use is refused, also where the deployment calls itself local (contract §7)', () => {
  for (const name of ['ALLOW_LOOPBACK_REDIRECTS', 'ALLOW_PRIVATE_WEBHOOKS', 'LIMITS_FACTOR']) {
    expect(refusalOf({ [name]: '10' })).toBe(`${name} is for local use only.`)
    expect(refusalOf({ [name]: '10', ENVIRONMENT: 'local' })).toBe(
      `ENVIRONMENT must be production in a deployment; ${name} is for local use only.`,
    )
    expect(() => refuseLocalOnly(['TOKEN_KEYS', name])).toThrow(
      `${name} is for local use only. Remove it from the secrets of the deployment.`,
    )
  }
  expect(() => refuseLocalOnly(['TOKEN_KEYS', 'SIGNUPS'])).not.toThrow()
})

test('a database of another name stops a deployment, which would refuse every request', () => {
  expect(() => refuseMisbound(['DB', 'AUDIT_DB', 'AUDIT_DB_01', 'DB_01'])).not.toThrow()
  expect(() => refuseMisbound(['DB', 'AUDIT_DB', 'MEMORY'])).toThrow(/^MEMORY is not the name of a database.*\.$/)
})
