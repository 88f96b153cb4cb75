import { newRoutingId } from '../../auth/index.ts'
import { shardOf } from '../../core/shards.ts'
import type { AuthContext } from '../../core/context.ts'
import type { Statement } from '../../core/database/database.ts'
import { notFound } from '../../core/errors.ts'
import { forbidden, ROLES_THAT } from '../access.ts'
import { MAX_MEMBERS, workspaceFull } from '../members/member.ts'
import type { workspace_members, workspaces } from '../table.ts'
import { DEFAULT_SETTINGS } from '../users/user.ts'

export interface ServiceAccount {
  workspaceId: string
  userId: string
  routingId: string
  /**
   * The statements that make the account, where this is the workspace's first key. Of two first keys at once one makes
   * it. The other key then breaks its foreign key to an account that was not made, and its whole batch fails.
   */
  statements: Statement[]
}

/** The id of a workspace's service account. */
const ACCOUNT_OF = (workspaceId: string) => `
  select sm.user_id from workspace_members sm
  join users su on su.id = sm.user_id and su.kind = 'service' and su.deleted_at is null
  where sm.workspace_id = ${workspaceId}`

const FIND = `
  select w.id, w.name, m.role, s.id as user_id, s.routing_id,
    (select count(*) from workspace_members c where c.workspace_id = w.id) as members
  from workspaces w
  join workspace_members m on m.workspace_id = w.id and m.user_id = :caller
  left join users s on s.id in (${ACCOUNT_OF('w.id')})
  where w.id = coalesce(:workspace, (select workspace_id from projects where id = :default_project and deleted_at is null))
    and w.tenant_id = :tenant and w.deleted_at is null
  limit 1`

type FoundRow = Pick<typeof workspaces.$inferSelect, 'id' | 'name'> &
  Pick<typeof workspace_members.$inferSelect, 'role'> & {
    user_id: string | null
    routing_id: string | null
    members: number
  }

/**
 * The account as which a workspace's keys act: a user without address or password, editor of that workspace alone.
 * 404 for a workspace that the caller does not see, 403 for one that the caller does not manage or that has
 * `MAX_MEMBERS` members.
 */
export async function serviceAccount(ctx: AuthContext, workspaceId: string | undefined): Promise<ServiceAccount> {
  const { userId, tenantId, routingId, defaultProjectId } = ctx.principal
  const found = await ctx.db.first<FoundRow>(FIND, {
    caller: userId,
    workspace: workspaceId ?? null,
    default_project: defaultProjectId,
    tenant: tenantId,
  })
  if (!found) throw notFound('workspace', workspaceId)
  if (!ROLES_THAT.manage.includes(found.role)) throw forbidden('Only admins of a workspace can create its keys.')
  if (found.user_id !== null && found.routing_id !== null)
    return { workspaceId: found.id, userId: found.user_id, routingId: found.routing_id, statements: [] }
  if (found.members >= MAX_MEMBERS) throw workspaceFull()
  const account = { userId: ctx.newId('usr'), routingId: newRoutingId(shardOf(routingId), ctx.random) }
  const now = ctx.now()
  return {
    workspaceId: found.id,
    ...account,
    statements: [
      ctx.db.statement(
        `insert into users (id, tenant_id, routing_id, kind, name, settings, created_at, updated_at)
         select :id, :tenant, :routing_id, 'service', :name, :settings, :now, :now
         where not exists (${ACCOUNT_OF(':workspace')})
           and (select count(*) from workspace_members where workspace_id = :workspace) < ${MAX_MEMBERS}`,
        {
          id: account.userId,
          tenant: tenantId,
          routing_id: account.routingId,
          name: `${found.name} (service)`,
          settings: JSON.stringify(DEFAULT_SETTINGS),
          now,
          workspace: found.id,
        },
      ),
      ctx.db.statement(
        `insert into workspace_members (workspace_id, user_id, tenant_id, role, created_at)
         select :workspace, id, tenant_id, 'editor', created_at from users where id = :user`,
        { workspace: found.id, user: account.userId },
      ),
    ],
  }
}
