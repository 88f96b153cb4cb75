import { BoundedMap } from '../../core/values/bounded-map.ts'
import { MINUTE_MS } from '../../core/values/durations.ts'

/** A project is at rest where two searches within this time were told the same. One that is searched less gains nothing. */
const WITHIN_MS = MINUTE_MS
const MAX_REMEMBERED = 10_000

/** What the statement of a search told last, by project. */
const told = new BoundedMap<string, { revision: number | null; at: number; settled: boolean }>(MAX_REMEMBERED)

/** The revision of the vectors of a project at rest; null: it has changed, or it is searched seldom. */
export function settledRevision(projectId: string, now: number): number | null {
  const last = told.get(projectId)
  return last?.settled && now - last.at < WITHIN_MS ? last.revision : null
}

/** Called with the answer of the first statement of each search. */
export function rememberRevision(projectId: string, revision: number | null, now: number): void {
  const last = told.get(projectId)
  const settled = last?.revision === revision && now - last.at < WITHIN_MS
  told.set(projectId, { revision, at: now, settled })
}
