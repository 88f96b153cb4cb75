import { z } from '@hono/zod-openapi'
import { and, eq } from 'drizzle-orm'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { columnsOf } from '../../core/database/columns.ts'
import { query } from '../../core/database/query.ts'
import { notFound } from '../../core/errors.ts'
import { idOf, timestamp } from '../../core/http/fields.ts'
import { rolesSql } from '../access.ts'
import { invitations, ROLES } from '../table.ts'
import { SAMPLE_IDS, SAMPLE_ORIGIN } from '../../core/sample.ts'
import { DAY_MS } from '../../core/values/durations.ts'

/** Seven days (contract §4). */
export const INVITATION_LIFE_MS = 7 * DAY_MS

/**
 * SQL: the invitation `i` can be accepted `:now`. It has not expired, its workspace is not deleted, and its maker may still
 * make it. An invitation ends when its maker loses the right to invite (contract §4).
 */
export const IS_OPEN = `
  i.expires_at > :now
  and exists (select 1 from workspaces w where w.id = i.workspace_id and w.deleted_at is null)
  and exists (select 1 from workspace_members m where m.workspace_id = i.workspace_id and m.user_id = i.created_by
    and (m.role in (${rolesSql('own')}) or (m.role in (${rolesSql('manage')}) and i.role <> 'owner')))`

export const InvitationReply = z
  .object({
    invitation_id: idOf('inv'),
    invitation_url: z.string().nullable().meta({ description: 'Shown in this response only.' }),
    expires_at: timestamp,
  })
  .openapi('InvitationWithLink')
export type InvitationWithLink = z.infer<typeof InvitationReply>

export const SAMPLE_INVITATION: InvitationWithLink = {
  invitation_id: SAMPLE_IDS.invitation,
  invitation_url: `${SAMPLE_ORIGIN}/portal/sign-up?invitation=rci_…`,
  expires_at: '2026-11-28T09:30:00.000Z',
}

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

export const INVITATION_COLUMNS = columnsOf(
  invitations,
  'id',
  'email',
  'role',
  'created_by',
  'created_at',
  'expires_at',
)
export type InvitationRow = Pick<typeof invitations.$inferSelect, keyof typeof INVITATION_COLUMNS>

export const toInvitation = (row: InvitationRow): Invitation => ({
  ...row,
  created_at: iso(row.created_at),
  expires_at: iso(row.expires_at),
})

const expiryOf = query((db, by: { id: string; workspace: string; tenant: string }) =>
  db
    .select({ expires_at: invitations.expires_at })
    .from(invitations)
    .where(
      and(eq(invitations.id, by.id), eq(invitations.workspace_id, by.workspace), eq(invitations.tenant_id, by.tenant)),
    ),
)

/** The answer to a repeated request: the invitation as it is now, without its URL. */
export async function replayInvitation(ctx: AuthContext, workspaceId: string, id: string): Promise<InvitationWithLink> {
  const row = await ctx.db.first(expiryOf, { id, workspace: workspaceId, tenant: ctx.principal.tenantId })
  if (!row) throw notFound('invitation')
  return { invitation_id: id, invitation_url: null, expires_at: iso(row.expires_at) }
}
