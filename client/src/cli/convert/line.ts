import { createHash } from 'node:crypto'

/** A line of an import, as `POST /v1/memory/import` takes it. */
export interface ImportLine {
  content: { text: string; type?: string; metadata?: Record<string, unknown> }
  context?: { conversation_id?: string; session_id?: string }
  tags?: string[]
  custom_id?: string
  occurred_at?: string
  created_at?: string
  updated_at?: string
  ttl?: number
}

/** The result of each record of a source: a line, or the reason why there is none. `from` names the record for a person. */
export type Converted = { from: string; line: string } | { from: string; skipped: string }

/** Of an item, in seconds (contract §3). */
export const LONGEST_TTL = 315_360_000

const MAX_ID = 128
const ITEM_TAGS = 32
const MAX_TAG = 64

/** Within the bounds of contract §3: an id that is too long keeps its head, and a hash tells it from others. */
export function boundedId(text: string): string {
  if (Array.from(text).length <= MAX_ID) return text
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `${Array.from(text)
    .slice(0, MAX_ID - hash.length - 1)
    .join('')}~${hash}`
}

export function boundedTags(values: readonly unknown[]): string[] {
  const texts = values.flatMap((value) => (typeof value === 'string' ? [value.trim()] : []))
  const tags = texts.map((text) => Array.from(text).slice(0, MAX_TAG).join('').trim()).filter((tag) => tag !== '')
  return [...new Set(tags)].slice(0, ITEM_TAGS)
}

/** An instant as ISO 8601 in UTC; undefined for anything else. One without an offset is taken for UTC. */
export function instantOf(value: unknown): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined
  const text = value.trim().replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T')
  const withOffset = /T.*(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) || !text.includes('T') ? text : `${text}Z`
  const ms = Date.parse(withOffset)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

/** The fields that have a value. */
export const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  ) as Present<T>

type Present<T> = { [K in keyof T]?: NonNullable<T[K]> }
