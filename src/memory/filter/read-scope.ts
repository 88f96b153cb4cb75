import type { Principal } from '../../core/context.ts'
import { and, sql, type Sql } from '../../core/database/sql.ts'
import { storedForms } from '../../core/values/normal-form.ts'
import { alive, othersClasses, ownClasses, readableBy, retired } from '../access.ts'
import { filterSql } from './filter-sql.ts'
import type { Filter } from './filter.ts'
import { DEFAULT_NAMESPACE } from '../item.ts'
import type { ItemStatus } from '../table.ts'
import { ALL_NAMESPACES, type ReadContextInput } from './read-context.ts'
import { isBelow, namespacePrefix, permittedNamespaces, prefixSql, type NamespacePrefix } from './namespace-prefix.ts'

/** Where the items stand along an index of `memory_items`. Statements name it, as SQLite may choose another. */
export interface Along {
  index: string
  /** The part of the scope's `sql` that bounds a range of the index; without the namespaces where there are several. */
  range: string
  /** Ranges that hold the items: one, or one for each of several namespaces (`:namespaces`). */
  ranges: number
}

/**
 * The items that a search, a list, an export or a bulk deletion reads: a condition on `memory_items i`, whose statement
 * takes `accessParams` too.
 */
export interface ReadScope extends Sql, Along {
  principal: Principal
  projectId: string
  /** Which items it holds: an index has either. */
  status: ItemStatus
  /** SQL: the item of this alias has the status and lives, and the caller may read it. */
  readable: (item: string) => string
  /** `sql` without its filters, and the filters alone. */
  unfiltered: Sql
  filter: Sql
  /** `ownClasses` and `othersClasses` in the namespaces of the scope; they take values of the scope. */
  ownClasses: (columns: string) => string
  othersClasses: (columns: string) => string
  /** SQL: `memory_items i` stands in the searched namespaces; null: the key of the caller may not read some of them. */
  places: string | null
  /** null: all, or those of a prefix. */
  namespaces: readonly string[] | null
  /** The namespaces are those of a prefix. `within` is the scope of these, where there are few; null: `index` needs none. */
  prefix: { of: NamespacePrefix; within: (namespaces: readonly string[]) => ReadScope } | null
  /** True if it selects less than whole namespaces. Its matches may then stand anywhere among the project's items. */
  narrow: boolean
  /** The scope itself is along an index in order of creation; this, in order of occurrence. */
  occurrence: Along
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

/** The parts of a context that an item bears. All but the scope have an index, of which the first that is named counts. */
const LABELS = ['scope', 'conversation_id', 'document_id', 'session_id', 'subject'] as const
const INDEXED = [
  { label: 'conversation_id', index: 'conversation' },
  { label: 'session_id', index: 'session' },
  { label: 'document_id', index: 'document' },
  { label: 'subject', index: 'subject' },
] as const

interface Asked {
  principal: Principal
  projectId: string
  context: ReadContextInput
  filter: Filter | undefined
  status: ItemStatus
}

export function readScope(
  principal: Principal,
  projectId: string,
  context: ReadContextInput,
  filter: Filter | undefined,
  status: ItemStatus = 'current',
): ReadScope {
  const asked = { principal, projectId, context, filter, status }
  if (context.namespace_prefix === undefined) return scopeWithin(asked, namespacesOf(context), null)
  const prefix = namespacePrefix(context.namespace_prefix)
  const permitted = permittedNamespaces(principal, projectId)?.filter((name) => isBelow(prefix, name))
  if (!permitted) return scopeWithin(asked, null, prefix)
  return scopeWithin(asked, permitted.length > 0 ? permitted : NOWHERE, null)
}

/** `namespaces` null: all, or those of the prefix. */
function scopeWithin(asked: Asked, namespaces: readonly string[] | null, prefix: NamespacePrefix | null): ReadScope {
  const { principal, projectId, context, filter, status } = asked
  const isCurrent = status === 'current'
  const labels = LABELS.filter((label) => context[label] !== undefined)
  const label = INDEXED.find((one) => labels.includes(one.label))?.index
  // SQLite searches no index for a condition that may or may not apply, so each case has its own SQL.
  const [only] = namespaces?.length === 1 ? namespaces : []
  const customIds = only === undefined ? null : customIdsOf(filter)
  const place = and(
    sql('i.project_id = :project', { project: projectId }),
    ...(only === undefined ? [] : [sql('i.namespace = :namespace', { namespace: only })]),
  )
  const range = and(
    place,
    ...labels.map((name) => sql(`i.${name} = :${name}`, { [name]: context[name] ?? null })),
    ...(customIds ? [sql(AMONG_CUSTOM_IDS, { custom_ids: JSON.stringify(customIds.flatMap(storedForms)) })] : []),
  )
  const places = and(place, ...amongSeveral(namespaces, prefix)).sql
  const lives = isCurrent ? alive : retired
  const readable = (item: string): string => `(${lives(item)} and ${readableBy(principal, item)})`
  const unfiltered = and(range, ...amongSeveral(namespaces, prefix), sql(readable('i'), {}))
  const filters = filter ? filterSql(filter) : { ...and(), metadata: 0, tags: 0 }
  return {
    ...and(unfiltered, filters),
    principal,
    projectId,
    status,
    readable,
    unfiltered,
    ownClasses: (columns) => ownClasses(principal, columns, places),
    othersClasses: (columns) => othersClasses(principal, columns, places),
    filter: filters,
    places: permittedNamespaces(principal, projectId) ? null : places,
    namespaces,
    prefix: prefix && !label && isCurrent ? { of: prefix, within: (names) => scopeWithin(asked, names, null) } : null,
    narrow: labels.length > 0 || filter !== undefined || prefix !== null,
    ...(isCurrent
      ? ordersOf({ namespaces, label, byCustomId: customIds !== null, isFiltered: filter !== undefined, range, place })
      : ordersOfRetired(namespaces, range)),
    // No index of retired items knows labels.
    sliceItems:
      filter || prefix || (!isCurrent && labels.length > 0)
        ? Math.max(MIN_SLICE_ITEMS, Math.floor(SLICE_ITEMS / (1 + filters.metadata)))
        : null,
    metadataConditions: filters.metadata,
    costlyConditions: filters.tags + filters.metadata,
    partial: false,
  }
}

/** The namespaces that a read names; null: all. */
function namespacesOf({ namespace = DEFAULT_NAMESPACE, namespaces }: ReadContextInput): string[] | null {
  if (namespaces) return [...new Set(namespaces)]
  return namespace === ALL_NAMESPACES ? null : [namespace]
}

/** The condition of several namespaces, or of those of a prefix. One namespace is a part of the place. */
function amongSeveral(namespaces: readonly string[] | null, prefix: NamespacePrefix | null): Sql[] {
  if (prefix) return [prefixSql(prefix)]
  if (!namespaces || namespaces.length === 1) return []
  return [sql(AMONG_NAMESPACES, { namespaces: JSON.stringify(namespaces) })]
}

/** The ids of which a filter demands one; null: it demands none. Items with these ids are few, whatever the namespace holds. */
function customIdsOf(filter: Filter | undefined): readonly string[] | null {
  if (filter && 'all' in filter) return filter.all.map(customIdsOf).find((ids) => ids !== null) ?? null
  if (!filter || !('field' in filter) || filter.field !== 'custom_id') return null
  const ids = filter.oneOf.filter((id) => id !== null)
  return ids.length === filter.oneOf.length ? ids : null
}

interface Bounds {
  namespaces: readonly string[] | null
  label: (typeof INDEXED)[number]['index'] | undefined
  byCustomId: boolean
  isFiltered: boolean
  /** The place alone, and with its labels and ids. */
  place: Sql
  range: Sql
}

/** The index that leaves the fewest rows, in order of creation and of occurrence. */
function ordersOf({
  namespaces,
  label,
  byCustomId,
  isFiltered,
  place,
  range,
}: Bounds): Along & Pick<ReadScope, 'occurrence'> {
  const along = (index: string, within: Sql, ranges = 1): Along => ({
    index: `memory_items_by_${index}`,
    range: within.sql,
    ranges,
  })
  const orders = (created: Along, occurrence: Along) => ({ ...created, occurrence })
  const byOccurrence = (within: Sql): Along =>
    namespaces ? along('namespace_occurrence', within, namespaces.length) : along('occurrence', within)

  if (byCustomId) return orders(along('custom_id', range), along('custom_id', range))
  if (!label) {
    const created = namespaces ? along('namespace', range, namespaces.length) : along('project', range)
    return orders(created, byOccurrence(range))
  }
  const own = along(label, range)
  if (label === 'conversation' && namespaces) return orders(own, along('turn', range, namespaces.length))
  // SQLite sorts what the label's own index gives. With filters, which read slices, the label is one more filter.
  return orders(own, isFiltered ? byOccurrence(place) : own)
}

/** Retired items have two indexes, in order of creation. SQLite sorts what they give in the order of occurrence. */
function ordersOfRetired(
  namespaces: readonly string[] | null,
  { sql: range }: Sql,
): Along & Pick<ReadScope, 'occurrence'> {
  const along: Along = namespaces
    ? { index: 'memory_items_retired_by_namespace', range, ranges: namespaces.length }
    : { index: 'memory_items_retired', range, ranges: 1 }
  return { ...along, occurrence: along }
}

/** The same scope with the rows that pass its filters instead of the filters. */
export const scopeOfRows = (scope: ReadScope, rows: readonly number[]): ReadScope => {
  const filter = sql('i.row in (select value from json_each(:rows))', { rows: JSON.stringify(rows) })
  return { ...scope, ...and(scope.unfiltered, filter), filter, metadataConditions: 0 }
}
