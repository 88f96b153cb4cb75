import { randomKey } from '../http.ts'
import type { OperationOf, ReplyOf } from '../types.ts'
import { toWire, type Message } from './message.ts'
import { callOptionsOf, clientOf, contextOf, requirePlace, type Place } from './place.ts'

export interface RememberOptions extends Place {
  conversationId: string
  /** `history` is for messages that are sent again each time: what is stored already is found in its order. Default: `append`. */
  mode?: 'append' | 'history'
  /** The roles that are stored (default: `user` and `assistant`). */
  roles?: ('user' | 'assistant' | 'system' | 'tool')[]
  tags?: string[]
  /** Seconds until the messages expire. */
  ttl?: number
  visibility?: 'project' | 'private'
  /** 1 to 200 printable characters. With it, the same call that is started again stores nothing twice. */
  idempotencyKey?: string
}

/** The ids of what each message became, in order. */
export type Remembered = ReplyOf<OperationOf<'POST', '/v1/memory/ingest'>>

/** Of one call (contract §3). */
const MAX_MESSAGES = 100
/** A body has at most 1 MiB (contract §1); the rest is for what stands around the messages. */
const MAX_BYTES = 1_000_000

/**
 * Stores messages of a conversation, in calls of at most 100. A retry stores nothing twice: each message without an id and
 * a time gets an id. A `history` is one call, with its newest messages that fit. Throws a TypeError for an empty id of a user.
 */
export async function remember(messages: Message | readonly Message[], options: RememberOptions): Promise<Remembered> {
  requirePlace(options)
  const { conversationId, mode = 'append', roles, tags, ttl, visibility, idempotencyKey } = options
  const recollect = clientOf(options)
  const body = {
    conversation_id: conversationId,
    context: await contextOf(options),
    mode,
    ...(roles && { roles }),
    ...(tags && { tags }),
    ...(ttl !== undefined && { ttl }),
    ...(visibility && { visibility }),
  }
  const all = [messages].flat()
  const slices = mode === 'history' ? newestOf(all) : slicesOf(withIds(all, idempotencyKey ?? randomKey()))
  const total: Remembered = { conversation_id: conversationId, messages: [] }
  for (const slice of slices) {
    const key = idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}-${total.messages.length}` }
    const answer = await recollect.request('POST', '/v1/memory/ingest', {
      body: { ...body, messages: slice },
      ...callOptionsOf(options),
      ...key,
    })
    total.messages.push(...answer.messages)
    if (answer.warnings) total.warnings = [...(total.warnings ?? []), ...answer.warnings]
  }
  return total
}

/** A message with a time is known by it and its text. */
const withIds = (messages: readonly Message[], key: string): Message[] =>
  messages.map((message, n) =>
    message.id === undefined && message.timestamp === undefined ? { ...message, id: `${key}-${n}` } : message,
  )

/** The service finds each call of a history in what is stored: a second one would skip what equals a later message. */
function newestOf(messages: readonly Message[]): ReturnType<typeof toWire>[][] {
  const [newest] = slicesOf([...messages].reverse())
  return newest ? [newest.reverse()] : []
}

/** The messages of each call: not too many, and not too large. */
function* slicesOf(messages: readonly Message[]): Generator<ReturnType<typeof toWire>[], void> {
  let held: ReturnType<typeof toWire>[] = []
  let bytes = 0
  for (const message of messages.map(toWire)) {
    const size = new TextEncoder().encode(JSON.stringify(message)).length
    if (held.length === MAX_MESSAGES || (held.length > 0 && bytes + size > MAX_BYTES)) {
      yield held
      held = []
      bytes = 0
    }
    held.push(message)
    bytes += size
  }
  if (held.length > 0) yield held
}
