import type { Frame, SocketRequest } from '../core/ports.ts'
import { CLOSE, type CloseReason } from './close-codes.ts'
import type { CredentialFacts } from './credential-cache.ts'
import { acknowledge, fits, type SocketState } from './socket-state.ts'
import { isBehind } from './acknowledgement-limit.ts'

/** Headers of the request that opens a reserved connection: its id and the JSON of its first frame. */
export const CONNECTION_HEADER = 'X-Connection'
export const FIRST_FRAME_HEADER = 'X-First-Frame'

/** A reserved connection that is not opened within this time is dropped. */
const RESERVED_MS = 30_000
/** Live events that wait for a connection to open. With more, the client must try again. */
const MAX_BUFFERED = 1_000

interface ReservedSocket {
  request: SocketRequest
  credential: CredentialFacts
  until: number
  history: Frame[]
  live: Frame[]
}

interface OpenSocket {
  socket: WebSocket
  state: SocketState
}

interface SocketRules {
  /** The open and reserved connections that the user may have. */
  max: number
  /** When a credential ends; Infinity: never. */
  endsAt: (credential: CredentialFacts) => number
  /** Makes the last frame of a socket (`closing-frame.ts`). */
  closingFrame: (reason: CloseReason) => Promise<string>
}

/**
 * The WebSockets of one user. Open ones hibernate and carry their state as attachment.
 * From its reservation to its upgrade a connection stands in memory and gathers live events, so that none is lost in between.
 */
export class UserSockets {
  readonly #ctx: DurableObjectState
  readonly #rules: SocketRules
  readonly #reserved = new Map<string, ReservedSocket>()
  /** Sockets whose closing frame is being made. */
  readonly #closing = new WeakSet<WebSocket>()

  constructor(ctx: DurableObjectState, rules: SocketRules) {
    this.#ctx = ctx
    this.#rules = rules
    // The platform answers a ping without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('{"type":"ping"}', '{"type":"pong"}'))
  }

  /** Reserves a connection. False where the user has as many as allowed. */
  reserve(request: SocketRequest, credential: CredentialFacts, now: number): boolean {
    for (const [id, one] of this.#reserved) if (one.until <= now) this.#reserved.delete(id)
    const reserved = [...this.#reserved.values()].map((one) => one.request)
    const present = [...this.#open().map(({ state }) => state), ...reserved]
    if (!fits(present, request.clientId, this.#rules.max)) return false
    const until = now + RESERVED_MS
    this.#reserved.set(request.connectionId, { request, credential, until, history: [], live: [] })
    return true
  }

  release(connectionId: string): void {
    this.#reserved.delete(connectionId)
  }

  /** Adds missed events, which follow the first frame. False where the reservation no longer exists. */
  addHistory(connectionId: string, frames: readonly Frame[]): boolean {
    const reserved = this.#reserved.get(connectionId)
    reserved?.history.push(...frames)
    return reserved !== undefined
  }

  /**
   * Opens a reserved connection: sends the first frame, missed events and gathered live events, without repeats.
   * Answers the client's end, or null where the reservation no longer exists or its credential has ended.
   */
  open(connectionId: string, first: string, now: number): WebSocket | null {
    const reserved = this.#reserved.get(connectionId)
    this.#reserved.delete(connectionId)
    if (!reserved || reserved.until <= now || this.#rules.endsAt(reserved.credential) <= now) return null
    const { clientId } = reserved.request
    if (clientId !== null)
      for (const one of this.#ctx.getWebSockets(clientTag(clientId))) this.close(one, CLOSE.replaced)

    const { 0: client, 1: server } = new WebSocketPair()
    this.#ctx.acceptWebSocket(server, clientId === null ? [] : [clientTag(clientId)])
    const frames = new Map([...reserved.history, ...reserved.live].map((frame) => [frame.id, frame.text]))
    for (const text of [first, ...frames.values()]) server.send(text)
    const { credential } = reserved
    const replayed = 1 + frames.size
    attach(server, { connectionId, clientId, credential, sent: replayed, replayed, acknowledged: null })
    return client
  }

  /** Sends frames to the connections that they name. Answers the connections that are gone. */
  push(frames: readonly Frame[], now: number): string[] {
    const open = new Map(this.#open().map((one) => [one.state.connectionId, one]))
    const gone = new Set<string>()
    for (const frame of frames) {
      for (const id of frame.connections) {
        const reserved = this.#reserved.get(id)
        const one = open.get(id)
        if (reserved) this.#buffer(id, reserved, frame)
        else if (!one || !this.#send(one, frame, now)) gone.add(id)
      }
    }
    for (const { socket, state } of open.values()) if (this.isOpen(socket)) attach(socket, state)
    return [...gone]
  }

  acknowledge(socket: WebSocket, received: number): void {
    attach(socket, acknowledge(stateOf(socket), received))
  }

  /** Ids of all connections, open or reserved. */
  connectionIds(): string[] {
    return [...this.#open().map(({ state }) => state.connectionId), ...this.#reserved.keys()]
  }

  /** Closes the sockets of ended credentials. Answers when the next credential ends (Infinity: none will). */
  closeEnded(now: number): number {
    let next = Infinity
    for (const { socket, state } of this.#open()) {
      const end = this.#rules.endsAt(state.credential)
      if (end <= now) this.close(socket, CLOSE.credentialEnded)
      else next = Math.min(next, end)
    }
    return next
  }

  closeThose(connectionIds: readonly string[], reason: CloseReason): void {
    for (const { socket, state } of this.#open()) {
      if (connectionIds.includes(state.connectionId)) this.close(socket, reason)
    }
    for (const id of connectionIds) this.#reserved.delete(id)
  }

  /** Closes a socket after a last frame that says so. From this call on it counts as closed and gets no other frame. */
  close(socket: WebSocket, reason: CloseReason): void {
    if (!this.isOpen(socket)) return
    this.#closing.add(socket)
    this.#ctx.waitUntil(this.#closeWithFrame(socket, reason))
  }

  /** The platform still lists a socket that is closing. */
  isOpen(socket: WebSocket): boolean {
    return hasOpenLine(socket) && !this.#closing.has(socket)
  }

  async #closeWithFrame(socket: WebSocket, reason: CloseReason): Promise<void> {
    try {
      socket.send(await this.#rules.closingFrame(reason))
    } catch {
      // The client has closed the socket, or its line is broken: it needs no frame.
    } finally {
      if (hasOpenLine(socket)) socket.close(reason.code, reason.reason)
    }
  }

  /** A full buffer ends the reservation, because a client gets all missed events or none. */
  #buffer(id: string, reserved: ReservedSocket, frame: Frame): void {
    if (reserved.live.length >= MAX_BUFFERED) this.#reserved.delete(id)
    else reserved.live.push(frame)
  }

  #send({ socket, state }: OpenSocket, frame: Frame, now: number): boolean {
    if (this.#rules.endsAt(state.credential) <= now) this.close(socket, CLOSE.credentialEnded)
    else if (isBehind(state)) this.close(socket, CLOSE.behind)
    if (!this.isOpen(socket)) return false
    try {
      socket.send(frame.text)
    } catch {
      // The stream would have a gap. After the close the client reconnects and gets the missed events.
      this.close(socket, CLOSE.restarting)
      return false
    }
    state.sent += 1
    return true
  }

  #open(): OpenSocket[] {
    return this.#ctx
      .getWebSockets()
      .filter((socket) => this.isOpen(socket))
      .map((socket) => ({ socket, state: stateOf(socket) }))
  }
}

export const stateOf = (socket: WebSocket): SocketState => socket.deserializeAttachment() as SocketState

const attach = (socket: WebSocket, state: SocketState): void => socket.serializeAttachment(state)

const hasOpenLine = (socket: WebSocket): boolean => socket.readyState === WebSocket.READY_STATE_OPEN

const clientTag = (clientId: string): string => `client ${clientId}`
