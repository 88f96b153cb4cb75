import { addressOf } from './address.ts'
import { errorOf, problemOf } from '../errors.ts'
import { EventQueue } from './event-queue.ts'
import type { EventMessage, RecollectEvent } from '../events.ts'
import { randomFraction, sleep } from '../http.ts'
import { afterClose, closingCode, CREDENTIAL_ENDED, isFinal } from './reconnect.ts'
import { RecentIds } from './recent-ids.ts'
import { openWebSocket, type SocketLike } from './socket.ts'
import type { ListenOptions, StreamDependencies } from './listen-options.ts'

/** From the attempt to connect to the first frame. */
const OPEN_WITHIN_MS = 30_000
const PING_EVERY_MS = 25_000
const PONG_WITHIN_MS = 10_000
/** The client acknowledges once for this many messages. */
const ACKNOWLEDGE_EVERY = 100

/** An event that is not handled yet. `position`: where to resume after it. `done`: the promise of its `onEvent`. */
interface Entry<Event> {
  event: Event
  position: string | null
  socket: SocketLike
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
  #socket: SocketLike | null = null
  /** A new connection resumes here. */
  #receivedId: string | null
  /** Here it resumes once only what was handled counts. */
  #lastEventId: string | null
  /** The token of the latest connection. */
  #token: string | null = null
  #endedToken: string | null = null
  #failures = 0
  #received = 0
  /** Of the messages of this connection, those in the queue. */
  #queued = 0
  #acknowledged = 0
  #stopped = false
  #heartbeat: ReturnType<typeof setInterval> | undefined
  #pongDue: ReturnType<typeof setTimeout> | undefined
  /** Until the first frame. */
  #openDue: ReturnType<typeof setTimeout> | undefined
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

  #handled({ position, socket }: Entry<Event>): void {
    this.#queue.shift()
    this.#lastEventId = this.#queue.isEmpty ? this.#receivedId : position
    if (socket !== this.#socket) return
    this.#queued -= 1
    this.#acknowledge(socket)
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
      this.#socket = socket
      this.#unproven = true
      this.#openDue = setTimeout(() => {
        socket.close()
        this.#onClose(socket, 1006)
      }, OPEN_WITHIN_MS)
      this.#received = 0
      this.#queued = 0
      this.#acknowledged = 0
      socket.addEventListener('message', ({ data }) => this.#onMessage(socket, String(data)))
      socket.addEventListener('close', ({ code }) => this.#onClose(socket, code))
      socket.addEventListener('error', () => this.#onClose(socket, 1006))
    } catch (error) {
      // A lost line is an event of the socket. A failure to open one comes again each time.
      if (isOpening || isFinal(error)) return this.#stop(`it cannot connect: ${String(error)}`, error)
      this.#onClose(this.#socket, 1006)
    }
  }

  async #probe(): Promise<void> {
    await this.#deps.probe?.().catch((error: unknown) => {
      if (isFinal(error)) throw error
    })
  }

  #onMessage(socket: SocketLike, text: string): void {
    if (socket !== this.#socket || this.#stopped) return
    clearTimeout(this.#pongDue)
    const message = JSON.parse(text) as Partial<EventMessage>
    if (typeof message.id !== 'string') return
    this.#received += 1
    const event = message as Event
    const closing = closingCode(event)
    if (closing !== null) return this.#onClosing(socket, event.id, closing)
    const isFirst = this.#received === 1
    // After an event that came late, all that is newer would come again.
    const position = isFirst || this.#recentIds.isNewest(event.id) ? event.id : this.#receivedId
    try {
      if (isFirst) this.#onFirstFrame(socket, event)
      else if (this.#recentIds.add(event.id)) this.#hand(socket, event, position)
    } catch (error) {
      return this.#fail(error)
    }
    this.#receivedId = position
    if (this.#queue.isEmpty) this.#lastEventId = position
    this.#acknowledge(socket)
  }

  #hand(socket: SocketLike, event: Event, position: string | null): void {
    const done: unknown = this.#options.onEvent?.(event)
    if (done instanceof Promise) done.catch(this.#fail)
    else if (this.#options.onEvent) return
    this.#queue.push({ event, position, socket, done })
    this.#queued += 1
  }

  #onFirstFrame(socket: SocketLike, { data }: EventMessage): void {
    this.#failures = 0
    this.#unproven = false
    clearTimeout(this.#openDue)
    this.#endedToken = null
    const recovered = data['recovered'] === true
    const missed = this.#receivedId !== null && !recovered
    this.#options.onConnected?.({
      recovered,
      replayed: Number(data['replayed'] ?? 0),
      missed,
      hint: data['hint'] as string | undefined,
    })
    clearInterval(this.#heartbeat)
    this.#heartbeat = setInterval(() => this.#ping(socket), PING_EVERY_MS)
  }

  /** The socket's own close may come half a minute later, or never (docs/realtime.md). */
  #onClosing(socket: SocketLike, id: string, code: number): void {
    this.#receivedId = id
    if (this.#queue.isEmpty) this.#lastEventId = id
    socket.close(1000, 'bye')
    this.#onClose(socket, code)
  }

  #acknowledge(socket: SocketLike): void {
    const handled = this.#received - this.#queued
    if (handled - this.#acknowledged < ACKNOWLEDGE_EVERY) return
    this.#acknowledged = handled
    socket.send(JSON.stringify({ type: 'ack', received: handled }))
  }

  #ping(socket: SocketLike): void {
    socket.send('{"type":"ping"}')
    this.#pongDue = setTimeout(() => {
      socket.close(4000, 'no pong')
      this.#onClose(socket, 1006)
    }, PONG_WITHIN_MS)
  }

  #onClose(socket: SocketLike | null, code: number): void {
    // An error or a closing frame is followed by a close; only the first counts as a failure.
    if (socket !== this.#socket || this.#stopped) return
    this.#socket = null
    clearInterval(this.#heartbeat)
    clearTimeout(this.#pongDue)
    clearTimeout(this.#openDue)
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
    clearInterval(this.#heartbeat)
    clearTimeout(this.#pongDue)
    clearTimeout(this.#openDue)
    this.#socket?.close(1000, 'bye')
    this.#socket = null
    this.#queue.end(failure)
    this.#options.onStopped?.(reason, failure)
  }
}
