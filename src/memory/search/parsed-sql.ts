import { parsedBytes } from '../filter/parsed-bytes.ts'
import type { ReadScope } from '../filter/read-scope.ts'

/** Metadata that each part of a search's statement parses: 1 MiB takes 25 ms (docs/decisions.md). */
export const MAX_TESTED_BYTES = 1024 * 1024

/** The statement must bound the metadata that it parses. */
export const parsesMetadata = ({ metadataConditions }: ReadScope): boolean => metadataConditions > 0

/**
 * The rows of `from` (whose `columns` have `row`, and which applies `scope.unfiltered`) that pass the filters, in its order.
 * Of its items it tests those before `MAX_TESTED_BYTES` of metadata; `parsed` adds up. The first one past them is a row
 * too, so that a reader of the rows sees that others were left out; in a partial scope it is none.
 */
export const testedRows = (
  scope: ReadScope,
  { columns, from, always = '0', bytes = parsedBytes(scope.metadataConditions) }: Tested,
): string => `
  select t.* from (
    select ${columns}, sum(iif(${always}, 0, ${bytes})) over (rows unbounded preceding) as parsed from ${from}) t
    cross join memory_items i on i.row = t.row
  where ${
    scope.partial
      ? `(${always} or t.parsed <= ${MAX_TESTED_BYTES} and ${scope.filter.sql})`
      : `(${always} or t.parsed > ${MAX_TESTED_BYTES} or ${scope.filter.sql})`
  }`

interface Tested {
  columns: string
  /** SQL that follows `from`. */
  from: string
  /** SQL, on columns of `columns` too: the row passes whatever its metadata. */
  always?: string
  /** Default: of `memory_items i` in `from`. */
  bytes?: string
}

/**
 * Whether rows of these CTEs, which have `parsed`, left items out. The statement names it before all else that reads them:
 * SQLite then compiles them here, and not so deep within other queries that their expressions are too deep for D1 (100).
 */
export const leftOut = ({ partial }: ReadScope, ctes: readonly string[]): string => `
  select coalesce(max(parsed), 0) > ${partial ? Number.MAX_SAFE_INTEGER : MAX_TESTED_BYTES} as left_out
  from (${ctes.map((cte) => `select parsed from ${cte}`).join(' union all ')})`
