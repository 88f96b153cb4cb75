import { expect, test } from 'vitest'
import type { DeploymentLimits } from '../../src/core/settable-limits.ts'
import { limitOf, type Account, type LimitSetting } from '../../src/limits/limit-settings.ts'

const person: Account = { userId: 'usr_1', tenantId: 'ten_1', kind: 'person' }
const service: Account = { ...person, kind: 'service' }
const plain: DeploymentLimits = { variables: { users: {}, service_accounts: {} }, factor: 1 }
const set = (
  subject: string,
  permits: number,
  name = 'read',
  account_class: LimitSetting['account_class'] = 'users',
): LimitSetting => ({
  subject,
  account_class,
  name,
  permits,
})

/** What sets a limit, the nearest to the account first, with the permits that it sets. */
const LEVELS = {
  key: 6,
  user: 7,
  'tenant, service accounts': 8,
  tenant: 9,
  'deployment, service accounts': 10,
  deployment: 11,
  'variable, service accounts': 12,
  variable: 13,
  table: 5,
} as const
type Level = keyof typeof LEVELS

/** The limit of the level's own key where these levels set it. */
function limitWith(levels: readonly Level[], account: Account | null, keyId: string | null): number {
  const rows: Partial<Record<Level, LimitSetting>> = {
    key: set('key_1', LEVELS.key, 'api-key'),
    user: set('usr_1', LEVELS.user, 'api-key'),
    'tenant, service accounts': set('ten_1', LEVELS['tenant, service accounts'], 'api-key', 'service_accounts'),
    tenant: set('ten_1', LEVELS.tenant, 'api-key'),
    'deployment, service accounts': set(
      'deployment',
      LEVELS['deployment, service accounts'],
      'api-key',
      'service_accounts',
    ),
    deployment: set('deployment', LEVELS.deployment, 'api-key'),
  }
  const variable = (level: Level) => (levels.includes(level) ? { 'api-key': LEVELS[level] } : {})
  const variables = { users: variable('variable'), service_accounts: variable('variable, service accounts') }
  const settings = levels.flatMap((level) => rows[level] ?? []).toReversed()
  return limitOf('api-key', account, settings, { variables, factor: 1 }, keyId).limit
}

const OF_PERSON: Level[] = ['key', 'user', 'tenant', 'deployment', 'variable', 'table']
const WITHOUT_KEY = (levels: Level[]) => levels.filter((level) => level !== 'key')

test.each<[string, Account | null, string | null, Level[]]>([
  ['a key of a person', person, 'key_1', OF_PERSON],
  ['a person without a key', person, null, WITHOUT_KEY(OF_PERSON)],
  ['another key of a person', person, 'key_2', WITHOUT_KEY(OF_PERSON)],
  ['a key of a service account', service, 'key_1', Object.keys(LEVELS) as Level[]],
  ['a service account without a key', service, null, WITHOUT_KEY(Object.keys(LEVELS) as Level[])],
  ['another user of the tenant', { ...person, userId: 'usr_2' }, null, ['tenant', 'deployment', 'variable', 'table']],
  [
    'a person of a tenant without settings',
    { ...person, userId: 'usr_2', tenantId: 'ten_2' },
    null,
    ['deployment', 'variable', 'table'],
  ],
])(
  'contract §6: for %s the nearest level that sets a limit holds, and each is the nearest once',
  (_, account, keyId, own) => {
    const all = Object.keys(LEVELS) as Level[]
    for (const level of own) expect(limitWith(all.slice(all.indexOf(level)), account, keyId)).toBe(LEVELS[level])
    // What is of others sets nothing.
    expect(
      limitWith(
        all.filter((level) => !own.includes(level)),
        account,
        keyId,
      ),
    ).toBe(LEVELS.table)
  },
)

test('contract §6: an account that is not known yet has what the variable for all users sets', () => {
  expect(limitWith(['variable, service accounts', 'variable'], null, null)).toBe(LEVELS.variable)
  expect(limitWith(['variable, service accounts'], null, null)).toBe(LEVELS.table)
})

test('a setting of another limit sets nothing, and the table gives window and counter', () => {
  const settings = [set('key_1', 6, 'read'), set('deployment', 7, 'write')]
  expect(limitOf('api-key', person, settings, plain, 'key_1')).toEqual({ limit: 5, windowMs: 1_000, per: 'key' })
})

test('the factor multiplies what is set too, and what cannot be set is as in the table', () => {
  const variables = { users: {}, service_accounts: {} }
  expect(limitOf('read', person, [set('usr_1', 30)], { variables, factor: 10 }).limit).toBe(300)
  expect(limitOf('login', person, [set('usr_1', 30, 'login')], plain).limit).toBe(5)
})
