import { z } from 'zod'

/** Where a list continues: `last_at` and id of a page, and the first of its rows that was shown. */
export const PositionSchema = z.tuple([z.number(), z.string(), z.number()])
export type Position = z.infer<typeof PositionSchema>

/** The position before all pages. */
export const START: Position = [Number.MAX_SAFE_INTEGER, '', 0]

/** The position before all rows of a page. */
export const beforePage = (lastAt: number, id: string): Position => [lastAt, id, Number.MAX_SAFE_INTEGER]

/** Negative where `a` comes first in the list. */
export const comparePositions = (a: Position, b: Position): number =>
  b[0] - a[0] || (a[1] === b[1] ? b[2] - a[2] : a[1] < b[1] ? 1 : -1)

/** The one that comes first in the list. */
export const earlier = (a: Position | null, b: Position | null): Position | null =>
  a === null || (b !== null && comparePositions(b, a) < 0) ? b : a
