import type { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { newestFirst, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { anyId } from '../../core/http/fields.ts'
import { SAMPLE_IDS, samplePage } from '../../core/sample.ts'
import { memberOfProject } from '../access.ts'
import { PROJECT_COLUMNS, ProjectSchema, toProject, type Project, type ProjectRow, SAMPLE_PROJECT } from './project.ts'

export const ListProjects = PageQuery.extend({ workspace_id: anyId.optional() })

/** The projects that the caller sees, newest first. */
export async function listProjects(ctx: AuthContext, input: z.output<typeof ListProjects>): Promise<Page<Project>> {
  const { principal } = ctx
  const [before, beforeId] = newestFirst.after(input)
  const rows = await ctx.db.all<ProjectRow>(
    `select ${PROJECT_COLUMNS} from projects p ${memberOfProject(':caller')}
     where p.tenant_id = :tenant and p.deleted_at is null and (p.created_at, p.id) < (:before, :before_id)
       and (:workspace is null or p.workspace_id = :workspace)
       and (:projects is null or p.id in (select value from json_each(:projects)))
     order by p.created_at desc, p.id desc limit :limit`,
    {
      caller: principal.userId,
      tenant: principal.tenantId,
      before,
      before_id: beforeId,
      workspace: input.workspace_id ?? null,
      projects: principal.permissions === null ? null : JSON.stringify(principal.permissions.map((p) => p.project_id)),
      limit: input.limit + 1,
    },
  )
  return newestFirst.page(rows, input, (row) => toProject(ctx, row))
}

export const listProjectsEndpoint = endpoint({
  method: 'get',
  path: '/v1/projects',
  operationId: 'listProjects',
  tag: 'projects',
  summary: 'List projects',
  scope: 'read:projects',
  limit: 'read',
  audit: 'projects.list',
  query: ListProjects,
  reply: { 200: pageOf(ProjectSchema) },
  example: { query: { workspace_id: SAMPLE_IDS.workspace }, reply: samplePage(SAMPLE_PROJECT) },
}).handle(({ ctx, query }) => listProjects(ctx, query))
