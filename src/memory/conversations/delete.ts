import { z } from '@hono/zod-openapi'
import { endpoint } from '../../core/http/endpoint.ts'
import { bulkDelete, BulkDeleteReply } from '../operations/bulk-delete.ts'
import { PROJECT_REFUSALS } from '../refusals.ts'
import { conversationPlace, ConversationParams } from './get.ts'

export const deleteConversationEndpoint = endpoint({
  method: 'delete',
  path: '/v1/memory/conversations/{conversation_id}',
  operationId: 'deleteConversation',
  refusals: PROJECT_REFUSALS,
  tag: 'memory',
  summary: 'Delete a conversation',
  description:
    'Deletes up to 1,000 turns of a conversation per call, retired ones too. While `has_more` is true, call again. ' +
    'Turns that you cannot change are kept, and so are notes that name the conversation. It also needs `read:memory`, because the answer tells how many turns there were.',
  scope: 'write:memory',
  scopeFor: () => 'read:memory',
  limit: 'write',
  audit: 'memory.delete',
  params: ConversationParams,
  query: z.strictObject(conversationPlace),
  reply: { 200: BulkDeleteReply },
  errors: ['not_found', 'forbidden'],
  example: { params: { conversation_id: 'chat-18' }, reply: { deleted: 2, has_more: false } },
}).handle(({ ctx, params, query }) =>
  bulkDelete(ctx, {
    context: { ...query, ...params },
    filters: { field: 'kind', oneOf: ['turn'] },
    status: 'any',
    dry_run: false,
  }),
)
