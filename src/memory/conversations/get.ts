import { z } from '@hono/zod-openapi'
import { pageOf, PageQuery } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { anyId } from '../../core/http/fields.ts'
import { Namespace } from '../../core/namespace.ts'
import { SAMPLE_IDS, samplePage } from '../../core/sample.ts'
import { ContextId, MemoryItemSchema } from '../item.ts'
import { list } from '../operations/list.ts'
import { PROJECT_REFUSALS } from '../refusals.ts'
import { StatusFilter } from '../retirement/status-filter.ts'
import { SAMPLE_ITEM } from '../sample.ts'

/** Names a conversation of a namespace. */
export const ConversationParams = z.strictObject({ conversation_id: ContextId })
/** Where it is. */
export const conversationPlace = { project_id: anyId.optional(), namespace: Namespace.optional() }

const GetConversation = PageQuery.extend({ ...conversationPlace, status: StatusFilter })

export const getConversationEndpoint = endpoint({
  method: 'get',
  path: '/v1/memory/conversations/{conversation_id}',
  operationId: 'getConversation',
  refusals: PROJECT_REFUSALS,
  tag: 'memory',
  summary: 'List the turns of a conversation',
  description:
    'Lists the turns of a conversation that you can read, in order. A conversation in which you can read none is an empty list.',
  scope: 'read:memory',
  limit: 'read',
  audit: 'memory.list',
  params: ConversationParams,
  query: GetConversation,
  reply: { 200: pageOf(MemoryItemSchema) },
  errors: ['not_found'],
  example: {
    params: { conversation_id: 'chat-18' },
    query: { limit: 20 },
    reply: samplePage({
      ...SAMPLE_ITEM,
      id: SAMPLE_IDS.turn,
      content: { text: 'I moved to Lisbon in May.', type: 'text/plain', metadata: {} },
      context: { ...SAMPLE_ITEM.context, conversation_id: 'chat-18' },
      tags: [],
      ttl: null,
      custom_id: null,
      kind: 'turn',
      role: 'user',
      speaker: 'Ada',
      occurred_at: SAMPLE_ITEM.created_at,
      expires_at: null,
    }),
  },
}).handle(({ ctx, params, query }) =>
  list(ctx, { ...query, ...params, kind: 'turn', sort: 'occurred_at', tags_match: 'any' }),
)
