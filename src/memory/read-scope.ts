import type { Filter } from './filter.ts'
import { filterSql } from './filter.ts'
import { alive, readable, readableByRole } from './access.ts'
import { ALL_NAMESPACES, DEFAULT_NAMESPACE, type ReadContextInput } from './item.ts'

/**
 * What a search, list or export looks at: the conditions on `memory_items i` for a read context and filters. They use
 * `accessValues` (?1 to ?4), ?5 project, ?6 namespace (null: all), ?7 further context, ?8 values of the filters.
 * Unless the credential is `limited` to some projects, nothing asks for its permissions.
 */
export interface ReadScope {
  sql: string
  /** ?5 to ?8. */
  values: [project: string, namespace: string | null, context: string, filters: string]
  namespace: string | null
  /** Whether it asks for less than a namespace: its matches may be anywhere among the project's. */
  narrow: boolean
  /** The index of `memory_items` that narrows most and is in order of age; left alone, SQLite may choose another. */
  index: string
}

const LABELS = ['scope', 'conversation_id', 'document_id', 'session_id'] as const
const INDEXED = ['conversation', 'session', 'document'] as const

export function readScope(
  projectId: string,
  context: ReadContextInput,
  filter: Filter | undefined,
  limited = true,
): ReadScope {
  const namespace = context.namespace === ALL_NAMESPACES ? null : (context.namespace ?? DEFAULT_NAMESPACE)
  const labels = LABELS.filter((label) => context[label] !== undefined)
  const filters = filter ? filterSql(filter, '?8') : { sql: '1', values: '[]' }
  const conditions = [
    'i.project_id = ?5',
    alive(),
    limited ? readable() : readableByRole(),
    // A condition of its own for each case, as SQLite searches no index for one that may or may not hold.
    ...(namespace === null ? [] : ['i.namespace = ?6']),
    ...labels.map((label) => `i.${label} = ?7 ->> '${label}'`),
    filters.sql,
  ]
  const indexed = INDEXED.find((name) => labels.includes(`${name}_id`))
  const given = Object.fromEntries(labels.map((label) => [label, context[label]]))
  return {
    sql: conditions.join(' and '),
    values: [projectId, namespace, JSON.stringify(given), filters.values],
    namespace,
    narrow: labels.length > 0 || filter !== undefined,
    index: `memory_items_by_${indexed ?? (namespace === null ? 'project' : 'namespace')}`,
  }
}
