import type { Filter } from '../core/filter.ts'
import { filterSql } from '../core/filter.ts'
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
}

const LABELS = ['scope', 'conversation_id', 'document_id', 'session_id'] as const

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
    '(?6 is null or i.namespace = ?6)',
    ...labels.map((label) => `i.${label} = ?7 ->> '${label}'`),
    filters.sql,
  ]
  const given = Object.fromEntries(labels.map((label) => [label, context[label]]))
  return {
    sql: conditions.join(' and '),
    values: [projectId, namespace, JSON.stringify(given), filters.values],
    namespace,
    narrow: labels.length > 0 || filter !== undefined,
  }
}
