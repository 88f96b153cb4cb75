import { randomFraction, sleep } from './http.ts'
import { afterClose, CREDENTIAL_ENDED } from './reconnect.ts'
import { RecentIds } from './recent-ids.ts'
import type { MemoryEvent } from './types.ts'

/** The part of a WebSocket that the stream uses. The global one of browsers, Node 22+, Deno and Workers fits. */
export interface SocketLike {
  send(data: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void
  addEventListener(type: 'error', listener: () => void): void
}

export interface ListenOptions {
  channels: readonly string[]
  /** Names this client. A reconnect then replaces an older connection that the service still holds. */
  clientId?: string
  /** The last event that an earlier run of the program handled. */
  lastEventId?: string
  onEvent(event: MemoryEvent): void
  /** After each connect. `missed`: lost events cannot be replayed, so read the state again. */
  onConnected?(state: { recovered: boolean; replayed: number; missed: boolean }): void
  /** The stream has ended and does not reconnect. */
  onStopped?(reason: string): void
}

export interface StreamDependencies {
  url: string
  token(): Promise<string>
  open?: (url: string, protocols: string[]) => SocketLike
  sleep?: (ms: number) => Promise<void>
  random?: () => number
}

const openWebSocket = (url: string, protocols: string[]): SocketLike => new WebSocket(url, protocols)

const PING_EVERY_MS = 25_000
const PONG_WITHIN_MS = 10_000
/** The client acknowledges after every so many messages. */
const ACKNOWLEDGE_EVERY = 100

/** A stream of events over one WebSocket after another: it reconnects, resumes, and drops repeats by id. */
export class EventStream {
  readonly #options: ListenOptions
  readonly #deps: StreamDependencies
  readonly #recentIds = new RecentIds()
  #socket: SocketLike | null = null
  #lastEventId: string | null
  /** The token of the latest connection. */
  #token: string | null = null
  #endedToken: string | null = null
  #failures = 0
  #received = 0
  #stopped = false
  #heartbeat: ReturnType<typeof setInterval> | undefined
  #pongDue: ReturnType<typeof setTimeout> | undefined

  constructor(options: ListenOptions, deps: StreamDependencies) {
    this.#options = options
    this.#deps = deps
    this.#lastEventId = options.lastEventId ?? null
    void this.#connect()
  }

  /** Keep it to resume here after a restart of the program. */
  get lastEventId(): string | null {
    return this.#lastEventId
  }

  close(): void {
    this.#stop('closed by the client')
  }

  async #connect(): Promise<void> {
    try {
      const token = await this.#deps.token()
      if (this.#stopped) return
      if (token === this.#endedToken) return this.#stop(CREDENTIAL_ENDED)
      this.#token = token
      const open = this.#deps.open ?? openWebSocket
      const socket: SocketLike = open(this.#address(), ['recollect', `bearer.${token}`])
      this.#socket = socket
      this.#received = 0
      socket.addEventListener('message', ({ data }) => this.#onMessage(socket, String(data)))
      socket.addEventListener('close', ({ code }) => this.#onClose(socket, code))
      socket.addEventListener('error', () => this.#onClose(socket, 1006))
    } catch {
      this.#onClose(this.#socket, 1006)
    }
  }

  #address(): string {
    const query = new URLSearchParams({ channels: this.#options.channels.join(',') })
    if (this.#options.clientId !== undefined) query.set('client_id', this.#options.clientId)
    if (this.#lastEventId !== null) query.set('last_event_id', this.#lastEventId)
    return `${this.#deps.url}?${query.toString()}`
  }

  #onMessage(socket: SocketLike, text: string): void {
    if (socket !== this.#socket || this.#stopped) return
    clearTimeout(this.#pongDue)
    const message = JSON.parse(text) as Partial<MemoryEvent>
    if (typeof message.id !== 'string') return
    this.#received += 1
    const event = message as MemoryEvent
    const closing = closingCode(event)
    if (closing !== null) return this.#onClosing(socket, event.id, closing)
    if (this.#received === 1) this.#onFirstFrame(socket, event)
    else if (this.#recentIds.add(event.id)) this.#options.onEvent(event)
    // Set after the handler, so that an event whose handler failed is replayed.
    this.#lastEventId = event.id
    if (this.#received % ACKNOWLEDGE_EVERY === 0) this.#acknowledge(socket)
  }

  #onFirstFrame(socket: SocketLike, { data }: MemoryEvent): void {
    this.#failures = 0
    const recovered = data['recovered'] === true
    const missed = this.#lastEventId !== null && !recovered
    this.#options.onConnected?.({ recovered, replayed: Number(data['replayed'] ?? 0), missed })
    clearInterval(this.#heartbeat)
    this.#heartbeat = setInterval(() => this.#ping(socket), PING_EVERY_MS)
  }

  /** The socket's own close may come half a minute later, or never (docs/realtime.md). */
  #onClosing(socket: SocketLike, id: string, code: number): void {
    this.#lastEventId = id
    socket.close(1000, 'bye')
    this.#onClose(socket, code)
  }

  #acknowledge(socket: SocketLike): void {
    socket.send(JSON.stringify({ type: 'ack', received: this.#received }))
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
    this.#failures += 1
    if (code === 4401) this.#endedToken = this.#token
    const next = afterClose(code, this.#failures, (this.#deps.random ?? randomFraction)())
    if ('stopped' in next) return this.#stop(next.stopped)
    void (this.#deps.sleep ?? sleep)(next.reconnectInMs).then(() => (this.#stopped ? undefined : this.#connect()))
  }

  #stop(reason: string): void {
    if (this.#stopped) return
    this.#stopped = true
    clearInterval(this.#heartbeat)
    clearTimeout(this.#pongDue)
    this.#socket?.close(1000, 'bye')
    this.#socket = null
    this.#options.onStopped?.(reason)
  }
}

/** The close code in the last frame of a socket that the service closes; null for any other message. */
function closingCode({ type, data }: MemoryEvent): number | null {
  const code = type === 'system.status' && data['state'] === 'closing' ? data['code'] : null
  return typeof code === 'number' ? code : null
}
