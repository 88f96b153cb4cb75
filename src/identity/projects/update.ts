import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { forbidden, memberOfProject, ROLES_THAT, rolesSql } from '../access.ts'
import { GuardChanges } from './guard.ts'
import { Retention, toColumn } from './retention.ts'
import {
  changeableProject,
  PROJECT_RETURNED,
  ProjectOrWritten,
  projectFields,
  toProject,
  visibleProject,
  SAMPLE_PROJECT,
} from './project.ts'
import type { Project, ProjectRow } from './project.ts'

export const UpdateProject = z
  .strictObject({
    name: projectFields.name.optional(),
    description: projectFields.description.optional(),
    icon: projectFields.icon.optional(),
    retention: Retention.optional(),
    guard: GuardChanges.optional(),
  })
  .openapi('ProjectChanges')

/** Rules on retention and the guard decide about other people's items, so they are for those who manage the project. */
const MAY_CHANGE = `m.role in (${rolesSql('write')}) and (not :manages or m.role in (${rolesSql('manage')}))`

const UPDATE = `
  update projects set name = coalesce(:name, name), description = coalesce(:description, description),
    icon = coalesce(:icon, icon), retention = iif(:sets_retention, :retention, retention),
    guard = iif(:guard is null, guard, json_patch(coalesce(guard, '{}'), :guard)), updated_at = :now
  where id = (select p.id from projects p ${memberOfProject(':caller')}
              where p.id = :id and p.tenant_id = :tenant and p.deleted_at is null and ${MAY_CHANGE})
  returning ${PROJECT_RETURNED}`

/**
 * Changes the fields that are named. 404 for a project that the caller does not see, 403 for one that it only reads, and
 * for the guard and the retention where it does not administer the workspace.
 */
export async function updateProject(
  ctx: AuthContext,
  id: string,
  input: z.output<typeof UpdateProject>,
): Promise<Project> {
  const { principal, db } = ctx
  await changeableProject(ctx, id)
  const now = ctx.now()
  const sets_retention = input.retention !== undefined ? 1 : 0
  const manages = input.retention !== undefined || input.guard !== undefined ? 1 : 0
  const [[row]] = await db.batch<[ProjectRow, never]>([
    db.statement(UPDATE, {
      id,
      tenant: principal.tenantId,
      name: input.name ?? null,
      description: input.description ?? null,
      icon: input.icon ?? null,
      retention: input.retention ? toColumn(input.retention) : null,
      sets_retention,
      guard: input.guard ? JSON.stringify(input.guard) : null,
      manages,
      now,
      caller: principal.userId,
    }),
    auditStatement(
      ctx,
      'projects.update',
      sql(
        `exists (select 1 from projects p ${memberOfProject(':caller')} where p.id = :id and p.deleted_at is null
           and ${MAY_CHANGE})`,
        { caller: principal.userId, id, manages },
      ),
    ),
  ])
  if (row) return toProject(ctx, row)
  const { role } = await visibleProject(ctx, id)
  const mayWrite = ROLES_THAT.write.includes(role)
  const what = mayWrite ? `the ${input.guard ? 'guard' : 'retention'} of projects` : 'projects'
  throw forbidden(`Your role in this workspace cannot change ${what}.`)
}

export const updateProjectEndpoint = endpoint({
  method: 'patch',
  path: '/v1/projects/{id}',
  operationId: 'updateProject',
  tag: 'projects',
  summary: 'Change a project',
  description:
    'Omitted fields do not change. `retention`, for owners and admins, is replaced as a whole and acts on later writes; ' +
    '`applyRetention` also sets the expiry of stored items. Of `guard`, for owners and admins, the named members change.',
  refusals: {
    too_large: '`retention` has more than 8 KiB as JSON',
    invalid_combination: 'a `default_ttl` is longer than its `max_ttl`',
  },
  scope: 'write:projects',
  reads: 'read:projects',
  limit: 'write',
  audit: 'projects.update',
  params: IdParams,
  body: UpdateProject,
  reply: { 200: ProjectOrWritten },
  errors: ['not_found', 'forbidden'],
  example: {
    params: { id: SAMPLE_IDS.project },
    body: { description: 'What customers told the support bot.' },
    reply: { ...SAMPLE_PROJECT, description: 'What customers told the support bot.' },
  },
}).handle(({ ctx, params, body }) => updateProject(ctx, params.id, body))
