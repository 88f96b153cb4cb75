import type { SqlValue } from '../../core/database/database.ts'
import { HOUR_MS } from '../../core/values/durations.ts'

/** Each new invitation replaces the one before, and may be withdrawn: without a bound it would notify ten times a second. */
export const NOTIFIED_WITHIN_MS = HOUR_MS
/** Invitations, of whatever workspaces, that a person is notified of in that time. Their list shows all. */
export const MAX_NOTIFIED = 20

/** SQL: the person got no notification of an invitation to this workspace in the last hour, and few of others. Takes `notifiedSince`. */
export const MAY_BE_NOTIFIED = `(
  select count(*) < ${MAX_NOTIFIED} and coalesce(max(e.data ->> 'workspace_id' = ?), 0) = 0
  from events e indexed by events_to_one
  where e.channel = 'system' and e.targets = ? and e.created_at > ? and e.data ->> 'code' = 'invitation.received')`

export const notifiedSince = (now: number, userId: string, workspaceId: string): SqlValue[] => [
  workspaceId,
  JSON.stringify([userId]),
  now - NOTIFIED_WITHIN_MS,
]
