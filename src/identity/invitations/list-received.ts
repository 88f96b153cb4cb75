import type { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { newestFirst, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { SAMPLE_IDS, SAMPLE_TIME, samplePage } from '../../core/sample.ts'
import { RECEIVED, RECEIVED_COLUMNS, ReceivedInvitationSchema, toReceived } from './received.ts'
import type { ReceivedInvitation, ReceivedRow } from './received.ts'

/** The open invitations of the caller's address, newest first. */
export async function listReceived(
  ctx: AuthContext,
  input: z.output<typeof PageQuery>,
): Promise<Page<ReceivedInvitation>> {
  const [before, beforeId] = newestFirst.after(input)
  const rows = await ctx.db.all<ReceivedRow>(
    `select ${RECEIVED_COLUMNS} from ${RECEIVED} and (i.created_at, i.id) < (:before, :before_id)
     order by i.created_at desc, i.id desc limit :limit`,
    { caller: ctx.principal.userId, now: ctx.now(), before, before_id: beforeId, limit: input.limit + 1 },
  )
  return newestFirst.page(rows, input, toReceived)
}

export const listReceivedEndpoint = endpoint({
  method: 'get',
  path: '/v1/invitations',
  operationId: 'listReceivedInvitations',
  tag: 'members',
  summary: 'List your invitations',
  description: 'The open invitations for your address in your tenant.',
  auth: 'session',
  scope: null,
  limit: 'read',
  audit: 'invitations.list_received',
  query: PageQuery,
  reply: { 200: pageOf(ReceivedInvitationSchema) },
  example: {
    reply: samplePage({
      id: SAMPLE_IDS.invitation,
      workspace_id: SAMPLE_IDS.workspace,
      workspace_name: 'Research',
      role: 'editor',
      invited_by: SAMPLE_IDS.ada,
      invited_by_name: 'Ada',
      created_at: SAMPLE_TIME,
      expires_at: '2026-11-28T09:30:00.000Z',
    }),
  },
}).handle(({ ctx, query }) => listReceived(ctx, query))
