import { limitFor, type Limit, type LimitName } from '../core/limits.ts'
import { isSettable, type DeploymentLimits } from '../core/settable-limits.ts'
import type { AccountClass, limit_settings } from './table.ts'

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

/**
 * The limit of an account, or of one of its keys. The most specific setting wins: key, user, tenant, deployment,
 * variables, then the table. A setting for service accounts wins over the setting for all users at the same level. Pure.
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
  const classes: readonly AccountClass[] = account?.kind === 'service' ? ['service_accounts', 'users'] : ['users']
  const setFor = (subject: string | null | undefined, one: AccountClass) =>
    settings.find((row) => row.subject === subject && row.account_class === one && row.name === name)?.permits
  const permits =
    setFor(keyId, 'users') ??
    setFor(account?.userId, 'users') ??
    firstOf(classes, (one) => setFor(account?.tenantId, one)) ??
    firstOf(classes, (one) => setFor(DEPLOYMENT, one)) ??
    firstOf(classes, (one) => variables[one][name])
  return permits === undefined ? limit : { ...limit, limit: permits * factor }
}

/** What the first class that has a value gives. */
const firstOf = (
  classes: readonly AccountClass[],
  permitsOf: (one: AccountClass) => number | undefined,
): number | undefined => classes.map(permitsOf).find((permits) => permits !== undefined)
