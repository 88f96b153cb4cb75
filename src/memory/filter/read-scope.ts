import type { Principal } from '../../core/context.ts'
import { and, sql, type Sql } from '../../core/database/sql.ts'
import { alive, readableBy } from '../access.ts'
import { filterSql } from './filter-sql.ts'
import type { Filter } from './filter.ts'
import { ALL_NAMESPACES, DEFAULT_NAMESPACE, type ReadContextInput } from '../item.ts'
import { isBelow, namespacePrefix, permittedNamespaces, prefixSql, type NamespacePrefix } from './namespace-prefix.ts'

/**
 * The items that a search, a list, an export or a bulk deletion reads: a condition on `memory_items i`, whose statement
 * takes `accessParams` too.
 */
export interface ReadScope extends Sql {
  projectId: string
  /** The part of `sql` that bounds a range of `index`; without the namespaces where there are several. */
  range: string
  /** Ranges of `index` that hold the items: one, or one for each of several namespaces (`:namespaces`). */
  ranges: number
  /** SQL: the item of this alias lives, and the caller may read it. */
  readable: (item: string) => string
  /** `sql` without its filters, and the filters alone. */
  unfiltered: Sql
  filter: Sql
  /** null: all, or those of a prefix. */
  namespaces: readonly string[] | null
  /** The namespaces are those of a prefix. `within` is the scope of these, where there are few; null: `index` needs none. */
  prefix: { of: NamespacePrefix; within: (namespaces: readonly string[]) => ReadScope } | null
  /** True if it selects less than whole namespaces. Its matches may then stand anywhere among the project's items. */
  narrow: boolean
  /** The index of `memory_items` in order of creation that leaves the fewest rows. Statements name it, as SQLite may choose another. */
  index: string
  /** The same in order of occurrence. Where it has no such index, SQLite sorts what `index` gives. */
  occurrence: Pick<ReadScope, 'index' | 'range' | 'ranges'>
  /** Items that the first statement of a scan looks at; null: without filters, all. */
  sliceItems: number | null
  /** Conditions on metadata, for which SQLite parses the metadata of each item. */
  metadataConditions: number
  /** Conditions on tags or metadata: those that cost most. */
  costlyConditions: number
  /** Too many items pass the filters to look them all up. The search leaves out those with too much metadata to parse. */
  partial: boolean
}

/** Metadata is JSON that each condition reads: more conditions, fewer items. */
const SLICE_ITEMS = 500
const MIN_SLICE_ITEMS = 100

/** The namespace of no live item. */
const NOWHERE = ['']

const AMONG_NAMESPACES = 'i.namespace in (select value from json_each(:namespaces))'
const AMONG_CUSTOM_IDS = 'i.custom_id is not null and i.custom_id in (select value from json_each(:custom_ids))'

const LABELS = ['scope', 'conversation_id', 'document_id', 'session_id'] as const
const INDEXED = ['conversation', 'session', 'document'] as const

export function readScope(
  principal: Principal,
  projectId: string,
  context: ReadContextInput,
  filter: Filter | undefined,
): ReadScope {
  const scope = { principal, projectId, context, filter }
  if (context.namespace_prefix === undefined) return scopeWithin(scope, namespacesOf(context), null)
  const prefix = namespacePrefix(context.namespace_prefix)
  const permitted = permittedNamespaces(principal, projectId)?.filter((name) => isBelow(prefix, name))
  if (!permitted) return scopeWithin(scope, null, prefix)
  return scopeWithin(scope, permitted.length > 0 ? permitted : NOWHERE, null)
}

interface ScopeInput {
  principal: Principal
  projectId: string
  context: ReadContextInput
  filter: Filter | undefined
}

/** `namespaces` null: all, or those of the prefix. */
function scopeWithin(
  scope: ScopeInput,
  namespaces: readonly string[] | null,
  prefix: NamespacePrefix | null,
): ReadScope {
  const { principal, projectId, context, filter } = scope
  const labels = LABELS.filter((label) => context[label] !== undefined)
  const filters = filter ? filterSql(filter) : { ...and(), metadata: 0, tags: 0 }
  // SQLite searches no index for a condition that may or may not apply, so each case has its own SQL.
  const [only] = namespaces?.length === 1 ? namespaces : []
  const place = and(
    sql('i.project_id = :project', { project: projectId }),
    ...(only === undefined ? [] : [sql('i.namespace = :namespace', { namespace: only })]),
  )
  const customIds = only === undefined ? null : customIdsOf(filter)
  const range = and(
    place,
    ...labels.map((label) => sql(`i.${label} = :${label}`, { [label]: context[label] ?? null })),
    ...(customIds ? [sql(AMONG_CUSTOM_IDS, { custom_ids: JSON.stringify(customIds) })] : []),
  )
  const several = namespaces !== null && namespaces.length > 1
  const readable = (item: string): string => `(${alive(item)} and ${readableBy(principal, item)})`
  const unfiltered = and(
    range,
    ...(several
      ? [sql(AMONG_NAMESPACES, { namespaces: JSON.stringify(namespaces) })]
      : prefix
        ? [prefixSql(prefix)]
        : []),
    sql(readable('i'), {}),
  )
  const indexed = INDEXED.find((name) => labels.includes(`${name}_id`))
  const index = `memory_items_by_${customIds ? 'custom_id' : (indexed ?? (namespaces === null ? 'project' : 'namespace'))}`
  return {
    ...and(unfiltered, filters),
    projectId,
    range: range.sql,
    ranges: several && !indexed ? namespaces.length : 1,
    readable,
    unfiltered,
    filter: filters,
    namespaces,
    prefix: prefix && !indexed ? { of: prefix, within: (names) => scopeWithin(scope, names, null) } : null,
    narrow: labels.length > 0 || filter !== undefined || prefix !== null,
    index,
    occurrence: customIds
      ? { index, range: range.sql, ranges: 1 }
      : occurrenceRange(
          { namespaces, indexed, filtered: filter !== undefined },
          { index, range: range.sql, place: place.sql },
        ),
    sliceItems: filter || prefix ? Math.max(MIN_SLICE_ITEMS, Math.floor(SLICE_ITEMS / (1 + filters.metadata))) : null,
    metadataConditions: filters.metadata,
    costlyConditions: filters.tags + filters.metadata,
    partial: false,
  }
}

/** The ids of which a filter demands one; null: it demands none. Items with these ids are few, whatever the namespace holds. */
function customIdsOf(filter: Filter | undefined): readonly string[] | null {
  if (filter && 'all' in filter) return filter.all.map(customIdsOf).find((ids) => ids !== null) ?? null
  if (!filter || !('field' in filter) || filter.field !== 'custom_id') return null
  const ids = filter.oneOf.filter((id) => id !== null)
  return ids.length === filter.oneOf.length ? ids : null
}

/** The namespaces that a read names; null: all. */
function namespacesOf({ namespace = DEFAULT_NAMESPACE, namespaces }: ReadContextInput): string[] | null {
  if (namespaces) return [...new Set(namespaces)]
  return namespace === ALL_NAMESPACES ? null : [namespace]
}

/**
 * A conversation has an index in order of occurrence by namespace. Else, and in a document or a session, SQLite sorts what
 * their own index gives; with filters, which read slices, the label is one more filter on the items of the place.
 */
function occurrenceRange(
  {
    namespaces,
    indexed,
    filtered,
  }: Pick<ReadScope, 'namespaces'> & { indexed: (typeof INDEXED)[number] | undefined; filtered: boolean },
  { index, range, place }: { index: string; range: string; place: string },
): ReadScope['occurrence'] {
  const ranges = namespaces?.length ?? 1
  if (indexed === 'conversation' && namespaces) return { index: 'memory_items_by_turn', range, ranges }
  if (indexed && !filtered) return { index, range, ranges: 1 }
  const occurrence = namespaces ? 'namespace_occurrence' : 'occurrence'
  return { index: `memory_items_by_${occurrence}`, range: indexed ? place : range, ranges }
}

/** The same scope with the rows that pass its filters instead of the filters. */
export const scopeOfRows = (scope: ReadScope, rows: readonly number[]): ReadScope => {
  const filter = sql('i.row in (select value from json_each(:rows))', { rows: JSON.stringify(rows) })
  return { ...scope, ...and(scope.unfiltered, filter), filter, metadataConditions: 0 }
}
