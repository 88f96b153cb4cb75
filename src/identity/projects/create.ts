import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint, linksTo } from '../../core/http/endpoint.ts'
import { asNew } from '../../core/http/written.ts'
import { settleStatement } from '../../core/idempotency/settlement.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { anyId } from '../../core/http/fields.ts'
import { forbidden, ROLES_THAT, rolesSql } from '../access.ts'
import type { workspace_members } from '../table.ts'
import {
  PROJECT_RETURNED,
  ProjectOrWritten,
  projectFields,
  toProject,
  visibleProject,
  SAMPLE_PROJECT,
} from './project.ts'
import type { Project, ProjectRow } from './project.ts'
import type { RowOf } from '../../core/database/row.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'

export const CreateProject = z.strictObject({
  name: projectFields.name,
  workspace_id: anyId,
  description: projectFields.description.default(''),
  icon: projectFields.icon.default(''),
})

/** SQL: how many projects `:tenant` has. */
const PROJECTS_OF_TENANT = `(
  select count(*) from workspaces qw cross join projects q on q.workspace_id = qw.id and q.deleted_at is null
  where qw.tenant_id = :tenant and qw.deleted_at is null)`

const INSERT = `
  insert into projects (id, tenant_id, workspace_id, name, description, icon, created_by, created_at, updated_at)
  select :id, w.tenant_id, w.id, :name, :description, :icon, :caller, :now, :now
  from workspaces w join workspace_members m on m.workspace_id = w.id and m.user_id = :caller
  where w.id = :workspace and w.tenant_id = :tenant and w.deleted_at is null and m.role in (${rolesSql('write')})
    and (:quota is null or :quota > ${PROJECTS_OF_TENANT})
  returning ${PROJECT_RETURNED}`

/** Makes a project. The insert checks the role: 404 for a workspace that the caller does not see, 403 for a viewer. */
export async function createProject(ctx: AuthContext, input: z.output<typeof CreateProject>): Promise<Project> {
  const { principal, db } = ctx
  // A key that is limited to projects could not use the new one.
  if (principal.permissions !== null) throw forbidden('A key that is limited to projects cannot create projects.')
  const id = ctx.newId('prj')
  ctx.trail.resourceIds = [id]
  ctx.trail.projectId = id
  ctx.trail.workspaceId = input.workspace_id
  const made = sql('exists (select 1 from projects where id = :id)', { id })
  const [[row]] = await db.batch<[ProjectRow, never, never]>([
    db.statement(INSERT, {
      id,
      workspace: input.workspace_id,
      caller: principal.userId,
      name: input.name,
      description: input.description,
      icon: input.icon,
      now: ctx.now(),
      tenant: principal.tenantId,
      quota: ctx.config.quotas.projects,
    }),
    auditStatement(ctx, 'projects.create', made),
    settleStatement(ctx, id, made),
  ])
  if (row) return asNew(toProject(ctx, row))
  const workspace = await db.first<RowOf<typeof workspace_members, 'role'>>(
    `select m.role from workspaces w join workspace_members m on m.workspace_id = w.id and m.user_id = :caller
     where w.id = :workspace and w.tenant_id = :tenant and w.deleted_at is null`,
    { caller: principal.userId, workspace: input.workspace_id, tenant: principal.tenantId },
  )
  if (!workspace) throw notFound('workspace', input.workspace_id)
  if (!ROLES_THAT.write.includes(workspace.role)) throw forbidden('Your role in this workspace cannot create projects.')
  throw new AppError('quota_exceeded', {
    detail: `This tenant has reached its limit of ${ctx.config.quotas.projects} projects.`,
  })
}

export const createProjectEndpoint = endpoint({
  method: 'post',
  path: '/api/projects',
  operationId: 'createProject',
  tag: 'projects',
  summary: 'Create a project',
  scope: 'write:projects',
  reads: 'read:projects',
  limit: 'write',
  audit: 'projects.create',
  body: CreateProject,
  reply: { 201: ProjectOrWritten },
  links: [
    ...linksTo(['getProject', 'updateProject', 'deleteProject', 'applyRetention']),
    ...linksTo(['listMemories', 'exportMemories', 'listNamespaces', 'listSubjects'], {
      project_id: '$response.body#/id',
    }),
  ],
  errors: ['not_found', 'forbidden', 'quota_exceeded'],
  idempotent: {
    mode: 'claimed',
    replay: async (ctx, id) => toProject(ctx, await visibleProject(ctx, id)),
  },
  example: { body: { name: 'Support bot', workspace_id: SAMPLE_IDS.workspace }, reply: SAMPLE_PROJECT },
}).handle(({ ctx, body }) => createProject(ctx, body))
