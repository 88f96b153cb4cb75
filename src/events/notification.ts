import type { Statement } from '../core/database/database.ts'
import { ALWAYS } from '../core/database/sql.ts'
import type { Notification } from '../core/ports.ts'
import type { WorkStatement } from '../core/work.ts'
import { eventStatement, type OutboxContext } from './outbox.ts'
import { outgoing } from './queue.ts'

/** The statement that notifies one user, for the commit of the cause. */
export const notificationStatement = (
  ctx: OutboxContext,
  { tenantId, userId, code, message, about = {} }: Notification,
  onlyIf = ALWAYS,
): Statement =>
  eventStatement(
    ctx,
    {
      tenantId,
      type: 'system.notification',
      channel: 'system',
      actor: 'system',
      targets: [userId],
      data: { code, message, ...about },
    },
    onlyIf,
  )

/** As `notificationStatement`, for a commit that sends its event. */
export const notification = (...what: Parameters<typeof notificationStatement>): WorkStatement =>
  outgoing(what[0].db, notificationStatement(...what))
