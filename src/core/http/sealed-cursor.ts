import { z } from 'zod'
import type { System } from '../context.ts'
import { utf8 } from '../values/encoding.ts'
import { seal, unseal } from '../values/seal.ts'
import { invalidCursor, PageQuery, type Page, type Position } from './cursor.ts'

/** A sealed position is longer than a plain one. */
const MAX_CURSOR_CHARACTERS = 2_048

/** The length of a cursor tells no more of the length of a name than this many bytes do. */
const PADDED_TO_BYTES = 256

/** `limit` and `cursor` of a list whose cursors are sealed. */
export const SealedPageQuery = PageQuery.extend({ cursor: z.string().max(MAX_CURSOR_CHARACTERS).optional() })

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
  return (system: Pick<System, 'dataKeys' | 'random'>, projectId: string) => {
    const place = `cursor.${list} ${projectId}`
    const cursorAt = (position: P): Promise<string> =>
      seal(system.dataKeys, place, padded(JSON.stringify(position)), system.random)
    return {
      /** The position after which a page begins; 422 where the cursor was made up or belongs to another list. */
      async after({ cursor }: { cursor?: string | undefined }): Promise<P> {
        if (!cursor) return start
        try {
          return shape.parse(JSON.parse(await unseal(system.dataKeys, place, cursor)))
        } catch {
          throw invalidCursor()
        }
      },
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
        return { data: shown.map((row) => map(row)), has_more: end !== null, next_cursor: end && (await cursorAt(end)) }
      },
    }
  }
}

/** JSON takes spaces at its end. */
const padded = (json: string): string => json + ' '.repeat(-utf8(json).length & (PADDED_TO_BYTES - 1))
