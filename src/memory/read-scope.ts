import type { Principal } from '../core/context.ts'
import { alive, readableBy } from './access.ts'
import { filterSql } from './filter-sql.ts'
import type { Filter } from './filter.ts'
import { ALL_NAMESPACES, DEFAULT_NAMESPACE, type ReadContextInput } from './item.ts'

/**
 * The items that a search, a list, an export or a bulk deletion reads: conditions on `memory_items i`. They bind
 * `accessValues` (?1 to ?4), ?5 project, ?6 namespace (null: all), ?7 the other ids of the context, ?8 filter values.
 */
export interface ReadScope {
  sql: string
  /** The part of `sql` that bounds a range of `index`. */
  range: string
  /** `sql` without its filters. */
  unfiltered: string
  /** ?5 to ?8. */
  values: [project: string, namespace: string | null, context: string, filters: string]
  namespace: string | null
  /** True if it selects less than a namespace. Its matches may then stand anywhere among the project's items. */
  narrow: boolean
  /** The index of `memory_items` in order of age that leaves the fewest rows. Statements name it, as SQLite may choose another. */
  index: string
  /** Items that the first statement of a scan looks at; null: without filters, all. */
  sliceItems: number | null
  /** Conditions on tags or metadata: those that cost most. */
  costlyConditions: number
}

/** Metadata is JSON that each condition reads: more conditions, fewer items. */
const SLICE_ITEMS = 500
const MIN_SLICE_ITEMS = 100

const LABELS = ['scope', 'conversation_id', 'document_id', 'session_id'] as const
const INDEXED = ['conversation', 'session', 'document'] as const

export function readScope(
  principal: Principal,
  projectId: string,
  context: ReadContextInput,
  filter: Filter | undefined,
): ReadScope {
  const namespace = context.namespace === ALL_NAMESPACES ? null : (context.namespace ?? DEFAULT_NAMESPACE)
  const labels = LABELS.filter((label) => context[label] !== undefined)
  const filters = filter ? filterSql(filter, '?8') : { sql: '1', values: '[]', metadata: 0, tags: 0 }
  const range = [
    'i.project_id = ?5',
    // SQLite searches no index for a condition that may or may not apply, so each case has its own SQL.
    ...(namespace === null ? [] : ['i.namespace = ?6']),
    ...labels.map((label) => `i.${label} = ?7 ->> '${label}'`),
  ].join(' and ')
  const unfiltered = [range, alive(), readableBy(principal)].join(' and ')
  const indexed = INDEXED.find((name) => labels.includes(`${name}_id`))
  const labelled = Object.fromEntries(labels.map((label) => [label, context[label]]))
  return {
    sql: `${unfiltered} and ${filters.sql}`,
    range,
    unfiltered,
    values: [projectId, namespace, JSON.stringify(labelled), filters.values],
    namespace,
    narrow: labels.length > 0 || filter !== undefined,
    index: `memory_items_by_${indexed ?? (namespace === null ? 'project' : 'namespace')}`,
    sliceItems: filter ? Math.max(MIN_SLICE_ITEMS, Math.floor(SLICE_ITEMS / (1 + filters.metadata))) : null,
    costlyConditions: filters.tags + filters.metadata,
  }
}

/** The same scope with the rows that pass its filters instead of the filters. */
export const scopeOfRows = (scope: ReadScope, rows: readonly number[]): ReadScope => {
  const [project, namespace, context] = scope.values
  return {
    ...scope,
    sql: `${scope.unfiltered} and i.row in (select value from json_each(?8))`,
    values: [project, namespace, context, JSON.stringify(rows)],
  }
}
