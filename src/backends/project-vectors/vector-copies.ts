import { BoundedMap } from '../../core/values/bounded-map.ts'
import type { VectorCopy } from './vector-copy.ts'
import { HOUR_MS, MINUTE_MS } from '../../core/values/durations.ts'

/** A new copy replaces only copies that were idle this long. Otherwise projects that alternate would be read repeatedly. */
const IDLE_MS = MINUTE_MS
/** An isolate reads a project at most once in this time, however often its vectors change. */
const READ_EVERY_MS = MINUTE_MS
/** A project that was too large is not read again for this long. */
const TOO_LARGE_FOR_MS = HOUR_MS
/** Maximum age of a copy: a restored database may return an old revision again. */
const MAX_AGE_MS = 10 * MINUTE_MS
const MAX_REMEMBERED = 10_000

interface Held {
  copy: VectorCopy
  revision: number
  readAt: number
  usedAt: number
}

/** The copies of projects' vectors that an isolate holds. */
export class VectorCopies {
  /** By project, least recently used first: a map keeps the order of insertion. */
  readonly #held = new Map<string, Held>()
  /** The instant from which a project may be read, by project, least recently read first. */
  readonly #readFrom = new BoundedMap<string, number>(MAX_REMEMBERED)
  #bytes = 0

  /** The copy of a project at this revision and of this model. A copy of another revision is dropped. */
  get(projectId: string, revision: number, model: string, now: number): VectorCopy | null {
    const held = this.#held.get(projectId)
    if (!held) return null
    this.#end(projectId)
    if (held.revision !== revision || held.copy.model !== model || now - held.readAt >= MAX_AGE_MS) return null
    this.#bytes += held.copy.bytes
    this.#held.set(projectId, { ...held, usedAt: now })
    return held.copy
  }

  /** Whether to read this project now, if the copies may take `maxBytes`. If true, a read of it counts as begun. */
  beginRead(projectId: string, maxBytes: number, now: number): boolean {
    if (now < (this.#readFrom.get(projectId) ?? -Infinity)) return false
    this.#release(maxBytes, now)
    if (this.#bytes >= maxBytes) return false
    this.#readFrom.set(projectId, now + READ_EVERY_MS)
    return true
  }

  /** A read has found that the project is too large for a copy. */
  tooLarge(projectId: string, now: number): void {
    this.#readFrom.set(projectId, now + TOO_LARGE_FOR_MS)
  }

  /** Keeps a copy that was read after a statement returned this revision, if there is room: reads overlap. */
  hold(projectId: string, revision: number, copy: VectorCopy, maxBytes: number, now: number): void {
    this.#end(projectId)
    if (this.#bytes + copy.bytes > maxBytes) return
    this.#bytes += copy.bytes
    this.#held.set(projectId, { copy, revision, readAt: now, usedAt: now })
  }

  /** Ends copies that no search uses: those that are too old, and others where the memory is full. */
  #release(maxBytes: number, now: number): void {
    for (const [projectId, { readAt, usedAt }] of this.#held) {
      if (now - usedAt < IDLE_MS) break
      if (this.#bytes >= maxBytes || now - readAt >= MAX_AGE_MS) this.#end(projectId)
    }
  }

  #end(projectId: string): void {
    this.#bytes -= this.#held.get(projectId)?.copy.bytes ?? 0
    this.#held.delete(projectId)
  }
}
