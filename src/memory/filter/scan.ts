import type { AuthContext } from '../../core/context.ts'
import type { Sql } from '../../core/database/sql.ts'
import { accessParams, membershipSql } from '../access.ts'
import { namespacesOf } from './namespace-prefix.ts'
import type { ReadScope } from './read-scope.ts'

/** The instant that an order goes by, of creation or of occurrence, and the id of an item. */
export type Position = readonly [at: number, id: string]

/** Before the oldest item. */
export const FIRST: Position = [Number.MIN_SAFE_INTEGER, '']

export interface ScanInput {
  /** Columns of `memory_items i`, with `i.id`. */
  columns: string
  /** Default: `created_at`. */
  by?: 'created_at' | 'occurred_at'
  ascending: boolean
  /** The scan begins behind this item. */
  after: Position
  /** Rows to find. */
  wanted: number
  /** The columns have the text and the metadata, so the scan ends where these fill so many bytes. */
  maxFilled?: number
  /** Where `memory_items i` comes from; default: the index of the scope. */
  from?: Sql
  /** A further condition on `memory_items i` and the caller's membership `m`, without values of its own. */
  where?: string
  /** With filters or several ranges the scan stops after this many items, whatever it has found. Default: it goes on to the end. */
  maxItems?: number
  /** The same for the metadata that conditions have parsed. */
  maxBytes?: number
  /** One statement looks at this many items at most. */
  maxSlice?: number
}

export interface Scan<Row> {
  rows: Row[]
  /** Where `maxItems` or `maxBytes` ended the scan before the last item. */
  stoppedAt: Position | null
  /** The last of the rows, where the texts and metadata up to it fill an answer. */
  filledAt: Position | null
}

interface Slice {
  stop_at: number
  stop_id: string
  more: 0 | 1
  /** Of the row. */
  at: number
  /** Bytes of text and metadata up to the row. */
  filled: number
  /** Items that it looked at, and bytes of metadata that it parsed, where it is not the last. */
  items: number
  bytes: number
}

/** Slices grow below, and shrink above, so that none holds the database long (docs/architecture.md §4). */
const SHORT_MS = 8
const LONG_MS = 16
const MIN_SLICE = 100
const MAX_SLICE = 8_000
/** An item behind many small ones may have metadata of 16 KiB. 100 KB of it take 2.5 ms to parse (docs/decisions.md). */
const MAX_PARSED_BYTES = 512 * 1024
/** Texts and metadata of one answer (contract §3). The row that passes it is the last. 10 ms of the database read 1 MiB. */
export const MAX_ANSWER_BYTES = 2 * 1024 * 1024

/** The number of items that the next statement looks at, after one that took `tookMs` for `items`. */
export function nextSlice(items: number, tookMs: number): number {
  if (tookMs > LONG_MS) return Math.max(MIN_SLICE, Math.floor(items / 2))
  return tookMs < SHORT_MS ? Math.min(MAX_SLICE, items * 2) : items
}

/**
 * Reads the items of a scope in order of creation or of occurrence until enough are found. null: the caller may not see the project.
 * D1 runs one statement at a time. With filters, which may skip any number of items, a statement therefore looks at a
 * slice of them only, so that statements of other requests come between.
 */
export async function scan<Row extends { id: string }>(
  ctx: AuthContext,
  asked: ReadScope,
  input: ScanInput,
): Promise<Scan<Row> | null> {
  const scope = input.from === undefined ? await withinNamespaces(ctx, asked) : asked
  // Items of several ranges come in order only by a sort, and a slice bounds what is sorted.
  const ranges = input.from === undefined ? alongOf(scope, input).ranges : 1
  const sliceItems = scope.sliceItems ?? (ranges > 1 ? Math.min(MAX_SLICE, input.wanted * ranges) : null)
  const isSliced = sliceItems !== null
  const sql = sliceSql(scope, input, ranges, isSliced)
  const { maxFilled } = input
  const rows: Row[] = []
  let after = input.after
  let items = sliceItems ?? 0
  for (let seen = 0, parsed = 0, filled = 0; ;) {
    const began = ctx.now()
    const found = await ctx.db.all<Slice & (Row | { id: null })>(sql, {
      ...accessParams(ctx),
      ...scope.params,
      ...input.from?.params,
      after_at: after[0],
      after_id: after[1],
      wanted: input.wanted - rows.length,
      ...(isSliced ? { items } : {}),
      ...(maxFilled === undefined ? {} : { max_filled: maxFilled - filled }),
    })
    const [first] = found
    if (!first) return null
    const own = found.filter((row): row is Slice & Row => row.id !== null)
    rows.push(...own)
    const last = own.at(-1)
    filled += last?.filled ?? 0
    if (last && maxFilled !== undefined && filled >= maxFilled)
      return { rows, stoppedAt: null, filledAt: [last.at, last.id] }
    if (first.more === 0 || rows.length >= input.wanted) return { rows, stoppedAt: null, filledAt: null }
    after = [first.stop_at, first.stop_id]
    seen += first.items
    parsed += first.bytes
    if (seen >= (input.maxItems ?? Infinity) || parsed >= (input.maxBytes ?? Infinity))
      return { rows, stoppedAt: after, filledAt: null }
    items = Math.min(nextSlice(first.items, ctx.now() - began), input.maxSlice ?? MAX_SLICE)
  }
}

/** Few namespaces of a prefix are ranges of their index. Those of many are most of a project, whose order slices then follow. */
async function withinNamespaces(ctx: AuthContext, scope: ReadScope): Promise<ReadScope> {
  if (!scope.prefix) return scope
  const names = await namespacesOf(ctx, scope.projectId, scope.prefix.of)
  return names ? scope.prefix.within(names) : scope
}

const alongOf = (scope: ReadScope, { by }: ScanInput): ReadScope['occurrence'] =>
  by === 'occurred_at' ? scope.occurrence : scope

/**
 * One row at least, perhaps without an item. It begins behind `:after_at` and `:after_id`. Of several ranges a slice ends
 * where it has looked at an equal share of its `:items` in the first of them.
 */
function sliceSql(scope: ReadScope, input: ScanInput, ranges: number, sliced: boolean): string {
  const { columns, by, ascending, from, where = '1' } = input
  const bounded = input.maxFilled !== undefined
  const along = alongOf(scope, input)
  const column = by === 'occurred_at' ? 'occurrence' : 'created_at'
  const [behind, upTo, direction] = ascending ? (['>', '<=', 'asc'] as const) : (['<', '>=', 'desc'] as const)
  const order = `order by i.${column} ${direction}, i.id ${direction}`
  const index = `memory_items i indexed by ${along.index}`
  const source = from?.sql ?? (ranges > 1 ? `json_each(:namespaces) n cross join ${index}` : index)
  const inRange = ranges > 1 ? `${along.range} and i.namespace = n.value` : along.range
  const range = `i.deleted_at is null and ${inRange} and (i.${column}, i.id) ${behind} (:after_at, :after_id)`
  const end = ascending ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER
  const share = `
    select e.${column} as at, e.id, :items as items, 0 as bytes from json_each(:namespaces) n cross join memory_items e on e.row = (
      select i.row from ${index} where ${range} ${order} limit 1 offset cast(:items / ${ranges} as integer) - 1)
    order by e.${column} ${direction}, e.id ${direction} limit 1`
  const [upToShare, atShare] =
    ranges > 1
      ? [
          `(select coalesce(max(at), ${end}) as at, coalesce(max(id), '') as id from (${share})) s cross join`,
          `(at, id) = (stop_at, stop_id)`,
        ]
      : ['', 'n = :items']
  const bySize = `
    select at, id, n as items, bytes from (
      select *, row_number() over sized as n, sum(size) over sized as bytes from (
        select i.${column} as at, i.id, octet_length(i.metadata) as size ${ranges > 1 ? ', s.at as stop_at, s.id as stop_id' : ''}
        from m cross join ${upToShare} ${source}
        where ${range} ${ranges > 1 ? `and (i.${column}, i.id) ${upTo} (s.at, s.id)` : ''} ${order} limit :items)
      window sized as (order by at ${direction}, id ${direction} rows unbounded preceding))
    where ${atShare} or bytes >= ${MAX_PARSED_BYTES} order by n limit 1`
  const byNumber = `
    select i.${column} as at, i.id, :items as items, 0 as bytes from m cross join ${source} where ${range} ${order} limit 1 offset :items - 1`
  const none = 'select null as at, null as id, 0 as items, 0 as bytes where 0'
  const last = !sliced ? none : scope.metadataConditions > 0 ? bySize : ranges > 1 ? share : byNumber
  const filling = `
    select * from (
      select row, at, size, sum(size) over (order by at ${direction}, id ${direction} rows unbounded preceding) as filled from page)
    where filled - size < :max_filled`
  return `
  with m as materialized (${membershipSql()}),
  slice as materialized (
    select coalesce(max(at), ${end}) as stop_at, coalesce(max(id), '') as stop_id, count(*) as more,
      coalesce(max(items), 0) as items, coalesce(max(bytes), 0) as bytes from (${last})),
  page as ${bounded ? '' : 'materialized'} (
    select i.row ${bounded ? `, i.${column} as at, i.id, octet_length(i.text) + octet_length(i.metadata) as size` : ''} from m cross join slice s cross join ${source}
    where ${range} and (i.${column}, i.id) ${upTo} (s.stop_at, s.stop_id) and ${scope.sql} and ${where}
    ${order} limit :wanted),
  kept as (${bounded ? filling : 'select row, 0 as at, 0 as filled from page'})
  select s.*, kept.at, kept.filled, ${columns}
  from m cross join slice s left join kept left join memory_items i on i.row = kept.row
  ${order}`
}
