import { z } from 'zod'
import type { System } from '../context.ts'
import { utf8 } from '../values/encoding.ts'
import { seal, unseal } from '../values/seal.ts'
import { decodeCursor, invalidCursor, PageQuery, type Page, type Position } from './cursor.ts'

/** A sealed position is longer than a plain one. */
const MAX_CURSOR_CHARACTERS = 2_048

/** The length of a cursor tells no more of the length of a name than this many bytes do. */
const PADDED_TO_BYTES = 256

/** `limit` and `cursor` of a list whose cursors are sealed. */
export const SealedPageQuery = PageQuery.extend({ cursor: z.string().max(MAX_CURSOR_CHARACTERS).optional() })

type Sealing = Pick<System, 'dataKeys' | 'random'>

/** The cursor of a position that the caller may not know. It belongs to this list of its owner, a project or a tenant. */
export const sealCursor = (system: Sealing, list: string, ownerId: string, position: Position): Promise<string> =>
  seal(system.dataKeys, placeOf(list, ownerId), padded(JSON.stringify(position)), system.random)

/** The position of a sealed cursor; 422 where it was made up or belongs to another list or owner. */
export async function unsealCursor<P extends Position>(
  system: Sealing,
  list: string,
  ownerId: string,
  shape: z.ZodType<P>,
  cursor: string,
): Promise<P> {
  try {
    return shape.parse(JSON.parse(await unseal(system.dataKeys, placeOf(list, ownerId), cursor)))
  } catch {
    throw invalidCursor()
  }
}

const placeOf = (list: string, ownerId: string): string => `cursor.${list} ${ownerId}`

/**
 * The position of a cursor, sealed or plain: a list of items seals only where a page ends early, and an earlier version of
 * the service sealed none. A sealed cursor has a dot, which base64url has not.
 */
export const readCursor = <P extends Position>(
  system: Sealing,
  list: string,
  ownerId: string,
  shape: z.ZodType<P>,
  cursor: string,
): Promise<P> | P =>
  cursor.includes('.') ? unsealCursor(system, list, ownerId, shape, cursor) : decodeCursor(shape, cursor)

/**
 * The order of a list in a project whose pages can end at a row that the caller may not read. A cursor is encrypted, so
 * that it tells no name of such a row, and belongs to this list of this project.
 */
export function sealedOrder<P extends Position, Row>(
  list: string,
  shape: z.ZodType<P>,
  start: P,
  positionOf: (row: Row) => P,
) {
  return (system: Sealing, projectId: string) => ({
    /** The position after which a page begins; 422 where the cursor was made up or belongs to another list. */
    after: async ({ cursor }: { cursor?: string | undefined }): Promise<P> =>
      cursor ? unsealCursor(system, list, projectId, shape, cursor) : start,
    /** Cuts `limit + 1` rows to a page. Fewer rows are the last page, unless the look at the list ended at `stop`. */
    async page<R extends Row, T>(
      rows: readonly R[],
      { limit }: { limit: number },
      map: (row: R) => T,
      stop: P | null,
    ): Promise<Page<T>> {
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const end = rows.length > limit && last !== undefined ? positionOf(last) : stop
      const next_cursor = end && (await sealCursor(system, list, projectId, end))
      return { data: shown.map((row) => map(row)), has_more: end !== null, next_cursor }
    },
  })
}

/** JSON takes spaces at its end. */
const padded = (json: string): string => json + ' '.repeat(-utf8(json).length & (PADDED_TO_BYTES - 1))
