import type { AgentInputItem, Session, SessionHistoryTransactionArgs } from '@openai/agents-core'
import type { Message } from '../conversations/message.ts'
import { requirePlace, type Place } from '../conversations/place.ts'
import { MEMORY_TIMEOUT_MS, quietly, warn } from '../conversations/quietly.ts'
import { remember } from '../conversations/remember.ts'

export interface RecollectSessionOptions extends Pick<Place, 'recollect' | 'user' | 'context'> {
  /** Default: the id of the inner session. */
  conversationId?: string
  /**
   * Told of each failure of the memory, which then never fails the run. Without it, a 4xx fails the run, and the network, a 429
   * and a 5xx warn once on the console. A memory that takes longer than 5 s fails. The history is kept in each case.
   */
  onError?: (error: unknown) => void
}

/** What a call appends to the history. A key: the runner may repeat the call. */
interface Appended {
  items: readonly AgentInputItem[]
  key?: string
}

const ofItems = (items: unknown): Appended => ({ items: items as AgentInputItem[] })

/** The functions that append: which one a run calls depends on what the inner session can do. */
const APPENDING = new Map<string | symbol, (given: unknown) => Appended>([
  ['addItems', ofItems],
  ['addItemsWithCompactionOwnership', ofItems],
  ['replaceHistoryWithCompaction', ofItems],
  [
    'applyHistoryTransaction',
    (given) => {
      const { operationId, transaction } = given as SessionHistoryTransactionArgs
      return transaction.type === 'append_items' ? { items: transaction.items, key: operationId } : { items: [] }
    },
  ],
])

/** The functions that discard a history, and the place of the context of a run among what they are given. */
const DISCARDING = new Map<string | symbol, number>([
  ['clearSession', 0],
  ['replaceHistoryWithCompaction', 1],
])

/**
 * The inner session, whose history stays as it is, and which also remembers the texts of user and assistant. `popItem` and
 * `clearSession` act on the inner session alone. An empty id of a user is a TypeError.
 */
export function recollectSession<Inner extends Session>(inner: Inner, options: RecollectSessionOptions = {}): Inner {
  requirePlace(options)
  const { conversationId, onError, ...where } = options
  const place: Place = { ...where, timeoutMs: MEMORY_TIMEOUT_MS }
  const safely = quietly(onError)
  const neverFailing = quietly(onError ?? warn)
  // A run clears a history to write it again, whole or compacted. What was in it is remembered already.
  let discarded: Message[] | null = null

  const noteHistory = async (runContext: unknown[]): Promise<void> => {
    const getItems: (limit?: number, ...more: unknown[]) => Promise<AgentInputItem[]> = inner.getItems.bind(inner)
    const history = await getItems(undefined, ...runContext).catch(() => [])
    discarded = [...(discarded ?? []), ...history.flatMap(messagesOf)]
  }

  const rememberItems = async ({ items, key }: Appended): Promise<void> => {
    const messages = without(discarded ?? [], items.flatMap(messagesOf))
    // If a run writes a history again and this fails, it takes back what it has written.
    const run = discarded === null ? safely : neverFailing
    discarded = null
    if (messages.length === 0) return
    const id = conversationId ?? (await inner.getSessionId())
    await run(() =>
      remember(messages, { ...place, conversationId: id, ...(key === undefined ? {} : { idempotencyKey: key }) }),
    )
  }

  return new Proxy(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      const appendedBy = APPENDING.get(name)
      const contextAt = DISCARDING.get(name)
      if (appendedBy === undefined && contextAt === undefined) return value.bind(target)
      return async (...given: unknown[]) => {
        if (contextAt !== undefined) await noteHistory(given.slice(contextAt))
        const result: unknown = await Reflect.apply(value, target, given)
        if (appendedBy !== undefined) await rememberItems(appendedBy(given[0]))
        return result
      }
    },
  })
}

/** The messages that are not among others, each of which stands for one. */
function without(others: readonly Message[], messages: readonly Message[]): Message[] {
  const left = others.map((message) => JSON.stringify(message))
  return messages.filter((message) => {
    const at = left.indexOf(JSON.stringify(message))
    if (at !== -1) left.splice(at, 1)
    return at === -1
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
