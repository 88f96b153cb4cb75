import type { Sql } from '../../core/database/sql.ts'
import { membershipSql } from '../access.ts'
import { parsedBytes } from './parsed-bytes.ts'
import type { Along, ReadScope } from './read-scope.ts'

/** Of `parsedBytes`. An item behind many small ones may have metadata of 16 KiB, and 100 KB of it take 2.5 ms to parse (docs/decisions.md). */
const MAX_PARSED_BYTES = 512 * 1024

/** What decides the statement of a scan, besides its scope. */
export interface SliceInput {
  /** Columns of `memory_items i`, with `i.id`. */
  columns: string
  /** Default: `created_at`. */
  by?: 'created_at' | 'occurred_at'
  ascending: boolean
  /** The columns have the text and the metadata, so the scan ends where these fill so many bytes. */
  maxFilled?: number
  /** Where `memory_items i` comes from; default: the index of the scope. */
  from?: Sql
  /** A further condition on `memory_items i` and the caller's membership `m`, without values of its own. */
  where?: string
}

/** In each row of the statement. */
export interface Slice {
  stop_at: number
  stop_id: string
  more: 0 | 1
  /** Of the row. */
  at: number
  /** Bytes of text and metadata up to the row. */
  filled: number
  /** Items that it looked at, and `parsedBytes` of them, where it is not the last. */
  items: number
  bytes: number
}

export const alongOf = (scope: ReadScope, { by }: SliceInput): Along =>
  by === 'occurred_at' ? scope.occurrence : scope

/** What the parts of a statement say alike: it walks over items `i`, along an index or as `from` gives them. */
interface Walk {
  /** Column of the instant. */
  at: string
  direction: 'asc' | 'desc'
  order: string
  /** The items, in all ranges and in one of them. The namespace of one of several ranges is `n.value`. */
  source: string
  oneRange: string
  ranges: number
  /** SQL: the item lives, stands in a range, and behind `:after_at` and `:after_id`. */
  inRange: string
  /** SQL: what the item `i` counts against the bound of parsed metadata. */
  bytes: string
  /** SQL: the item `i` stands at this position or before it. */
  upTo: (at: string, id: string) => string
  /** An instant behind the last item. */
  end: number
}

function walkOf(scope: ReadScope, input: SliceInput, ranges: number): Walk {
  const { index, range } = alongOf(scope, input)
  const at = input.by === 'occurred_at' ? 'occurrence' : 'created_at'
  const [direction, behind, upTo] = input.ascending ? (['asc', '>', '<='] as const) : (['desc', '<', '>='] as const)
  const indexed = `memory_items i indexed by ${index}`
  const several = ranges > 1
  return {
    at,
    direction,
    order: `order by i.${at} ${direction}, i.id ${direction}`,
    source: input.from?.sql ?? (several ? `json_each(:namespaces) n cross join ${indexed}` : indexed),
    inRange: `${scope.status === 'current' ? 'i.deleted_at is null' : 'i.retired_at is not null'} and ${range} ${several ? 'and i.namespace = n.value' : ''}
      and (i.${at}, i.id) ${behind} (:after_at, :after_id)`,
    oneRange: indexed,
    bytes: parsedBytes(scope.metadataConditions),
    ranges,
    upTo: (stopAt, stopId) => `(i.${at}, i.id) ${upTo} (${stopAt}, ${stopId})`,
    end: input.ascending ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER,
  }
}

/**
 * SQL: one row, the last item of a slice, with the items that it looks at and the metadata that it parses. No row: the slice
 * goes to the end.
 */
function lastOfSlice({ metadataConditions }: ReadScope, walk: Walk, isSliced: boolean): string {
  if (!isSliced) return 'select null as at, null as id, 0 as items, 0 as bytes where 0'
  if (metadataConditions > 0) return lastBySize(walk)
  return walk.ranges > 1 ? lastOfShares(walk) : lastByNumber(walk)
}

const lastByNumber = ({ at, source, inRange, order }: Walk): string => `
  select i.${at} as at, i.id, :items as items, 0 as bytes
  from m cross join ${source} where ${inRange} ${order} limit 1 offset :items - 1`

/** Of several ranges a slice ends where it has looked at an equal share of `:items` in the first of them. */
const lastOfShares = ({ at, direction, oneRange, inRange, order, ranges }: Walk): string => `
  select e.${at} as at, e.id, :items as items, 0 as bytes
  from json_each(:namespaces) n cross join memory_items e on e.row = (
    select i.row from ${oneRange} where ${inRange} ${order} limit 1 offset cast(:items / ${ranges} as integer) - 1)
  order by e.${at} ${direction}, e.id ${direction} limit 1`

/** The item with which the metadata is enough, or else the last one by the number of items. */
function lastBySize(walk: Walk): string {
  const { at, direction, source, inRange, order, ranges, upTo, bytes } = walk
  const several = ranges > 1
  return `
  select at, id, n as items, bytes from (
    select *, row_number() over sized as n, sum(size) over sized as bytes from (
      select i.${at} as at, i.id, ${bytes} as size ${several ? ', s.at as stop_at, s.id as stop_id' : ''}
      from m cross join ${several ? `(${positionOf(lastOfShares(walk), walk)}) s cross join` : ''} ${source}
      where ${inRange} ${several ? `and ${upTo('s.at', 's.id')}` : ''} ${order} limit :items)
    window sized as (order by at ${direction}, id ${direction} rows unbounded preceding))
  where ${several ? '(at, id) = (stop_at, stop_id)' : 'n = :items'} or bytes >= ${MAX_PARSED_BYTES} order by n limit 1`
}

/** SQL: one row, the position of `last`, or the end where that has no row. */
const positionOf = (last: string, { end }: Walk): string =>
  `select coalesce(max(at), ${end}) as at, coalesce(max(id), '') as id from (${last})`

/**
 * Reads one slice: `slice`, where it ends; `page`, its items that the scope and `where` let through; `kept`, those that an
 * answer still has room for. One row at least, perhaps without an item.
 */
export function sliceSql(scope: ReadScope, input: SliceInput, ranges: number, isSliced: boolean): string {
  const { columns, where = '1', maxFilled } = input
  const walk = walkOf(scope, input, ranges)
  const { at, direction, source, inRange, order, upTo, end } = walk
  const isBounded = maxFilled !== undefined
  const sized = isBounded ? `, i.${at} as at, i.id, octet_length(i.text) + octet_length(i.metadata) as size` : ''
  const filled = `sum(size) over (order by at ${direction}, id ${direction} rows unbounded preceding) as filled`
  const kept = isBounded
    ? `select * from (select row, at, size, ${filled} from page) where filled - size < :max_filled`
    : 'select row, 0 as at, 0 as filled from page'
  return `
  with m as materialized (${membershipSql()}),
  slice as materialized (
    select coalesce(max(at), ${end}) as stop_at, coalesce(max(id), '') as stop_id, count(*) as more,
      coalesce(max(items), 0) as items, coalesce(max(bytes), 0) as bytes
    from (${lastOfSlice(scope, walk, isSliced)})),
  page as ${isBounded ? '' : 'materialized'} (
    select i.row ${sized} from m cross join slice s cross join ${source}
    where ${inRange} and ${upTo('s.stop_at', 's.stop_id')} and ${scope.sql} and ${where}
    ${order} limit :wanted),
  kept as (${kept})
  select s.*, kept.at, kept.filled, ${columns}
  from m cross join slice s left join kept left join memory_items i on i.row = kept.row
  ${order}`
}
