import { limitFor, limitsFactor, type Limit, type LimitName } from './limits.ts'
import { isSettable, LIMIT_VARIABLES, parseLimits, type LimitValues, type SettableName } from './settable.ts'
import { ACCOUNT_CLASSES, type AccountClass, type limit_settings } from './table.ts'

/** A limit that an operator set, as a hub reads it. */
export type LimitSetting = Pick<typeof limit_settings.$inferSelect, 'subject' | 'account_class' | 'name' | 'permits'>

/** Whose limits. */
export interface Account {
  userId: string
  tenantId: string
  kind: 'person' | 'service'
}

/** The subject of limits that hold for everybody. */
export const DEPLOYMENT = 'deployment'

/** The limits that the variables of the deployment set, by class of accounts. */
export type VariableLimits = Record<AccountClass, LimitValues>

/** Reads both variables. A faulty one sets nothing. */
export function variableLimits(variable: (name: string) => string | undefined): {
  limits: VariableLimits
  faults: string[]
} {
  const read = ACCOUNT_CLASSES.map((one) => parseLimits(LIMIT_VARIABLES[one], variable(LIMIT_VARIABLES[one]) ?? ''))
  const [users, serviceAccounts] = read.map(({ limits }) => limits)
  return {
    limits: { users: users ?? {}, service_accounts: serviceAccounts ?? {} },
    faults: read.flatMap(({ faults }) => faults),
  }
}

/** The limits that a deployment sets by its variables, with the factor of `npm start`. */
export interface DeploymentLimits {
  variables: VariableLimits
  factor: number
}

/** Of the environment of a Durable Object, which the composition root does not build. */
export const deploymentLimits = (env: { ENVIRONMENT: string; LIMITS_FACTOR?: string }): DeploymentLimits => ({
  variables: variableLimits((name) => {
    const value: unknown = Reflect.get(env, name)
    return typeof value === 'string' ? value : undefined
  }).limits,
  factor: limitsFactor(env),
})

/**
 * The limit of an account, or of one of its keys. The most specific setting wins: key, user, tenant, deployment,
 * variables, then the table. For a service account, a setting for service accounts of a tenant or the deployment wins
 * over the setting for all its users. Pure.
 */
export function limitOf(
  name: LimitName,
  account: Account | null,
  settings: readonly LimitSetting[],
  { variables, factor }: DeploymentLimits,
  keyId: string | null = null,
): Limit {
  const limit = limitFor(name, factor)
  if (!isSettable(name)) return limit
  const permits = settingOf(name, account, settings, keyId) ?? variableOf(name, account, variables)
  return permits === undefined ? limit : { ...limit, limit: permits * factor }
}

function settingOf(
  name: SettableName,
  account: Account | null,
  settings: readonly LimitSetting[],
  keyId: string | null,
): number | undefined {
  if (account === null || settings.length === 0) return undefined
  const of = (subject: string, one: AccountClass) =>
    settings.find((setting) => setting.subject === subject && setting.account_class === one && setting.name === name)
      ?.permits
  const classes = classesOf(account)
  const nearest = [...(keyId === null ? [] : [of(keyId, 'users')]), of(account.userId, 'users')]
  const wider = [account.tenantId, DEPLOYMENT].flatMap((subject) => classes.map((one) => of(subject, one)))
  return [...nearest, ...wider].find((permits) => permits !== undefined)
}

const variableOf = (name: SettableName, account: Account | null, variables: VariableLimits): number | undefined =>
  (account === null ? (['users'] as const) : classesOf(account))
    .map((one) => variables[one][name])
    .find((permits) => permits !== undefined)

const classesOf = ({ kind }: Account): readonly AccountClass[] =>
  kind === 'service' ? ['service_accounts', 'users'] : ['users']
