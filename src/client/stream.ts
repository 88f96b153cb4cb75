import { randomFraction, sleep } from './http.ts'
import { afterClose } from './reconnect.ts'
import { SeenIds } from './seen.ts'
import type { MemoryEvent } from './types.ts'

/** As much of a WebSocket as the stream uses; the global one of browsers, Node 22+, Deno and Workers fits. */
export interface SocketLike {
  send(data: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void
  addEventListener(type: 'error', listener: () => void): void
}

export interface ListenOptions {
  channels: readonly string[]
  /** Names this client: a reconnect then takes the place of a connection that the network has half forgotten. */
  clientId?: string
  /** Where an earlier run of the program had stopped. */
  lastEventId?: string
  onEvent(event: MemoryEvent): void
  /** Connected, for the first time or again. `missed`: events were lost that could not be sent again; read anew. */
  onConnected?(state: { recovered: boolean; replayed: number; missed: boolean }): void
  /** The stream ended for good, with the reason. */
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
/** After this many events the service is told how far the client has come. */
const ACKNOWLEDGE_EVERY = 100

/** One subscription to channels that outlives its sockets: it reconnects, resumes, and drops repeats by id. */
export class EventStream {
  readonly #options: ListenOptions
  readonly #deps: StreamDependencies
  readonly #seen = new SeenIds()
  #socket: SocketLike | null = null
  #lastEventId: string | null
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

  /** To be kept by a program that wants to go on from here after a restart. */
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
    if (this.#received === 1) this.#onFirstFrame(socket, event)
    else if (this.#seen.add(event.id)) this.#options.onEvent(event)
    // After the handler: what it did not get to see is asked for again.
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
    // An error and its close are one loss.
    if (socket !== this.#socket || this.#stopped) return
    this.#socket = null
    clearInterval(this.#heartbeat)
    clearTimeout(this.#pongDue)
    this.#failures += 1
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
