import { sql, type Sql } from '../../core/database/sql.ts'
import { HOUR_MS } from '../../core/values/durations.ts'

/** Each new invitation replaces the one before, and may be withdrawn: without a bound it would notify ten times a second. */
export const NOTIFIED_WITHIN_MS = HOUR_MS
/** Invitations, of whatever workspaces, that a person is notified of in that time. Their list shows all. */
export const MAX_NOTIFIED = 20

/** The person got no notification of an invitation to this workspace in the last hour, and few of others. */
export const mayBeNotified = (now: number, userId: string, workspaceId: string): Sql =>
  sql(
    `(select count(*) < ${MAX_NOTIFIED} and coalesce(max(e.data ->> 'workspace_id' = :notified_workspace), 0) = 0
      from events e indexed by events_to_one
      where e.channel = 'system' and e.targets = :notified and e.created_at > :notified_since
        and e.data ->> 'code' = 'invitation.received')`,
    {
      notified_workspace: workspaceId,
      notified: JSON.stringify([userId]),
      notified_since: now - NOTIFIED_WITHIN_MS,
    },
  )
