import { z } from '@hono/zod-openapi'
import type { users } from '../../auth/table.ts'
import type { AuthContext, System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import type { Sql } from '../../core/database/sql.ts'
import type { WorkStatement } from '../../core/work.ts'
import { columnsOf, selectList } from '../../core/database/columns.ts'
import { notFound } from '../../core/errors.ts'
import { idOf, timestamp } from '../../core/http/fields.ts'
import { iso } from '../../core/values/clock.ts'
import { invitations, ROLES, type workspaces } from '../table.ts'
import { IS_OPEN } from './invitation.ts'

/** An invitation as the invited person sees it. */
export const ReceivedInvitationSchema = z
  .object({
    id: idOf('inv'),
    workspace_id: idOf('wsp'),
    workspace_name: z.string(),
    role: z.enum(ROLES),
    invited_by: idOf('usr'),
    invited_by_name: z.string(),
    created_at: timestamp,
    expires_at: timestamp,
  })
  .openapi('ReceivedInvitation')
export type ReceivedInvitation = z.infer<typeof ReceivedInvitationSchema>

const COLUMNS = columnsOf(
  invitations,
  'id',
  'tenant_id',
  'workspace_id',
  'email',
  'role',
  'created_by',
  'created_at',
  'expires_at',
)
export const RECEIVED_COLUMNS = `${selectList(COLUMNS, 'i')}, w.name as workspace_name, maker.name as maker_name`
export type ReceivedRow = Pick<typeof invitations.$inferSelect, keyof typeof COLUMNS> & {
  workspace_name: (typeof workspaces.$inferSelect)['name']
  maker_name: (typeof users.$inferSelect)['name']
}

export const toReceived = (row: ReceivedRow): ReceivedInvitation => ({
  id: row.id,
  workspace_id: row.workspace_id,
  workspace_name: row.workspace_name,
  role: row.role,
  invited_by: row.created_by,
  invited_by_name: row.maker_name,
  created_at: iso(row.created_at),
  expires_at: iso(row.expires_at),
})

/**
 * The invitations `i` that are open `:now` for the address of `:caller`, in the same tenant. An address of another tenant
 * never matches.
 */
export const RECEIVED = `
  users u join invitations i on i.tenant_id = u.tenant_id and i.email = u.email
  join workspaces w on w.id = i.workspace_id join users maker on maker.id = i.created_by
  where u.id = :caller and u.deleted_at is null and ${IS_OPEN}`

/** An open invitation of the caller's address. 404 for every other id. */
export async function receivedInvitation(ctx: AuthContext, id: string): Promise<ReceivedRow> {
  ctx.trail.resourceIds = [id]
  const row = await ctx.db.first<ReceivedRow>(`select ${RECEIVED_COLUMNS} from ${RECEIVED} and i.id = :id`, {
    caller: ctx.principal.userId,
    now: ctx.now(),
    id,
  })
  if (!row) throw notFound('invitation', id)
  ctx.trail.workspaceId = row.workspace_id
  return row
}

/** The statement that tells the maker of an invitation what the person of its address answered. */
export const answerNotice = (
  system: System,
  db: Database,
  invitation: Pick<ReceivedRow, 'id' | 'tenant_id' | 'workspace_id' | 'email' | 'created_by'>,
  [answer, userId]: ['accepted' | 'refused', string],
  onlyIf: Sql,
): WorkStatement =>
  system.notification(
    db,
    {
      tenantId: invitation.tenant_id,
      userId: invitation.created_by,
      code: `invitation.${answer}`,
      message: `Your invitation to ${invitation.email} was ${answer}.`,
      about: { invitation_id: invitation.id, workspace_id: invitation.workspace_id, user_id: userId },
    },
    onlyIf,
  )
