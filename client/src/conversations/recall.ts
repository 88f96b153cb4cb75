import type { OperationOf, ReplyOf, RequestInput } from '../types.ts'
import { toWire, type Message } from './message.ts'
import { callOptionsOf, clientOf, contextOf, requirePlace, type Place } from './place.ts'

type Recall = OperationOf<'POST', '/v1/memory/recall'>
type Body = NonNullable<RequestInput<Recall>['body']>
type Reply = ReplyOf<Recall>

export interface RecallOptions extends Place {
  /** The most tokens that the text takes (default: 1,000). */
  maxTokens?: number
  /** As of a search. */
  filters?: Body['filters']
  /** The conversation that the model sees already. */
  excludeConversationId?: string
}

/** What to put in front of a model: data, with a line that says so. Empty if nothing is relevant. */
export type RecalledText = Omit<Reply, 'text' | 'items'> & { text: string }
/** The same as items, best first. */
export type RecalledItems = Omit<Reply, 'text' | 'items'> & { items: NonNullable<Reply['items']> }

/** Characters of a query (contract §3). Of the text of a message, the service takes beginning and end. */
const MAX_QUERY_CHARACTERS = 4_096
/** The last user message, and the one before it where the last has few words. */
const ASKING = 2

/**
 * What is remembered and relevant to a question, or to the last message of the user; with null, what is pinned and the newest
 * exchanges. Throws a TypeError for an empty id of a user.
 */
export async function recall(
  asked: string | readonly Message[] | null,
  options?: RecallOptions & { format?: 'text' },
): Promise<RecalledText>
export async function recall(
  asked: string | readonly Message[] | null,
  options: RecallOptions & { format: 'items' },
): Promise<RecalledItems>
export async function recall(
  asked: string | readonly Message[] | null,
  options: RecallOptions & { format?: 'text' | 'items' } = {},
): Promise<RecalledText | RecalledItems> {
  requirePlace(options)
  const { maxTokens, filters, excludeConversationId, format = 'text' } = options
  const { project_id, namespace } = await contextOf(options)
  const {
    text = '',
    items = [],
    ...rest
  } = await clientOf(options).request('POST', '/v1/memory/recall', {
    body: {
      ...questionOf(asked),
      context: { ...(project_id && { project_id }), ...(namespace && { namespace }) },
      ...(filters && { filters }),
      ...(excludeConversationId !== undefined && { exclude_conversation_id: excludeConversationId }),
      ...(maxTokens !== undefined && { max_tokens: maxTokens }),
      format,
    },
    ...callOptionsOf(options),
  })
  return format === 'text' ? { text, ...rest } : { items, ...rest }
}

function questionOf(asked: string | readonly Message[] | null): Pick<Body, 'query' | 'messages'> {
  if (asked === null) return {}
  if (typeof asked !== 'string') return asking(asked)
  return asked.length > MAX_QUERY_CHARACTERS ? { messages: [{ role: 'user', content: asked }] } : { query: asked }
}

/** Without a message of a user there is no question. */
function asking(messages: readonly Message[]): Pick<Body, 'messages'> {
  const asked = messages.filter(({ role }) => role === 'user').slice(-ASKING)
  return asked.length === 0 ? {} : { messages: asked.map(({ role, content }) => toWire({ role, content })) }
}
