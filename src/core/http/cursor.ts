import { z } from 'zod'
import { fromBase64Url, toBase64Url, utf8 } from '../values/encoding.ts'
import { invalid } from '../errors.ts'

const MAX_PAGE_ROWS = 100
const DEFAULT_PAGE_ROWS = 20

/** `limit` and `cursor` of every list (contract §1). */
export const PageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_ROWS).default(DEFAULT_PAGE_ROWS),
  cursor: z.string().max(1024).optional(),
})

export interface Page<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
}

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), has_more: z.boolean(), next_cursor: z.string().nullable() })

/** The values of a row that give its place in a list; the last one is unique in the list. Carries no rights. */
export type Position = readonly [string | number, ...(string | number)[]]

/**
 * The order of a list. `start` is the position before the first row, and `positionOf` names the one of a row. A cursor
 * is the position of the last row shown, opaque to clients.
 */
export function listOrder<P extends Position, Row>(shape: z.ZodType<P>, start: P, positionOf: (row: Row) => P) {
  return {
    start,
    /** The position after which a page begins; 422 where the cursor was made up or belongs to another list. */
    after: ({ cursor }: { cursor?: string | undefined }): P => (cursor ? decodeCursor(shape, cursor) : start),
    /** The cursor of the page after a row. */
    cursorOf: (row: Row): string => encodeCursor(positionOf(row)),
    /** Cuts `limit + 1` fetched rows to a page. */
    page<R extends Row, T>(rows: readonly R[], { limit }: { limit: number }, map: (row: R) => T): Page<T> {
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const more = rows.length > limit && last !== undefined
      return {
        data: shown.map((row) => map(row)),
        has_more: more,
        next_cursor: more ? encodeCursor(positionOf(last)) : null,
      }
    },
  }
}

export const Age = z.tuple([z.number(), z.string()])
const ageOf = (row: { created_at: number; id: string }): [number, string] => [row.created_at, row.id]

/** Lists by `created_at` and id. A page holds the rows that are less than `after`, or greater with the oldest first. */
export const newestFirst = listOrder(Age, [Number.MAX_SAFE_INTEGER, ''], ageOf)
export const oldestFirst = listOrder(Age, [0, ''], ageOf)

export const encodeCursor = (position: Position): string => toBase64Url(utf8(JSON.stringify(position)))

export function decodeCursor<P extends Position>(shape: z.ZodType<P>, cursor: string): P {
  const bytes = fromBase64Url(cursor)
  try {
    if (bytes) return shape.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)))
  } catch {
    // Every fault of a cursor gets the same answer, below.
  }
  throw invalidCursor()
}

export const invalidCursor = () => invalid('cursor', 'invalid_cursor', 'The cursor is not from this list.')
