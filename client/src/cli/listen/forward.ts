import type { Io } from '../io.ts'
import { newId, signed, type Hook } from './hook.ts'

/** An attempt ends after this long, as those of the service do (contract §5). */
const ATTEMPT_MS = 15_000
/** A developer waits: seconds instead of the hours of the service. */
const RETRY_WAITS_MS = [1_000, 4_000, 10_000]
const AT_ONCE = 8

interface ForwardedEvent {
  id: string
  type: string
}

/** The outcome of an event: the status of the last attempt, or the reason why there was none. */
export interface Forwarded {
  event: ForwardedEvent
  ok: boolean
  attempts: number
  reason: string
}

/** An event on its way to the hook. `after`: the position in the stream before it. */
export interface Pending {
  event: ForwardedEvent
  after: string | null
}

export interface Target {
  url: string
  hook: Hook
  fetch?: typeof fetch
}

/**
 * Sends events to a hook as the service would: signed, with the same `webhook-id` in each attempt. A hook that fails is
 * tried three more times. A few events are under way at once; the others wait, so that a slow hook gets no flood.
 */
export class Forwarder {
  readonly #io: Io
  readonly #target: Target
  readonly #report: (outcome: Forwarded) => void
  /** In the order in which they came. */
  readonly #unforwarded = new Set<Pending>()
  readonly #waiting: Pending[] = []
  #running = 0
  #idle: (() => void)[] = []

  constructor(io: Io, target: Target, report: (outcome: Forwarded) => void) {
    this.#io = io
    this.#target = target
    this.#report = report
  }

  /** Events that are not at the hook yet. */
  get pending(): number {
    return this.#waiting.length + this.#running
  }

  /** Pending events, and those that Ctrl-C kept from an attempt: not those that have failed for good. */
  get unforwarded(): readonly Pending[] {
    return [...this.#unforwarded]
  }

  push(event: ForwardedEvent, after: string | null = null): void {
    const pending = { event, after }
    this.#unforwarded.add(pending)
    this.#waiting.push(pending)
    this.#next()
  }

  /** Brings to its end what is pending; after Ctrl-C only the attempts under way. How many events it gives up. */
  async end(): Promise<number> {
    const { length } = this.#io.interrupted.aborted ? this.#waiting.splice(0) : []
    await this.drained()
    return length
  }

  /** Resolves once nothing is under way any more. */
  drained(): Promise<void> {
    return this.pending === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  #next(): void {
    while (this.#running < AT_ONCE) {
      const pending = this.#waiting.shift()
      if (!pending) break
      this.#running += 1
      void this.#deliver(pending)
        .then(this.#report)
        .finally(() => {
          this.#running -= 1
          this.#next()
        })
    }
    if (this.pending === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  async #deliver(pending: Pending): Promise<Forwarded> {
    const { event } = pending
    const { subscription_id } = this.#target.hook
    const body = JSON.stringify({ subscription_id, events: [event], timestamp: new Date(this.#io.now()).toISOString() })
    const delivery = { id: newId('dlv'), body }
    for (let attempts = 1; ; attempts += 1) {
      const { ok, reason, gone } = await this.#attempt(delivery)
      // A 410 tells that the hook wants no more: the service would disable the subscription.
      const wait = ok || gone ? undefined : RETRY_WAITS_MS[attempts - 1]
      if (wait === undefined) this.#unforwarded.delete(pending)
      // Ctrl-C ends it early.
      if (wait !== undefined) await this.#io.sleep(wait)
      if (wait === undefined || this.#io.interrupted.aborted) return { event, ok, attempts, reason }
    }
  }

  async #attempt(delivery: { id: string; body: string }): Promise<{ ok: boolean; reason: string; gone: boolean }> {
    try {
      const response = await (this.#target.fetch ?? fetch)(this.#target.url, {
        method: 'POST',
        headers: signed(this.#target.hook, delivery, this.#io.now()),
        body: delivery.body,
        redirect: 'manual',
        signal: AbortSignal.timeout(ATTEMPT_MS),
      })
      await response.body?.cancel()
      return { ok: response.ok, reason: String(response.status), gone: response.status === 410 }
    } catch (error) {
      return { ok: false, reason: reasonOf(error), gone: false }
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no response within ${ATTEMPT_MS / 1_000} s`
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : null
  return code === 'ECONNREFUSED' ? 'nothing is listening there' : (code ?? String(error))
}
