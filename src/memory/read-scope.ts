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
  /** ?5 to ?8. */
  values: [project: string, namespace: string | null, context: string, filters: string]
  namespace: string | null
  /** It names less than a namespace, so its matches may stand anywhere among the project's items. */
  narrow: boolean
  /** The index of `memory_items` that is in order of age and leaves fewest rows. SQLite may choose another unless told. */
  index: string
}

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
  const filters = filter ? filterSql(filter, '?8') : { sql: '1', values: '[]' }
  const conditions = [
    'i.project_id = ?5',
    alive(),
    readableBy(principal),
    // SQLite searches no index for a condition that may or may not apply, so each case has its own SQL.
    ...(namespace === null ? [] : ['i.namespace = ?6']),
    ...labels.map((label) => `i.${label} = ?7 ->> '${label}'`),
    filters.sql,
  ]
  const indexed = INDEXED.find((name) => labels.includes(`${name}_id`))
  const labelled = Object.fromEntries(labels.map((label) => [label, context[label]]))
  return {
    sql: conditions.join(' and '),
    values: [projectId, namespace, JSON.stringify(labelled), filters.values],
    namespace,
    narrow: labels.length > 0 || filter !== undefined,
    index: `memory_items_by_${indexed ?? (namespace === null ? 'project' : 'namespace')}`,
  }
}
