import type { AuthContext } from '../core/context.ts'
import type { SqlValue } from '../core/database/database.ts'
import { accessValues, membershipSql } from './access.ts'
import type { ReadScope } from './read-scope.ts'

/** Creation time and id of an item: its place in every order of age. */
export type Position = readonly [createdAt: number, id: string]

/** Before the oldest item. */
export const FIRST: Position = [0, '']

export interface ScanInput {
  /** Columns of `memory_items i`, with `i.id`. */
  columns: string
  ascending: boolean
  /** The scan begins behind this item. */
  after: Position
  /** Rows to find. */
  wanted: number
  /** Where `memory_items i` comes from; default: the index of the scope. Parameters begin at ?13. */
  from?: string
  /** A further condition on `memory_items i` and the caller's membership `m`. */
  where?: string
  values?: readonly SqlValue[]
  /** With filters the scan stops after so many items, whatever it has found. Default: it goes on to the end. */
  maxItems?: number
}

export interface Scan<Row> {
  rows: Row[]
  /** Where `maxItems` ended the scan before the last item. */
  stoppedAt: Position | null
}

interface Slice {
  stop_at: number
  stop_id: string
  more: 0 | 1
}

/** Slices grow below, and shrink above, so that none holds the database long (docs/architecture.md §4). */
const SHORT_MS = 8
const LONG_MS = 16
const MIN_SLICE = 100
const MAX_SLICE = 8_000

/** The number of items that the next statement looks at, after one that took `tookMs` for `items`. */
export function nextSlice(items: number, tookMs: number): number {
  if (tookMs > LONG_MS) return Math.max(MIN_SLICE, Math.floor(items / 2))
  return tookMs < SHORT_MS ? Math.min(MAX_SLICE, items * 2) : items
}

/**
 * Reads the items of a scope in order of age until enough are found. null: the caller may not see the project.
 * D1 runs one statement at a time. With filters, which may skip any number of items, a statement therefore looks at a
 * slice of them only, so that statements of other requests come between.
 */
export async function scan<Row extends { id: string }>(
  ctx: AuthContext,
  scope: ReadScope,
  input: ScanInput,
): Promise<Scan<Row> | null> {
  const sql = sliceSql(scope, input)
  const rows: Row[] = []
  let after = input.after
  let items = scope.sliceItems ?? 0
  for (let seen = items; ; seen += items) {
    const began = ctx.now()
    const bounds = [...after, input.wanted - rows.length, items]
    const found = await ctx.db.all<Slice & (Row | { id: null })>(
      sql,
      ...accessValues(ctx),
      ...scope.values,
      ...bounds,
      ...(input.values ?? []),
    )
    const [first] = found
    if (!first) return null
    rows.push(...found.filter((row): row is Slice & Row => row.id !== null))
    if (first.more === 0 || rows.length >= input.wanted) return { rows, stoppedAt: null }
    after = [first.stop_at, first.stop_id]
    if (seen >= (input.maxItems ?? Infinity)) return { rows, stoppedAt: after }
    items = nextSlice(items, ctx.now() - began)
  }
}

/** One row at least, perhaps without an item. ?9 and ?10 are the position to begin at, ?11 rows, ?12 items of the slice. */
function sliceSql(scope: ReadScope, { columns, ascending, from, where = '1' }: ScanInput): string {
  const [behind, upTo, direction] = ascending ? (['>', '<=', 'asc'] as const) : (['<', '>=', 'desc'] as const)
  const order = `order by i.created_at ${direction}, i.id ${direction}`
  const source = from ?? `memory_items i indexed by ${scope.index}`
  const range = `i.deleted_at is null and ${scope.range} and (i.created_at, i.id) ${behind} (?9, ?10)`
  const end = ascending ? Number.MAX_SAFE_INTEGER : -1
  const last =
    scope.sliceItems === null
      ? 'select null as at, null as id where ?12 < 0'
      : `
    select i.created_at as at, i.id from m cross join ${source} where ${range} ${order} limit 1 offset ?12 - 1`
  return `
  with m as materialized (${membershipSql()}),
  slice as materialized (
    select coalesce(max(at), ${end}) as stop_at, coalesce(max(id), '') as stop_id, count(*) as more from (${last})),
  page as materialized (
    select i.row from m cross join slice s cross join ${source}
    where ${range} and (i.created_at, i.id) ${upTo} (s.stop_at, s.stop_id) and ${scope.sql} and ${where}
    ${order} limit ?11)
  select s.*, ${columns}
  from m cross join slice s left join page left join memory_items i on i.row = page.row
  ${order}`
}
