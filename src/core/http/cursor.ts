import { z } from 'zod'
import { fromBase64Url, toBase64Url, utf8 } from '../values/encoding.ts'
import { invalid } from '../errors.ts'

/** `limit` and `cursor` of every list (contract §1). */
export const PageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().max(1024).optional(),
})

export interface Page<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
}

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), has_more: z.boolean(), next_cursor: z.string().nullable() })

/** A position in a list, opaque to clients: the sort key and id of the last row shown. Carries no rights. */
export const encodeCursor = (position: readonly (string | number)[]): string =>
  toBase64Url(utf8(JSON.stringify(position)))

/** Reads a cursor of the given shape; 422 where it was made up or belongs to another list. */
export function decodeCursor<T extends z.ZodType>(shape: T, cursor: string): z.output<T> {
  const bytes = fromBase64Url(cursor)
  try {
    if (bytes) return shape.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)))
  } catch {
    // falls through: whatever is wrong with it, the answer is the same
  }
  throw invalid('cursor', 'invalid_cursor', 'The cursor is not one that this list gave out.')
}

/** Cuts `limit + 1` fetched rows to a page; `position` names the last row shown. */
export function toPage<R, T>(
  rows: R[],
  limit: number,
  position: (row: R) => readonly (string | number)[],
  map: (row: R) => T,
): Page<T> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return { data: shown.map(map), has_more: more, next_cursor: more ? encodeCursor(position(last)) : null }
}
