import { z } from '@hono/zod-openapi'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { idOf, timestamp } from '../../core/http/fields.ts'
import { rolesSql } from '../access.ts'
import { ROLES, type Role } from '../table.ts'

/** Seven days (contract §4). */
export const INVITATION_LIFE_MS = 7 * 24 * 3_600_000

/**
 * Whether an invitation `i` can be accepted at the instant `now` (a parameter): it has not expired, its workspace is alive,
 * and who made it could make it still. A right to invite that is lost takes the invitations along (contract §4).
 */
export const isOpen = (now: string): string => `
  i.expires_at > ${now}
  and exists (select 1 from workspaces w where w.id = i.workspace_id and w.deleted_at is null)
  and exists (select 1 from workspace_members m where m.workspace_id = i.workspace_id and m.user_id = i.created_by
    and (m.role in (${rolesSql('own')}) or (m.role in (${rolesSql('manage')}) and i.role <> 'owner')))`

export const InvitationReply = z
  .object({
    invitation_id: idOf('inv'),
    invitation_url: z.string().nullable().meta({ description: 'Shown in this response only.' }),
    expires_at: timestamp,
  })
  .openapi('NewInvitation')

export const InvitationSchema = z
  .object({
    id: idOf('inv'),
    email: z.string(),
    role: z.enum(ROLES),
    created_by: z.string(),
    created_at: timestamp,
    expires_at: timestamp,
  })
  .openapi('Invitation')
export type Invitation = z.infer<typeof InvitationSchema>

export interface InvitationRow {
  id: string
  email: string
  role: Role
  created_by: string
  created_at: number
  expires_at: number
}

export const toInvitation = (row: InvitationRow): Invitation => ({
  ...row,
  created_at: iso(row.created_at),
  expires_at: iso(row.expires_at),
})

/** The answer to a repeated request: the invitation as it is now, without its URL. */
export async function replayInvitation(
  ctx: AuthContext,
  workspaceId: string,
  id: string,
): Promise<z.infer<typeof InvitationReply>> {
  const row = await ctx.db.first<{ expires_at: number }>(
    'select expires_at from invitations where id = ? and workspace_id = ? and tenant_id = ?',
    id,
    workspaceId,
    ctx.principal.tenantId,
  )
  if (!row) throw notFound('invitation')
  return { invitation_id: id, invitation_url: null, expires_at: iso(row.expires_at) }
}
