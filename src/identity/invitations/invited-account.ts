import { eq } from 'drizzle-orm'
import type { System } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { columnsOf, selectList } from '../../core/database/columns.ts'
import { query } from '../../core/database/query.ts'
import { invalid, isAppError, type AppError } from '../../core/errors.ts'
import { addressStatements, newRoutingId } from '../../auth/index.ts'
import { shardOf } from '../../core/shards.ts'
import { rolesSql } from '../access.ts'
import { invitations, type Role } from '../table.ts'
import type { AccountIds, NewAccount } from '../users/new-account.ts'
import { invitedToFull, MAX_MEMBERS } from '../members/member.ts'
import { IS_OPEN } from './invitation.ts'
import { DEFAULT_SETTINGS } from '../users/user.ts'

const COLUMNS = columnsOf(invitations, 'id', 'tenant_id', 'workspace_id', 'email', 'created_by')
type InvitationRow = Pick<typeof invitations.$inferSelect, keyof typeof COLUMNS>
export type OpenInvitation = InvitationRow & { shard: string }

const deleteInvitation = query((db, by: { id: string }) => db.delete(invitations).where(eq(invitations.id, by.id)))

/** SQL: whether the workspace of the invitation `i` has no room. */
const IS_FULL = `(select count(*) from workspace_members m where m.workspace_id = i.workspace_id) >= ${MAX_MEMBERS}`

/** The open invitation of a token, for this address alone. 422 for every other token, and 403 while its workspace is full. */
export async function openInvitation(system: System, token: string, email: string): Promise<OpenInvitation> {
  const parsed = await system.tokens.parse(token)
  if (parsed?.prefix !== 'rci') throw badInvitation()
  const shard = shardOf(parsed.routingId)
  const row = await system.database(shard).first<InvitationRow & { is_full: number }>(
    `select ${selectList(COLUMNS, 'i')}, ${IS_FULL} as is_full
       from invitations i where i.token_hash = :token_hash and ${IS_OPEN}`,
    { token_hash: parsed.hash, now: system.now() },
  )
  if (!row) throw badInvitation()
  if (row.email !== email) throw invalid('email', 'not_invited', 'The invitation is for another address.')
  const { is_full, ...invitation } = row
  if (is_full) throw invitedToFull()
  return { ...invitation, shard }
}

/** Why the write of an invited account was refused: the invitation has ended, or its workspace is full by now. */
export async function invitationFault(system: System, token: string, email: string): Promise<AppError> {
  try {
    await openInvitation(system, token, email)
    return badInvitation()
  } catch (error) {
    if (isAppError(error)) return error
    throw error
  }
}

/** What the bearer of an invitation's link sees before they have an account. */
export interface ShownInvitation {
  email: string
  role: Role
  workspaceName: string
  invitedBy: string
  /** Nobody can join until a member has left. */
  isFull: boolean
}

/** The open invitation of a token, as its link shows it; null for every other token. */
export async function shownInvitation(system: System, token: string): Promise<ShownInvitation | null> {
  const parsed = await system.tokens.parse(token)
  if (parsed?.prefix !== 'rci') return null
  const row = await system
    .database(shardOf(parsed.routingId))
    .first<Omit<ShownInvitation, 'isFull'> & { is_full: number }>(
      `select i.email, i.role, w.name as workspaceName, maker.name as invitedBy, ${IS_FULL} as is_full from invitations i
       join workspaces w on w.id = i.workspace_id join users maker on maker.id = i.created_by
       where i.token_hash = :token_hash and ${IS_OPEN}`,
      { token_hash: parsed.hash, now: system.now() },
    )
  if (!row) return null
  const { is_full, ...shown } = row
  return { ...shown, isFull: is_full === 1 }
}

const badInvitation = () =>
  invalid('invitation', 'invalid_invitation', 'The invitation is unknown, used, withdrawn or expired.')

/**
 * The statements by which an invited person joins the tenant, and accepts by it. The user is made only while the invitation is
 * open and its workspace has room: otherwise the foreign key of the membership and the session fails, and with it the whole batch.
 * The default project is the oldest of the workspace, where the invited role writes.
 */
export function invitedAccount(
  system: System,
  db: Database,
  invitation: OpenInvitation,
  account: NewAccount,
): { ids: Pick<AccountIds, 'tenantId' | 'userId' | 'routingId' | 'workspaceId'>; statements: Statement[] } {
  const now = system.now()
  const ids = {
    tenantId: invitation.tenant_id,
    userId: system.newId('usr'),
    routingId: newRoutingId(invitation.shard, system.random),
    workspaceId: invitation.workspace_id,
  }
  return {
    ids,
    statements: [
      ...addressStatements(system, db, { email: account.email, ...ids }),
      db.statement(
        `insert into users (id, tenant_id, routing_id, kind, email, name, settings, password_hash, default_project_id,
           created_at, updated_at, joined_through)
         select :user, i.tenant_id, :routing_id, 'person', :email, :name, :settings, :password_hash,
           case when i.role in (${rolesSql('write')}) then (
             select p.id from projects p where p.workspace_id = i.workspace_id and p.deleted_at is null
             order by p.created_at, p.id limit 1) end, :now, :now, i.workspace_id
         from invitations i where i.id = :invitation and ${IS_OPEN} and not ${IS_FULL}`,
        {
          invitation: invitation.id,
          now,
          user: ids.userId,
          routing_id: ids.routingId,
          email: account.email,
          name: account.name,
          settings: JSON.stringify(DEFAULT_SETTINGS),
          password_hash: account.passwordHash,
        },
      ),
      db.statement(
        `insert into workspace_members (workspace_id, user_id, tenant_id, role, created_at)
         select workspace_id, :user, tenant_id, role, :now from invitations where id = :invitation`,
        { user: ids.userId, now, invitation: invitation.id },
      ),
      db.statement(deleteInvitation, { id: invitation.id }),
    ],
  }
}
