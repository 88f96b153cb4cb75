import type { VectorCopy } from './vector-copy.ts'

/** A copy makes room only in place of those that no search has used for so long. Else projects in turns would be read again and again. */
const IDLE_MS = 60_000
/** An isolate reads a project at most once in this time, however often its vectors change. */
const READ_EVERY_MS = 60_000
/** A copy ends after this time: a database that was restored may tell an old revision again. */
const MAX_AGE_MS = 10 * 60_000
const MAX_REMEMBERED = 10_000

interface Held {
  copy: VectorCopy
  revision: number
  readAt: number
  usedAt: number
}

/** The copies of projects' vectors that an isolate holds. */
export class VectorCopies {
  /** By project, the one used least recently first: a map keeps the order of insertion. */
  readonly #held = new Map<string, Held>()
  /** When a project was last read, by project, the oldest first. */
  readonly #readAt = new Map<string, number>()
  #bytes = 0

  /** The copy of a project, as of this revision and of this model. One of another revision ends. */
  get(projectId: string, revision: number, model: string, now: number): VectorCopy | null {
    const held = this.#held.get(projectId)
    if (!held) return null
    this.#held.delete(projectId)
    if (held.revision !== revision || held.copy.model !== model || now - held.readAt >= MAX_AGE_MS) {
      this.#bytes -= held.copy.bytes
      return null
    }
    held.usedAt = now
    this.#held.set(projectId, held)
    return held.copy
  }

  /** Whether to read this project now, where the copies may take about so many bytes: then a read of it counts as begun. */
  beginRead(projectId: string, maxBytes: number, now: number): boolean {
    if (now - (this.#readAt.get(projectId) ?? -Infinity) < READ_EVERY_MS) return false
    this.#release(maxBytes, now)
    if (this.#bytes >= maxBytes) return false
    this.#readAt.delete(projectId)
    this.#readAt.set(projectId, now)
    const oldest = this.#readAt.keys().next().value
    if (this.#readAt.size > MAX_REMEMBERED && oldest !== undefined) this.#readAt.delete(oldest)
    return true
  }

  /** Holds a copy that was read after a statement had told this revision. */
  hold(projectId: string, revision: number, copy: VectorCopy, now: number): void {
    this.#bytes += copy.bytes - (this.#held.get(projectId)?.copy.bytes ?? 0)
    this.#held.delete(projectId)
    this.#held.set(projectId, { copy, revision, readAt: now, usedAt: now })
  }

  /** Ends the copies that no search uses, where the others fill the memory. */
  #release(maxBytes: number, now: number): void {
    for (const [projectId, { copy, usedAt }] of this.#held) {
      if (this.#bytes < maxBytes || now - usedAt < IDLE_MS) break
      this.#held.delete(projectId)
      this.#bytes -= copy.bytes
    }
  }
}
