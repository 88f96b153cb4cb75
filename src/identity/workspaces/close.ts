import type { RevocationStatement } from '../../auth/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { and, joined, sql, type Sql } from '../../core/database/sql.ts'
import type { RowOf } from '../../core/database/row.ts'
import { WorkStatement } from '../../core/work.ts'
import { BLANK_PROJECT, projectErasure, workspaceErasure } from '../erasure.ts'
import { endWorkspaceKeys } from '../api-keys/end-workspace-keys.ts'
import type { workspaces } from '../table.ts'

/** The rows of the first statement. */
export type ClosedRow = RowOf<typeof workspaces, 'id'>

/**
 * The statements that close workspaces that the caller owns: the workspaces, their projects, their keys and open
 * invitations, with the names of all of them. The first answers the ids of the workspaces. `onlyIf` is a further condition.
 */
export function closeWorkspaces(
  ctx: AuthContext,
  ids: readonly string[],
  now: number,
  onlyIf: Sql = and(),
): RevocationStatement[] {
  const { db } = ctx
  const params = { closing: JSON.stringify(ids), closing_now: now }
  const closed = `(
    select w.id from workspaces w where w.id in (select value from json_each(:closing)) and w.deleted_at = :closing_now)`
  return [
    new WorkStatement(
      db.statement(
        `update workspaces set deleted_at = :closing_now, updated_at = :closing_now, name = ''
         where id in (select value from json_each(:closing)) and tenant_id = :closing_tenant and deleted_at is null
           and exists (select 1 from workspace_members m
             where m.workspace_id = workspaces.id and m.user_id = :closing_owner and m.role = 'owner')
           and ${onlyIf.sql} returning id`,
        joined(
          { ...params, closing_tenant: ctx.principal.tenantId, closing_owner: ctx.principal.userId },
          onlyIf.params,
        ),
      ),
      workspaceErasure(db),
    ),
    new WorkStatement(
      db.statement(
        `update projects set deleted_at = :closing_now, updated_at = :closing_now, ${BLANK_PROJECT}
         where deleted_at is null and workspace_id in ${closed} returning id`,
        params,
      ),
      projectErasure(db),
    ),
    ...endWorkspaceKeys(ctx, sql(`workspace_id in ${closed}`, params)),
    db.statement(`delete from invitations where workspace_id in ${closed}`, params),
    db.statement(`update api_keys set name = '' where workspace_id in ${closed}`, params),
    // A service account is named after its workspace.
    db.statement(
      `update users set name = '' where kind = 'service' and id in (
         select user_id from workspace_members where workspace_id in ${closed}
         union select user_id from api_keys where workspace_id in ${closed})`,
      params,
    ),
  ]
}
