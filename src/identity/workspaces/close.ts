import type { RevocationStatement } from '../../auth/index.ts'
import type { AuthContext } from '../../core/context.ts'
import type { RowOf } from '../../core/database/row.ts'
import { WorkStatement } from '../../core/work.ts'
import { projectErasure } from '../erasure.ts'
import { endWorkspaceKeys } from '../api-keys/end-workspace-keys.ts'
import type { workspaces } from '../table.ts'

/** The rows of the first statement. */
export type ClosedRow = RowOf<typeof workspaces, 'id'>

/**
 * The statements that close workspaces that the caller owns: the workspaces, their projects, their keys and open
 * invitations. The first answers the ids of the workspaces. `onlyIf` is a further condition in SQL, with plain `?` for its values.
 */
export function closeWorkspaces(
  ctx: AuthContext,
  ids: readonly string[],
  now: number,
  onlyIf = '1',
  ...values: (string | number | null)[]
): RevocationStatement[] {
  const { db } = ctx
  const list = JSON.stringify(ids)
  const closed = `(select w.id from workspaces w where w.id in (select value from json_each(?1)) and w.deleted_at = ?2)`
  return [
    db.statement(
      `update workspaces set deleted_at = ?2, updated_at = ?2
         where id in (select value from json_each(?1)) and tenant_id = ?3 and deleted_at is null and exists (
           select 1 from workspace_members m where m.workspace_id = workspaces.id and m.user_id = ?4 and m.role = 'owner')
         and ${onlyIf} returning id`,
      list,
      now,
      ctx.principal.tenantId,
      ctx.principal.userId,
      ...values,
    ),
    new WorkStatement(
      db.statement(
        `update projects set deleted_at = ?2, updated_at = ?2 where deleted_at is null and workspace_id in ${closed} returning id`,
        list,
        now,
      ),
      projectErasure(db),
    ),
    ...endWorkspaceKeys(
      ctx,
      'workspace_id in (select id from workspaces where id in (select value from json_each(?)) and deleted_at = ?)',
      list,
      now,
    ),
    db.statement(`delete from invitations where workspace_id in ${closed}`, list, now),
  ]
}
