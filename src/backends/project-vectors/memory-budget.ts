const MIB = 1024 * 1024
/**
 * Part of the 128 MB of an isolate on Cloudflare. All objects of the isolate and all copies share it. The embedded model takes 20 MiB
 * beside it: the table three times at most (as it was read, and for two kernels), what a kernel works with and keeps, and the vocabulary.
 */
const DEFAULT_BUDGET_MB = 66
/** Part of it that the copies take (`vector-copies.ts`), which may be in the isolate of the objects. */
const COPIES_SHARE = 1 / 6

/** The entries of all objects of this isolate, least recently used first: a map keeps the order of insertion. */
const held = new Map<object, { bytes: number; release: () => void }>()
let heldBytes = 0

/** The memory of the isolate that its objects may fill with what they can read again. */
export class MemoryBudget {
  readonly #bytes: number

  /** `bytes`: for all objects of the isolate together. */
  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /** Charges for an entry. Past the budget the entries least recently used are released, but never this one. */
  hold(thing: object, bytes: number, release: () => void): void {
    this.drop(thing)
    held.set(thing, { bytes, release })
    heldBytes += bytes
    for (const [oldest, entry] of held) {
      if (heldBytes <= this.#bytes || oldest === thing) break
      this.drop(oldest)
      entry.release()
    }
  }

  /** Makes an entry the most recently used. */
  touch(thing: object): void {
    const entry = held.get(thing)
    if (!entry) return
    held.delete(thing)
    held.set(thing, entry)
  }

  /** Ends the charge for an entry. */
  drop(thing: object): void {
    heldBytes -= held.get(thing)?.bytes ?? 0
    held.delete(thing)
  }
}

/**
 * Bytes for the objects of an isolate and for its copies. `VECTOR_CACHE_MB` raises them on a laptop, where one process has
 * more memory than an isolate of Cloudflare.
 */
export function memoryBudget(megabytes: number | null): { objects: number; copies: number } {
  const all = (megabytes ?? DEFAULT_BUDGET_MB) * MIB
  return { objects: all * (1 - COPIES_SHARE), copies: all * COPIES_SHARE }
}
