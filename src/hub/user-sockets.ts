import type { Frame, SocketRequest } from '../core/ports.ts'
import { CLOSE, type CloseReason } from './close-codes.ts'
import type { CredentialFacts } from './credential-cache.ts'
import { acknowledge, fits, isBehind, type SocketState } from './socket-state.ts'

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

/**
 * The WebSockets of one user. Open ones hibernate and carry their state as attachment.
 * From its reservation to its upgrade a connection stands in memory and gathers live events, so that none is lost in between.
 */
export class UserSockets {
  readonly #ctx: DurableObjectState
  readonly #max: number
  readonly #endsAt: (credential: CredentialFacts) => number
  readonly #reserved = new Map<string, ReservedSocket>()

  constructor(ctx: DurableObjectState, max: number, endsAt: (credential: CredentialFacts) => number) {
    this.#ctx = ctx
    this.#max = max
    this.#endsAt = endsAt
    // The platform answers a ping without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('{"type":"ping"}', '{"type":"pong"}'))
  }

  /** Reserves a connection. False where the user has as many as allowed. */
  reserve(request: SocketRequest, credential: CredentialFacts, now: number): boolean {
    for (const [id, one] of this.#reserved) if (one.until <= now) this.#reserved.delete(id)
    const reserved = [...this.#reserved.values()].map((one) => one.request)
    const present = [...this.#open().map(({ state }) => state), ...reserved]
    if (!fits(present, request.clientId, this.#max)) return false
    const until = now + RESERVED_MS
    this.#reserved.set(request.connectionId, { request, credential, until, history: [], live: [] })
    return true
  }

  release(connectionId: string): void {
    this.#reserved.delete(connectionId)
  }

  /** Adds missed events, which follow the first frame. False where the reservation is gone. */
  addHistory(connectionId: string, frames: readonly Frame[]): boolean {
    const reserved = this.#reserved.get(connectionId)
    reserved?.history.push(...frames)
    return reserved !== undefined
  }

  /**
   * Opens a reserved connection: sends the first frame, missed events and gathered live events, without repeats.
   * Answers the client's end, or null where the reservation is gone or its credential has ended.
   */
  open(connectionId: string, first: string, now: number): WebSocket | null {
    const reserved = this.#reserved.get(connectionId)
    this.#reserved.delete(connectionId)
    if (!reserved || reserved.until <= now || this.#endsAt(reserved.credential) <= now) return null
    const { clientId } = reserved.request
    if (clientId !== null) for (const one of this.#ctx.getWebSockets(clientTag(clientId))) close(one, CLOSE.replaced)

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
    for (const { socket, state } of open.values()) if (isOpen(socket)) attach(socket, state)
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
      const end = this.#endsAt(state.credential)
      if (end <= now) close(socket, CLOSE.credentialEnded)
      else next = Math.min(next, end)
    }
    return next
  }

  closeThose(connectionIds: readonly string[], reason: CloseReason): void {
    for (const { socket, state } of this.#open()) {
      if (connectionIds.includes(state.connectionId)) close(socket, reason)
    }
    for (const id of connectionIds) this.#reserved.delete(id)
  }

  /** A full buffer ends the reservation, because a client gets all missed events or none. */
  #buffer(id: string, reserved: ReservedSocket, frame: Frame): void {
    if (reserved.live.length >= MAX_BUFFERED) this.#reserved.delete(id)
    else reserved.live.push(frame)
  }

  #send({ socket, state }: OpenSocket, frame: Frame, now: number): boolean {
    if (this.#endsAt(state.credential) <= now) close(socket, CLOSE.credentialEnded)
    else if (isBehind(state)) close(socket, CLOSE.behind)
    if (!isOpen(socket)) return false
    try {
      socket.send(frame.text)
    } catch {
      // The stream would have a gap. After the close the client reconnects and gets the missed events.
      close(socket, CLOSE.restarting)
      return false
    }
    state.sent += 1
    return true
  }

  /** The platform still lists a closing socket. */
  #open(): OpenSocket[] {
    return this.#ctx
      .getWebSockets()
      .filter(isOpen)
      .map((socket) => ({ socket, state: stateOf(socket) }))
  }
}

export const stateOf = (socket: WebSocket): SocketState => socket.deserializeAttachment() as SocketState

export function close(socket: WebSocket, { code, reason }: CloseReason): void {
  if (isOpen(socket)) socket.close(code, reason)
}

const attach = (socket: WebSocket, state: SocketState): void => socket.serializeAttachment(state)

const isOpen = (socket: WebSocket): boolean => socket.readyState === WebSocket.READY_STATE_OPEN

const clientTag = (clientId: string): string => `client ${clientId}`
