import { z } from '@hono/zod-openapi'
import { eq } from 'drizzle-orm'
import { auditStatement } from '../../audit/index.ts'
import {
  commitThenDeny,
  endCredentials,
  endGrantsOf,
  reauthenticate,
  releaseErased,
  releaseStatements,
} from '../../auth/index.ts'
import { users } from '../../auth/table.ts'
import type { AuthContext } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { joined, sql, type Params } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { AppError } from '../../core/errors.ts'
import { WorkStatement } from '../../core/work.ts'
import { userErasure } from '../erasure.ts'
import { ownsOthers } from '../tenant/tenant.ts'
import type { workspaces } from '../table.ts'
import { closeWorkspaces, type ClosedRow } from '../workspaces/close.ts'
import { DEFAULT_SETTINGS } from './user.ts'
import type { RowOf } from '../../core/database/row.ts'

/** Workspaces that `:caller` alone owns, with the number of other people in each. */
const OWNED_ALONE = `
  select m.workspace_id as id, (
    select count(*) from workspace_members p join users u on u.id = p.user_id and u.kind = 'person' and u.deleted_at is null
    where p.workspace_id = m.workspace_id and p.user_id <> m.user_id) as others
  from workspace_members m join workspaces w on w.id = m.workspace_id and w.deleted_at is null
  where m.user_id = :caller and m.role = 'owner' and not exists (
    select 1 from workspace_members o join users u on u.id = o.user_id and u.deleted_at is null
    where o.workspace_id = m.workspace_id and o.role = 'owner' and o.user_id <> m.user_id)`

const emailOf = query((db, by: { id: string }) =>
  db.select({ email: users.email }).from(users).where(eq(users.id, by.id)),
)

/**
 * Erases the caller's person, credentials, memberships and invitations, and the workspaces in which nobody else is. Items in other
 * workspaces stay there, under an id without a person (contract §3, §4).
 * 409 `last_owner` while the caller is the only owner of a workspace with other people, or owns a tenant with some.
 */
export async function deleteMe(ctx: AuthContext, input: { password: string }): Promise<void> {
  const { db, principal } = ctx
  const { userId, tenantId, routingId } = principal
  ctx.trail.resourceIds = [userId]
  const password = await reauthenticate(ctx, input.password, 'password')
  const { email = null } = (await db.first(emailOf, { id: userId })) ?? {}
  const owned = await ownedAlone(ctx)
  const ids = owned.map((workspace) => workspace.id)
  const now = ctx.now()
  const gone = sql('exists (select 1 from users where id = :caller and deleted_at = :now)', { caller: userId, now })
  const own = (text: string, params: Params = {}) =>
    db.statement(`${text} and ${gone.sql} returning 1`, joined(gone.params, params))
  const [[erased] = []] = await commitThenDeny<ClosedRow[]>(ctx, db, [
    new WorkStatement(
      db.statement(
        `update users set deleted_at = :now, updated_at = :now, email = null, name = '', avatar_url = '',
           settings = :settings, password_hash = null, default_project_id = null
         where id = :caller and password_hash = :password_hash and deleted_at is null
           and not exists (select 1 from (${OWNED_ALONE}) where others > 0)
           and not ${ownsOthers(':caller', ':tenant')} returning id`,
        { now, settings: JSON.stringify(DEFAULT_SETTINGS), caller: userId, password_hash: password, tenant: tenantId },
      ),
      userErasure(db, tenantId),
    ),
    ...closeWorkspaces(ctx, ids, now, gone),
    ...endCredentials(ctx, db, { userId, routingId }, gone),
    ...endGrantsOf(ctx, db, sql(`select id from oauth_clients where user_id = :caller and ${gone.sql}`, gone.params)),
    auditStatement(ctx, 'users.delete', gone),
    own(`update tenants set name = '', owner_id = case when owner_id <> :caller then owner_id end where id = :tenant`, {
      tenant: tenantId,
    }),
    own('delete from workspace_members where user_id = :caller'),
    own('delete from sessions where user_id = :caller'),
    ...releaseStatements(
      ctx,
      db,
      sql(
        `select :caller as id where ${gone.sql}
         union all select id from oauth_clients where user_id = :caller and deleted_at is null and ${gone.sql}`,
        gone.params,
      ),
    ),
    own('delete from password_resets where (user_id = :caller or created_by = :caller)'),
    own('delete from api_keys where user_id = :caller'),
    own(
      `update oauth_clients set deleted_at = :now, name = '', redirect_uris = '[]', secret_hash = null, old_secret_hash = null
       where user_id = :caller`,
    ),
    own(`update oauth_grants set client_name = '' where user_id = :caller`),
    own('delete from invitations where tenant_id = :tenant and email = :email', { tenant: tenantId, email }),
  ])
  if (!erased) {
    await ownedAlone(ctx)
    throw new AppError('conflict', { detail: 'Another request changed the password at the same time.' })
  }
  await releaseErased(ctx, db)
}

/** The workspaces that are deleted with the caller. 409 where somebody else is in one, or in a tenant of the caller's. */
async function ownedAlone({ db, principal }: AuthContext): Promise<RowOf<typeof workspaces, 'id'>[]> {
  const { userId, tenantId } = principal
  if (await db.first(`select 1 where ${ownsOthers(':caller', ':tenant')}`, { caller: userId, tenant: tenantId }))
    throw new AppError('last_owner', { detail: 'You own a tenant that has other people in it: hand it over first.' })
  const owned = await db.all<RowOf<typeof workspaces, 'id'> & { others: number }>(OWNED_ALONE, { caller: userId })
  if (owned.every((workspace) => workspace.others === 0)) return owned
  throw new AppError('last_owner', { detail: 'A workspace with other members would be left without an owner.' })
}

export const deleteMeEndpoint = endpoint({
  method: 'delete',
  path: '/api/users/me',
  operationId: 'deleteMe',
  refusals: { wrong_password: 'the password is wrong' },
  tag: 'users',
  summary: 'Delete your account',
  description: 'Erases your account and everything that only you own. The password must be sent again.',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'users.delete',
  body: z.strictObject({ password: z.string().min(1) }),
  reply: { 204: null },
  errors: ['last_owner', 'conflict'],
  example: { body: { password: 'correct horse battery' } },
}).handle(({ ctx, body }) => deleteMe(ctx, body))
