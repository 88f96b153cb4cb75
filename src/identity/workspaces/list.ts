import type { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { newestFirst, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import {
  viewerOf,
  toWorkspace,
  VISIBLE_WORKSPACES,
  WORKSPACE_COLUMNS,
  WorkspaceSchema,
  type Workspace,
  type WorkspaceRow,
  SAMPLE_WORKSPACE,
} from './workspace.ts'
import { samplePage } from '../../core/sample.ts'

/** The workspaces that the caller sees, newest first, with the caller's role in each. */
export async function listWorkspaces(ctx: AuthContext, input: z.output<typeof PageQuery>): Promise<Page<Workspace>> {
  const [before, beforeId] = newestFirst.after(input)
  const rows = await ctx.db.all<WorkspaceRow>(
    `select ${WORKSPACE_COLUMNS} from ${VISIBLE_WORKSPACES} and (w.created_at, w.id) < (:before, :before_id)
     order by w.created_at desc, w.id desc limit :limit`,
    { ...viewerOf(ctx), before, before_id: beforeId, limit: input.limit + 1 },
  )
  return newestFirst.page(rows, input, toWorkspace)
}

export const listWorkspacesEndpoint = endpoint({
  method: 'get',
  path: '/v1/workspaces',
  operationId: 'listWorkspaces',
  tag: 'workspaces',
  summary: 'List workspaces',
  scope: 'read:projects',
  limit: 'read',
  audit: 'workspaces.list',
  query: PageQuery,
  reply: { 200: pageOf(WorkspaceSchema) },
  example: { reply: samplePage(SAMPLE_WORKSPACE) },
}).handle(({ ctx, query }) => listWorkspaces(ctx, query))
