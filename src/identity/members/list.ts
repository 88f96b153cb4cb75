import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { listOrder, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS, samplePage } from '../../core/sample.ts'
import { visibleWorkspace } from '../workspaces/workspace.ts'
import { MEMBER_COLUMNS, MemberSchema, toMember, type Member, type MemberRow, SAMPLE_MEMBER } from './member.ts'

/** Among members of one instant the id of the user decides. */
const newestFirst = listOrder(
  z.tuple([z.number(), z.string()]),
  [Number.MAX_SAFE_INTEGER, ''],
  (row: Pick<MemberRow, 'created_at' | 'user_id'>) => [row.created_at, row.user_id],
)

/** The members of a workspace, newest first, for every member to see. */
export async function listMembers(
  ctx: AuthContext,
  workspaceId: string,
  input: z.output<typeof PageQuery>,
): Promise<Page<Member>> {
  await visibleWorkspace(ctx, workspaceId)
  const [before, beforeId] = newestFirst.after(input)
  const rows = await ctx.db.all<MemberRow>(
    `select ${MEMBER_COLUMNS} from workspace_members m join users u on u.id = m.user_id and u.deleted_at is null
     where m.workspace_id = :workspace and m.tenant_id = :tenant and (m.created_at, m.user_id) < (:before, :before_id)
     order by m.created_at desc, m.user_id desc limit :limit`,
    { workspace: workspaceId, tenant: ctx.principal.tenantId, before, before_id: beforeId, limit: input.limit + 1 },
  )
  return newestFirst.page(rows, input, toMember)
}

export const listMembersEndpoint = endpoint({
  method: 'get',
  path: '/v1/workspaces/{id}/members',
  operationId: 'listMembers',
  tag: 'members',
  summary: 'List members',
  scope: 'read:projects',
  limit: 'read',
  audit: 'members.list',
  params: IdParams,
  query: PageQuery,
  reply: { 200: pageOf(MemberSchema) },
  errors: ['not_found'],
  example: { params: { id: SAMPLE_IDS.workspace }, reply: samplePage(SAMPLE_MEMBER) },
}).handle(({ ctx, params, query }) => listMembers(ctx, params.id, query))
