import type { SqlValue, Statement } from '../core/database/database.ts'
import type { Sql } from '../core/database/sql.ts'
import type { Notification } from '../core/ports.ts'
import { eventStatement, type OutboxContext } from './outbox.ts'

/** The statement that notifies one user, for the commit of the cause. */
export const notificationStatement = (
  ctx: OutboxContext,
  { tenantId, userId, code, message, about = {} }: Notification,
  onlyIf: Sql | string = '1',
  ...values: SqlValue[]
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
    ...values,
  )
