import type { SocketLike } from './socket.ts'

const PING_EVERY_MS = 25_000
const PONG_WITHIN_MS = 10_000

/** Pings the socket of a stream. A socket that says nothing for ten seconds after a ping is closed with 4000. */
export class Heartbeat {
  readonly #onSilence: (socket: SocketLike) => void
  #pings: ReturnType<typeof setInterval> | undefined
  #pongDue: ReturnType<typeof setTimeout> | undefined

  /** `onSilence` is called once the silent socket is asked to close: its own `close` may never come. */
  constructor(onSilence: (socket: SocketLike) => void) {
    this.#onSilence = onSilence
  }

  start(socket: SocketLike): void {
    clearInterval(this.#pings)
    this.#pings = setInterval(() => this.#ping(socket), PING_EVERY_MS)
  }

  /** Any message counts as a pong. */
  heard(): void {
    clearTimeout(this.#pongDue)
  }

  stop(): void {
    clearInterval(this.#pings)
    clearTimeout(this.#pongDue)
  }

  #ping(socket: SocketLike): void {
    socket.send('{"type":"ping"}')
    this.#pongDue = setTimeout(() => {
      socket.close(4000, 'no pong')
      this.#onSilence(socket)
    }, PONG_WITHIN_MS)
  }
}
