import type { SearchRow } from './search-sql.ts'
import type { SemanticHits } from './semantic.ts'

const MAX_REMEMBERED = 10_000

/** What the last statement of a search told, by project, the oldest first; and whether the one before it told the same. */
const told = new Map<string, { revision: number | null; settled: boolean }>()

/** The revision of the project's vectors, where the last two statements told the same; else null. */
export function settledRevision(projectId: string): number | null {
  const last = told.get(projectId)
  return last?.settled ? last.revision : null
}

/** Called with what each statement of a search tells. */
export function rememberRevision(projectId: string, revision: number | null): void {
  const settled = told.get(projectId)?.revision === revision
  told.delete(projectId)
  told.set(projectId, { revision, settled })
  const oldest = told.keys().next().value
  if (told.size > MAX_REMEMBERED && oldest !== undefined) told.delete(oldest)
}

/** Whether a copy answered that is not as of the revision that the statement told. */
export const isOutdated = ({ copyOf }: SemanticHits, [row]: readonly SearchRow[]): boolean =>
  copyOf !== null && row !== undefined && row.vectors_revision !== copyOf
