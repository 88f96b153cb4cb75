import { z } from '@hono/zod-openapi'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { columnsOf, selectList } from '../../core/database/columns.ts'
import { notFound } from '../../core/errors.ts'
import { idOf, text, timestamp } from '../../core/http/fields.ts'
import { wholeOrShort } from '../../core/http/written.ts'
import { forbidden } from '../access.ts'
import { ROLES, workspaces, type workspace_members } from '../table.ts'
import { SAMPLE_IDS, SAMPLE_TIME } from '../../core/sample.ts'

export const WorkspaceSchema = z
  .object({
    id: idOf('wsp'),
    name: z.string(),
    role: z.enum(ROLES).meta({ description: 'The role of the caller.' }),
    created_at: timestamp,
    updated_at: timestamp,
    created_by: z.string(),
  })
  .openapi('Workspace')
export type Workspace = z.infer<typeof WorkspaceSchema>

/** What a write answers of a workspace. */
export const WorkspaceOrWritten = wholeOrShort('Workspace', WorkspaceSchema, ['id', 'created_at', 'updated_at'])

export const SAMPLE_WORKSPACE: Workspace = {
  id: SAMPLE_IDS.workspace,
  name: 'Research',
  role: 'owner',
  created_at: SAMPLE_TIME,
  updated_at: SAMPLE_TIME,
  created_by: SAMPLE_IDS.ada,
}

export const workspaceName = text(1, 120)

const COLUMNS = columnsOf(workspaces, 'id', 'name', 'created_at', 'updated_at', 'created_by')
/** The columns of workspaces `w`, with the role of the caller, who is member `m`. */
export const WORKSPACE_COLUMNS = `${selectList(COLUMNS, 'w')}, m.role`
export type WorkspaceRow = Pick<typeof workspaces.$inferSelect, keyof typeof COLUMNS> &
  Pick<typeof workspace_members.$inferSelect, 'role'>

export const toWorkspace = (row: WorkspaceRow): Workspace => ({
  id: row.id,
  name: row.name,
  role: row.role,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
  created_by: row.created_by,
})

/**
 * The workspaces that a caller sees: not deleted, of the tenant, with the user as a member. A key that is limited to
 * projects sees those that hold one of these. The cross join starts from the user's few memberships. Its values are `viewerOf`.
 */
export const VISIBLE_WORKSPACES = `
  workspace_members m cross join workspaces w on w.id = m.workspace_id
  where m.user_id = :caller and w.tenant_id = :tenant and w.deleted_at is null and (:projects is null or exists (
    select 1 from projects p where p.workspace_id = w.id and p.deleted_at is null
      and p.id in (select value from json_each(:projects))))`

/** The values of `VISIBLE_WORKSPACES`. */
export const viewerOf = ({ principal }: AuthContext) => ({
  caller: principal.userId,
  tenant: principal.tenantId,
  /** JSON of the projects that the caller is limited to; null: of none. */
  projects: principal.permissions === null ? null : JSON.stringify(principal.permissions.map((one) => one.project_id)),
})

/** A workspace that the caller sees, with the caller's role. 404 for every other id. */
export async function visibleWorkspace(ctx: AuthContext, id: string): Promise<WorkspaceRow> {
  ctx.trail.workspaceId = id
  const row = await ctx.db.first<WorkspaceRow>(
    `select ${WORKSPACE_COLUMNS} from ${VISIBLE_WORKSPACES} and w.id = :id`,
    { ...viewerOf(ctx), id },
  )
  if (row) return row
  ctx.trail.workspaceId = null
  throw notFound('workspace', id)
}

/** 403 for a key that is limited to projects: it changes no whole workspace. */
export function requireWholeWorkspace(ctx: AuthContext): void {
  if (ctx.principal.permissions !== null)
    throw forbidden('A key that is limited to projects cannot change a workspace.')
}
