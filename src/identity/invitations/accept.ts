import type { System } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { invalid } from '../../core/errors.ts'
import { newRoutingId, shardOf } from '../../auth/index.ts'
import { rolesSql } from '../access.ts'
import type { AccountIds, NewAccount } from '../users/new-account.ts'
import { MAX_MEMBERS } from '../members/member.ts'
import { isOpen } from './invitation.ts'
import { DEFAULT_SETTINGS } from '../users/user.ts'

export interface OpenInvitation {
  id: string
  tenant_id: string
  workspace_id: string
  email: string
  shard: string
}

const OPEN = `${isOpen('?2')}
  and (select count(*) from workspace_members m where m.workspace_id = i.workspace_id) < ${MAX_MEMBERS}`

/** The open invitation behind a token, for this address alone; 422 for every other token. */
export async function openInvitation(system: System, token: string, email: string): Promise<OpenInvitation> {
  const parsed = await system.tokens.parse(token)
  if (parsed?.prefix !== 'rci') throw badInvitation()
  const shard = shardOf(parsed.routingId)
  const row = await system
    .database(shard)
    .first<Omit<OpenInvitation, 'shard'>>(
      `select i.id, i.tenant_id, i.workspace_id, i.email from invitations i where i.token_hash = ?1 and ${OPEN}`,
      parsed.hash,
      system.now(),
    )
  if (!row) throw badInvitation()
  if (row.email !== email) throw invalid('email', 'not_invited', 'The invitation is for another address.')
  return { ...row, shard }
}

export const badInvitation = () =>
  invalid('invitation', 'invalid_invitation', 'The invitation is unknown, used, withdrawn or expired.')

/**
 * The statements by which an invited person joins the tenant. The user's row comes from the invitation while that is
 * open; where it no longer is, membership and session find no user: a foreign key fails, and with it the whole batch.
 * The default project is the workspace's oldest, if the invited role writes.
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
      db.statement(
        'insert into directory (email, routing_id, user_id) values (?, ?, ?)',
        account.email,
        ids.routingId,
        ids.userId,
      ),
      db.statement(
        `insert into users (id, tenant_id, routing_id, kind, email, name, settings, password_hash, default_project_id, created_at, updated_at)
         select ?3, i.tenant_id, ?4, 'person', ?5, ?6, ?7, ?8,
           case when i.role in (${rolesSql('write')}) then (
             select p.id from projects p where p.workspace_id = i.workspace_id and p.deleted_at is null
             order by p.created_at, p.id limit 1) end, ?2, ?2
         from invitations i where i.id = ?1 and ${OPEN}`,
        invitation.id,
        now,
        ids.userId,
        ids.routingId,
        account.email,
        account.name,
        JSON.stringify(DEFAULT_SETTINGS),
        account.passwordHash,
      ),
      db.statement(
        `insert into workspace_members (workspace_id, user_id, tenant_id, role, created_at)
         select workspace_id, ?, tenant_id, role, ? from invitations where id = ?`,
        ids.userId,
        now,
        invitation.id,
      ),
      db.statement('delete from invitations where id = ?', invitation.id),
    ],
  }
}
