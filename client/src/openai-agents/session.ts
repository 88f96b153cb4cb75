import type { AgentInputItem, Session, SessionHistoryTransactionArgs } from '@openai/agents-core'
import type { Message } from '../conversations/message.ts'
import { requirePlace, type Place } from '../conversations/place.ts'
import { quietly } from '../conversations/quietly.ts'
import { remember } from '../conversations/remember.ts'

export interface RecollectSessionOptions extends Pick<Place, 'recollect' | 'user' | 'context'> {
  /** Default: the id of the inner session. */
  conversationId?: string
  /**
   * Told of each failure of the memory, which then never fails the run. Without it, a 4xx fails the run, and the network, a 429
   * and a 5xx warn once on the console. The history is kept in each case.
   */
  onError?: (error: unknown) => void
}

/** What a call appends to the history. A key: the runner may repeat the call. */
interface Appended {
  items: readonly AgentInputItem[]
  key?: string
}

/** The functions that append: which one a run calls depends on what the inner session can do. */
const APPENDING: Record<string, (given: unknown) => Appended> = {
  addItems: (items) => ({ items: items as AgentInputItem[] }),
  addItemsWithCompactionOwnership: (items) => ({ items: items as AgentInputItem[] }),
  applyHistoryTransaction: (given) => {
    const { operationId, transaction } = given as SessionHistoryTransactionArgs
    return transaction.type === 'append_items' ? { items: transaction.items, key: operationId } : { items: [] }
  },
}

/**
 * The inner session, whose history stays as it is, and which also remembers the texts of user and assistant. What takes an item
 * back, or all, acts on the inner session alone. An empty id of a user is a TypeError.
 */
export function recollectSession<Inner extends Session>(inner: Inner, options: RecollectSessionOptions = {}): Inner {
  requirePlace(options)
  const { conversationId, onError, ...place } = options
  const safely = quietly(onError)

  const rememberItems = async ({ items, key }: Appended): Promise<void> => {
    const messages = items.flatMap(messagesOf)
    if (messages.length === 0) return
    const id = conversationId ?? (await inner.getSessionId())
    await safely(() =>
      remember(messages, { ...place, conversationId: id, ...(key === undefined ? {} : { idempotencyKey: key }) }),
    )
  }

  return new Proxy(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      const appendedBy = typeof name === 'string' ? APPENDING[name] : undefined
      return appendedBy === undefined
        ? value.bind(target)
        : async (...given: unknown[]) => {
            const result: unknown = await Reflect.apply(value, target, given)
            await rememberItems(appendedBy(given[0]))
            return result
          }
    },
  })
}

/** What a user or an assistant says. An id is no identity, as models without the Responses API give none. */
function messagesOf(item: AgentInputItem): Message[] {
  if (!('role' in item) || item.role === 'system') return []
  const { role, content } = item
  if (typeof content === 'string') return content === '' ? [] : [{ role, content }]
  const parts = content.flatMap((part) =>
    'text' in part && part.text !== '' ? [{ type: 'text', text: part.text }] : [],
  )
  return parts.length === 0 ? [] : [{ role, content: parts }]
}
