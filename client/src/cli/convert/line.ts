import { createHash } from 'node:crypto'

/** A line of an import, as `POST /v1/memory/import` takes it. null clears what an earlier import has set. */
export interface ImportLine {
  content: { text: string; type?: string; metadata?: Record<string, unknown> }
  context?: { namespace?: string; session_id?: string | null; conversation_id?: string; subject?: string }
  tags?: string[]
  custom_id?: string
  occurred_at?: string | null
  created_at?: string
  updated_at?: string
  ttl?: number | null
  turn?: ImportTurn
  visibility?: 'private' | 'project'
}

/** What makes a line a message of a conversation, beside `context.conversation_id`. */
export interface ImportTurn {
  role: 'user' | 'assistant' | 'system' | 'tool'
  /** The name that the message carries; null: none. */
  speaker: string | null
  /** By which the service recognizes it in a second import. */
  message_id: string | null
  /** From 0: a text that is too long for an item has several. */
  part: number
}

/** An item of a source, before it is cut into parts. `from` names it for a person. */
export interface Item {
  from: string
  line: ImportLine
  /** Identifies the item in its source, whatever its length. A second import updates the same item. */
  id?: string | undefined
  /** What `--namespace` can name of it. */
  names?: Names
  /** What a person should know about it, although it is stored. */
  note?: string | undefined
}

export type Names = Record<string, string | undefined>

/** What an import leaves out: it cannot be read, its source has ended it, or an import does not take things of its kind. */
export interface LeftOut {
  from: string
  reason: string
  kind: 'unread' | 'ended' | 'outside'
  /** Of a source that leaves out many things of a kind: their number. They are counted by reason, and not listed. */
  count?: number
}

/** The result of each record of a source. */
export type Converted = Item | LeftOut

export const unread = (from: string, reason: string): LeftOut => ({ from, reason, kind: 'unread' })
export const ended = (from: string, reason: string): LeftOut => ({ from, reason, kind: 'ended' })

/** Of an item, in seconds (contract §3). */
export const LONGEST_TTL = 315_360_000

const MAX_ID = 128

/** Within the bounds of contract §3: an id that is too long keeps its head, and a hash tells it from others. */
export function boundedId(text: string): string {
  if (Array.from(text).length <= MAX_ID) return text
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `${Array.from(text)
    .slice(0, MAX_ID - hash.length - 1)
    .join('')}~${hash}`
}

/** The id of a record that has none: the same values have the same id in a second import. */
export const idByContent = (...values: unknown[]): string =>
  `sha256:${createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32)}`

/** The fields that have a value. */
export const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  ) as Present<T>

type Present<T> = { [K in keyof T]?: NonNullable<T[K]> }
