import type { System } from '../core/context.ts'
import type { Database, Statement } from '../core/database/database.ts'

/** Stands for the operator's key where a rotation passed limits on. No key has such an id. */
export const BY_ROTATION = 'key_rotation'

interface Rotation {
  from: string
  /** The successor, once it is made. */
  to: string
  requestId: string
}

/**
 * A rotated key keeps its limits: its successor inherits them, and the audit of the operators has
 * a row about it.
 */
export const inheritLimits = (
  system: Pick<System, 'newId' | 'now'>,
  db: Database,
  { from, to, requestId }: Rotation,
): Statement[] => [
  db.statement(
    `insert into limit_settings (subject, account_class, name, permits, holder, tenant_id, updated_at)
     select :successor, account_class, name, permits, holder, tenant_id, :now from limit_settings
     where subject = :rotated and exists (select 1 from api_keys where id = :successor)`,
    { rotated: from, successor: to, now: system.now() },
  ),
  db.statement(
    `insert into operator_changes (id, operator, request_id, subject, tenant_id, changes, created_at)
     select :change, '${BY_ROTATION}', :request, :successor, max(tenant_id), json_group_array(json_object(
       'name', name, 'account_class', account_class, 'from', null, 'to', permits)), :now
     from limit_settings where subject = :successor group by subject`,
    { change: system.newId('aud'), request: requestId, successor: to, now: system.now() },
  ),
]
