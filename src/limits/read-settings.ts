import type { Database } from '../core/database/database.ts'
import { DEPLOYMENT, type Account, type LimitSetting } from './limit-settings.ts'

/** SQL expression: the settings for the user `u` and their keys as JSON. It goes with a statement that is sent anyway. */
export const LIMITS_OF_USER = `(
  select json_group_array(json_object(
    'subject', l.subject, 'account_class', l.account_class, 'name', l.name, 'permits', l.permits))
  from limit_settings l where l.holder in ('${DEPLOYMENT}', u.tenant_id, u.id))`

/** Reads what `LIMITS_OF_USER` answers. */
export const settingsOf = (json: string): LimitSetting[] => JSON.parse(json) as LimitSetting[]

/** An account with all settings that concern it. */
export interface AccountLimits {
  account: Account
  settings: readonly LimitSetting[]
}

interface Row {
  user_id: string
  tenant_id: string
  kind: Account['kind']
  limits: string
}

const BY_ROUTING_ID = `
  select u.id as user_id, u.tenant_id, u.kind, ${LIMITS_OF_USER} as limits from users u where u.routing_id = :routing_id`

/** The settings for the user of a hub; null where there is no such user. */
export async function readLimits(db: Database, routingId: string): Promise<AccountLimits | null> {
  const row = await db.first<Row>(BY_ROUTING_ID, { routing_id: routingId })
  if (!row) return null
  const { user_id, tenant_id, kind } = row
  return { account: { userId: user_id, tenantId: tenant_id, kind }, settings: settingsOf(row.limits) }
}
