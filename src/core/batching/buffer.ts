import type { System } from '../context.ts'

/** A refused batch waits at most this long, as a request has 30 s after its answer. */
const MAX_RETRY_MS = 1_000
/** A flush that is this late is lost: its request has ended. */
const LOST_AFTER_MS = 4_000

export interface BufferOptions<Batch> {
  /** How long a batch waits for more entries. */
  windowMs(system: System): number
  /** Opens an empty batch. */
  open(system: System): Batch
  /** A full batch is sent without waiting for its window. */
  isFull(batch: Batch): boolean
  /** Sends a batch that is closed. `refusals` counts how often in a row sending has failed before. */
  send(system: System, batch: Batch, refusals: number): Promise<void>
  /** Reports a failure to send, after which the buffer keeps the batch. */
  onRefused(system: System, batch: Batch, refusals: number, error: unknown): void
}

/**
 * Batches of entries of many requests of this isolate. The first request after a flush carries the next one in its
 * `waitUntil`. A batch that could not be sent stays as it is and is sent again, so a receiver that knows it
 * by an id of its own gets its entries once.
 */
export class SendBuffer<Batch> {
  readonly #options: BufferOptions<Batch>
  #open: Batch | null = null
  /** Batches to send, oldest first. */
  #closed: Batch[] = []
  #scheduledAt = -Infinity
  #refusals = 0

  constructor(options: BufferOptions<Batch>) {
    this.#options = options
  }

  /** Lets `put` add an entry to the open batch. The request waits for nothing. */
  add(system: System, put: (batch: Batch) => void): void {
    const batch = (this.#open ??= this.#options.open(system))
    put(batch)
    if (this.#options.isFull(batch)) system.waitUntil(this.#flush(system))
    else this.#schedule(system)
  }

  #schedule(system: System, windowMs = this.#options.windowMs(system)): void {
    const now = system.now()
    // In both directions, as a clock may be set back.
    if (Math.abs(now - this.#scheduledAt) < windowMs + LOST_AFTER_MS) return
    this.#scheduledAt = now
    system.waitUntil(scheduler.wait(windowMs).then(() => this.#flush(system)))
  }

  async #flush(system: System): Promise<void> {
    this.#scheduledAt = -Infinity
    if (this.#open) this.#closed.push(this.#open)
    this.#open = null
    const batches = this.#closed
    this.#closed = []
    const before = this.#refusals
    for (const [index, batch] of batches.entries()) {
      try {
        await this.#options.send(system, batch, before)
        this.#refusals = 0
      } catch (error) {
        this.#refusals = before + 1
        this.#options.onRefused(system, batch, this.#refusals, error)
        this.#closed = [...batches.slice(index), ...this.#closed]
        return this.#schedule(system, Math.min(this.#options.windowMs(system), MAX_RETRY_MS))
      }
    }
  }
}
