import { addressOf } from './address.ts'
import { errorOf, problemOf } from '../errors.ts'
import { Connection, LOST } from './connection.ts'
import { EventQueue } from './event-queue.ts'
import type { EventMessage, RecollectEvent } from '../events.ts'
import { randomFraction, sleep } from '../http.ts'
import { afterClose, closingCode, CREDENTIAL_ENDED, isFinal } from './reconnect.ts'
import { RecentIds } from './recent-ids.ts'
import { openWebSocket } from './socket.ts'
import type { ListenOptions, StreamDependencies } from './listen-options.ts'

/** An event that is not handled yet. `position`: where to resume after it. `done`: the promise of its `onEvent`. */
interface Entry<Event> {
  event: Event
  position: string | null
  connection: Connection
  done: unknown
}

/**
 * A stream of events over one WebSocket after another: it reconnects, resumes, and drops repeats by id.
 * A `for await` that lags behind holds the service back: what is not yet handled is not acknowledged.
 */
export class EventStream<Event extends EventMessage = RecollectEvent> implements AsyncIterable<Event> {
  readonly #options: ListenOptions<Event>
  readonly #deps: StreamDependencies
  readonly #recentIds = new RecentIds()
  readonly #queue = new EventQueue<Entry<Event>>()
  #connection: Connection | null = null
  /** A new connection resumes here. */
  #receivedId: string | null
  /** Here it resumes once only what was handled counts. */
  #lastEventId: string | null
  /** The token of the latest connection. */
  #token: string | null = null
  #endedToken: string | null = null
  #failures = 0
  #stopped = false
  /** The latest connection has had no frame, so its credential may be one that is refused. */
  #unproven = false

  constructor(options: ListenOptions<Event>, deps: StreamDependencies) {
    this.#options = options
    this.#deps = deps
    this.#lastEventId = options.lastEventId ?? null
    this.#receivedId = this.#lastEventId
    if (options.onEvent) this.#follow().catch(() => {})
    options.signal?.addEventListener('abort', this.close)
    if (options.signal?.aborted) this.close()
    else void this.#connect()
  }

  /** Leaving the loop closes the stream. It fails where the service ends the stream for good. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void> {
    try {
      for await (const entry of this.#queue) {
        yield entry.event
        this.#handled(entry)
      }
    } finally {
      this.close()
    }
  }

  /** Keep it to resume here after a restart of the program. */
  get lastEventId(): string | null {
    return this.#lastEventId
  }

  readonly close = (): void => this.#stop('closed by the client')

  /** Ends the stream before the event for which a callback failed. Without `onStopped` the failure is uncaught. */
  readonly #fail = (error: unknown): void => {
    const isTold = !this.#stopped && this.#options.onStopped !== undefined
    this.#stop(`a callback failed: ${String(error)}`, error)
    if (!isTold) throw error
  }

  /** Counts events whose `onEvent` has promised something, in order, as handled once it is done. */
  async #follow(): Promise<void> {
    for await (const entry of this.#queue) {
      await entry.done
      this.#handled(entry)
    }
  }

  #handled({ position, connection }: Entry<Event>): void {
    this.#queue.shift()
    this.#lastEventId = this.#queue.isEmpty ? this.#receivedId : position
    connection.release()
  }

  async #connect(): Promise<void> {
    let isOpening = false
    try {
      // A resume would bring what is still held once more.
      await this.#queue.drained()
      // A refusal before the upgrade looks like a lost line to a WebSocket.
      if (this.#unproven) await this.#probe()
      const token = await this.#deps.token(this.#endedToken ?? undefined)
      if (this.#stopped) return
      if (token === null || token === this.#endedToken) return this.#end(CREDENTIAL_ENDED, 4401)
      this.#token = token
      isOpening = true
      const address = addressOf(this.#deps.url, this.#options, this.#receivedId)
      const socket = await (this.#deps.open ?? openWebSocket)(address, ['recollect', `bearer.${token}`])
      if (this.#stopped) return socket.close()
      this.#unproven = true
      const connection = new Connection(socket, {
        message: (text) => this.#onMessage(connection, text),
        close: (code) => this.#onClose(code),
      })
      this.#connection = connection
    } catch (error) {
      // A lost line is an event of the socket. A failure to open one comes again each time.
      if (isOpening || isFinal(error)) return this.#stop(`it cannot connect: ${String(error)}`, error)
      this.#onClose(LOST)
    }
  }

  async #probe(): Promise<void> {
    await this.#deps.probe?.().catch((error: unknown) => {
      if (isFinal(error)) throw error
    })
  }

  #onMessage(connection: Connection, text: string): void {
    const message = JSON.parse(text) as Partial<EventMessage>
    if (typeof message.id !== 'string') return
    const isFirst = connection.receive()
    const event = message as Event
    const closing = closingCode(event)
    if (closing !== null) return this.#onClosing(connection, event.id, closing)
    // After an event that came late, all that is newer would come again.
    const position = isFirst || this.#recentIds.isNewest(event.id) ? event.id : this.#receivedId
    try {
      if (isFirst) this.#onFirstFrame(event)
      else if (this.#recentIds.add(event.id)) this.#hand(connection, event, position)
    } catch (error) {
      return this.#fail(error)
    }
    this.#receivedId = position
    if (this.#queue.isEmpty) this.#lastEventId = position
    connection.acknowledge()
  }

  #hand(connection: Connection, event: Event, position: string | null): void {
    const done: unknown = this.#options.onEvent?.(event)
    if (done instanceof Promise) done.catch(this.#fail)
    else if (this.#options.onEvent) return
    this.#queue.push({ event, position, connection, done })
    connection.hold()
  }

  #onFirstFrame({ data }: EventMessage): void {
    this.#failures = 0
    this.#unproven = false
    this.#endedToken = null
    const recovered = data['recovered'] === true
    const missed = this.#receivedId !== null && !recovered
    this.#options.onConnected?.({
      recovered,
      replayed: Number(data['replayed'] ?? 0),
      missed,
      hint: data['hint'] as string | undefined,
    })
  }

  /** The socket's own close may come half a minute later, or never (docs/realtime.md). */
  #onClosing(connection: Connection, id: string, code: number): void {
    this.#receivedId = id
    if (this.#queue.isEmpty) this.#lastEventId = id
    connection.end()
    this.#onClose(code)
  }

  #onClose(code: number): void {
    if (this.#stopped) return
    this.#connection = null
    this.#failures += 1
    if (code === 4401) this.#endedToken = this.#token
    const next = afterClose(code, this.#failures, (this.#deps.random ?? randomFraction)())
    if ('stopped' in next) return this.#end(next.stopped, code)
    void (this.#deps.sleep ?? sleep)(next.reconnectInMs).then(() => (this.#stopped ? undefined : this.#connect()))
    this.#options.onDisconnected?.({ code, ...next })
  }

  /** The service ends the stream for good. */
  #end(reason: string, code: number): void {
    this.#stop(reason, errorOf(problemOf('stream_ended', reason, code - 4_000)))
  }

  #stop(reason: string, failure?: unknown): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#options.signal?.removeEventListener('abort', this.close)
    this.#connection?.end()
    this.#connection = null
    this.#queue.end(failure)
    this.#options.onStopped?.(reason, failure)
  }
}
