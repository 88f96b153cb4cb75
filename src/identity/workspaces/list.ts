import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { decodeCursor, PageQuery, pageOf, toPage, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import {
  reachOf,
  toWorkspace,
  VISIBLE_WORKSPACES,
  WORKSPACE_COLUMNS,
  WorkspaceSchema,
  type Workspace,
  type WorkspaceRow,
} from './workspace.ts'

const Position = z.tuple([z.number(), z.string()])

/** The workspaces that the caller sees, newest first, with the caller's role in each. */
export async function listWorkspaces(ctx: AuthContext, input: z.output<typeof PageQuery>): Promise<Page<Workspace>> {
  const [before, beforeId] = input.cursor ? decodeCursor(Position, input.cursor) : [Number.MAX_SAFE_INTEGER, '']
  const rows = await ctx.db.all<WorkspaceRow>(
    `select ${WORKSPACE_COLUMNS} from ${VISIBLE_WORKSPACES} and (w.created_at, w.id) < (?4, ?5)
     order by w.created_at desc, w.id desc limit ?6`,
    ...reachOf(ctx),
    before,
    beforeId,
    input.limit + 1,
  )
  return toPage(rows, input.limit, (row) => [row.created_at, row.id], toWorkspace)
}

export const listWorkspacesEndpoint = endpoint({
  method: 'get',
  path: '/v1/workspaces',
  tag: 'workspaces',
  summary: 'List workspaces',
  scope: 'read:projects',
  limit: 'read',
  audit: 'workspaces.list',
  query: PageQuery,
  reply: { 200: pageOf(WorkspaceSchema) },
}).handle(({ ctx, query }) => listWorkspaces(ctx, query))
