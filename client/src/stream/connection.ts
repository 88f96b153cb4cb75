import type { SocketLike } from './socket.ts'

/** From the attempt to connect to the first frame. */
const OPEN_WITHIN_MS = 30_000
const PING_EVERY_MS = 25_000
const PONG_WITHIN_MS = 10_000
/** The client acknowledges once for this many messages. */
const ACKNOWLEDGE_EVERY = 100
/** The close code of a line that was lost. */
export const LOST = 1006

interface Listeners {
  message(text: string): void
  /** Once, unless the client has ended the connection. */
  close(code: number): void
}

/** One WebSocket of a stream: it finds out whether the line is lost, and acknowledges what is handled. */
export class Connection {
  readonly #socket: SocketLike
  readonly #listeners: Listeners
  #received = 0
  /** Of the received messages, those that are not handled yet. */
  #held = 0
  #acknowledged = 0
  #isOver = false
  #openDue: ReturnType<typeof setTimeout> | undefined
  #pongDue: ReturnType<typeof setTimeout> | undefined
  #heartbeat: ReturnType<typeof setInterval> | undefined

  constructor(socket: SocketLike, listeners: Listeners) {
    this.#socket = socket
    this.#listeners = listeners
    this.#openDue = setTimeout(() => this.#lose(), OPEN_WITHIN_MS)
    socket.addEventListener('message', ({ data }) => {
      if (this.#isOver) return
      clearTimeout(this.#pongDue)
      listeners.message(String(data))
    })
    // An error is followed by a close; only the first counts.
    socket.addEventListener('close', ({ code }) => this.#onClose(code))
    socket.addEventListener('error', () => this.#onClose(LOST))
  }

  /** Counts a message, and tells whether it is the first, from which on the line is watched. */
  receive(): boolean {
    this.#received += 1
    if (this.#received > 1) return false
    clearTimeout(this.#openDue)
    this.#heartbeat = setInterval(() => this.#ping(), PING_EVERY_MS)
    return true
  }

  hold(): void {
    this.#held += 1
  }

  /** What was held is handled. */
  release(): void {
    this.#held -= 1
    this.acknowledge()
  }

  acknowledge(): void {
    const handled = this.#received - this.#held
    if (this.#isOver || handled - this.#acknowledged < ACKNOWLEDGE_EVERY) return
    this.#acknowledged = handled
    this.#socket.send(JSON.stringify({ type: 'ack', received: handled }))
  }

  end(): void {
    this.#finish()
    this.#socket.close(1000, 'bye')
  }

  #ping(): void {
    this.#socket.send('{"type":"ping"}')
    this.#pongDue = setTimeout(() => this.#lose(4000, 'no pong'), PONG_WITHIN_MS)
  }

  #lose(code?: number, reason?: string): void {
    this.#socket.close(code, reason)
    this.#onClose(LOST)
  }

  #onClose(code: number): void {
    if (this.#isOver) return
    this.#finish()
    this.#listeners.close(code)
  }

  #finish(): void {
    this.#isOver = true
    clearTimeout(this.#openDue)
    clearTimeout(this.#pongDue)
    clearInterval(this.#heartbeat)
  }
}
