import { z } from '@hono/zod-openapi'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { columnsOf, selectList } from '../../core/database/columns.ts'
import { notFound } from '../../core/errors.ts'
import { idOf, text, timestamp } from '../../core/http/fields.ts'
import { wholeOrShort } from '../../core/http/written.ts'
import { forbidden, memberOfProject, permissionFor, permits, permitsProject } from '../access.ts'
import { fromColumn, Retention } from './retention.ts'
import { projects, type workspace_members } from '../table.ts'
import type { RowOf } from '../../core/database/row.ts'
import { SAMPLE_IDS, SAMPLE_TIME } from '../../core/sample.ts'
import { DEFAULT_GUARD, guardOf, GuardSchema } from './guard.ts'

export const ProjectSchema = z
  .object({
    id: idOf('prj'),
    name: z.string(),
    description: z.string(),
    workspace_id: idOf('wsp'),
    icon: z.string(),
    guard: GuardSchema,
    created_at: timestamp,
    updated_at: timestamp,
    created_by: z.string(),
    retention: Retention.optional().meta({
      description: 'Rules for the expiry of items. Absent for a key that is limited to namespaces.',
    }),
  })
  .openapi('Project')
export type Project = z.infer<typeof ProjectSchema>

/** What a write answers of a project. */
export const ProjectOrWritten = wholeOrShort('Project', ProjectSchema, ['id', 'created_at', 'updated_at'])

export const SAMPLE_PROJECT: Project = {
  id: SAMPLE_IDS.project,
  name: 'Support bot',
  description: '',
  workspace_id: SAMPLE_IDS.workspace,
  icon: '',
  guard: DEFAULT_GUARD,
  created_at: SAMPLE_TIME,
  updated_at: SAMPLE_TIME,
  created_by: SAMPLE_IDS.ada,
  retention: [],
}

const MAX_NAME_CHARACTERS = 120
const MAX_DESCRIPTION_CHARACTERS = 2_000
const MAX_ICON_CHARACTERS = 64

export const projectFields = {
  name: text(1, MAX_NAME_CHARACTERS),
  description: text(0, MAX_DESCRIPTION_CHARACTERS),
  icon: text(0, MAX_ICON_CHARACTERS),
}

const COLUMNS = columnsOf(
  projects,
  'id',
  'name',
  'description',
  'workspace_id',
  'icon',
  'guard',
  'created_at',
  'updated_at',
  'created_by',
  'retention',
)
/** The columns of projects `p`. */
export const PROJECT_COLUMNS = selectList(COLUMNS, 'p')
/** The columns that an insert or an update returns. */
export const PROJECT_RETURNED = selectList(COLUMNS)
export type ProjectRow = Pick<typeof projects.$inferSelect, keyof typeof COLUMNS>

/** Rules name namespaces, so a key that is limited to some of them sees no rule. */
export const toProject = ({ principal }: Pick<AuthContext, 'principal'>, row: ProjectRow): Project => ({
  id: row.id,
  name: row.name,
  description: row.description,
  workspace_id: row.workspace_id,
  icon: row.icon,
  guard: guardOf(row.guard),
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
  created_by: row.created_by,
  ...(permissionFor(principal, row.id)?.namespaces ? {} : { retention: fromColumn(row.retention) }),
})

/** A project that the caller sees, with the caller's role in it. 404 for every other id. */
export async function visibleProject(
  ctx: AuthContext,
  id: string,
): Promise<ProjectRow & RowOf<typeof workspace_members, 'role'>> {
  const row = permits(ctx.principal, id, 'read')
    ? await ctx.db.first<ProjectRow & RowOf<typeof workspace_members, 'role'>>(
        `select ${PROJECT_COLUMNS}, m.role from projects p ${memberOfProject(':caller')}
         where p.id = :id and p.tenant_id = :tenant and p.deleted_at is null`,
        { id, tenant: ctx.principal.tenantId, caller: ctx.principal.userId },
      )
    : null
  if (!row) throw notFound('project', id)
  return row
}

/**
 * Notes the project of a change in the audit trail. 404 for a project that the caller does not see, 403 for a key that
 * reaches only a part of it. The statement of the change checks the role.
 */
export async function changeableProject(ctx: AuthContext, id: string): Promise<void> {
  ctx.trail.resourceIds = [id]
  const project = await visibleProject(ctx, id)
  ctx.trail.projectId = id
  ctx.trail.workspaceId = project.workspace_id
  if (!permitsProject(ctx.principal, id)) throw forbidden('This key can access only a part of this project.')
}
