import type { SearchRow } from './search-sql.ts'
import type { SemanticHits } from './semantic.ts'

/** A project is at rest where two searches within this time were told the same. One that is searched less gains nothing. */
const WITHIN_MS = 60_000
const MAX_REMEMBERED = 10_000

/** What the statement of a search told last, by project, the oldest first. */
const told = new Map<string, { revision: number | null; at: number; settled: boolean }>()

/** The revision of the vectors of a project at rest; null: it has changed, or it is searched seldom. */
export function settledRevision(projectId: string, now: number): number | null {
  const last = told.get(projectId)
  return last?.settled && now - last.at < WITHIN_MS ? last.revision : null
}

/** Called with the answer of the first statement of each search. No row: the caller may not see the project. */
export function rememberRevision(projectId: string, [row]: readonly SearchRow[], now: number): void {
  if (!row) return
  const revision = row.vectors_revision
  const last = told.get(projectId)
  const settled = last?.revision === revision && now - last.at < WITHIN_MS
  told.delete(projectId)
  told.set(projectId, { revision, at: now, settled })
  const oldest = told.keys().next().value
  if (told.size > MAX_REMEMBERED && oldest !== undefined) told.delete(oldest)
}

/** Whether a copy answered that is not as of the revision that the statement told. */
export const isOutdated = ({ copyOf }: SemanticHits, [row]: readonly SearchRow[]): boolean =>
  copyOf !== null && row !== undefined && row.vectors_revision !== copyOf
