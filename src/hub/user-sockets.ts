import type { Frame, SocketRequest } from '../core/ports.ts'
import { CLOSE, type CloseReason } from './close-codes.ts'
import type { CredentialFacts } from './credential-cache.ts'
import { acknowledge, hasPlace, isBehind, type SocketState } from './socket-state.ts'

/** How the Worker names a reserved connection, and what it shall hear first, in the request that opens it. */
export const CONNECTION_HEADER = 'X-Connection'
export const FIRST_FRAME_HEADER = 'X-First-Frame'

/** A reserved connection that nobody opened in this time is forgotten. */
const RESERVED_MS = 30_000
/** Live events that wait for a connection to open; past them the client is told to try again. */
const MAX_BUFFERED = 1_000

interface Reservation {
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
 * The WebSockets of one user. Open ones hibernate and carry their state as attachment; between its reservation and
 * its upgrade a connection lives in memory and gathers live events, so that none falls between history and stream.
 */
export class Sockets {
  readonly #ctx: DurableObjectState
  readonly #max: number
  readonly #endsAt: (credential: CredentialFacts) => number
  readonly #reserved = new Map<string, Reservation>()

  constructor(ctx: DurableObjectState, max: number, endsAt: (credential: CredentialFacts) => number) {
    this.#ctx = ctx
    this.#max = max
    this.#endsAt = endsAt
    // Answered by the platform: a ping wakes nothing.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('{"type":"ping"}', '{"type":"pong"}'))
  }

  /** Holds a place for a connection; false where the user has as many as allowed. */
  reserve(request: SocketRequest, credential: CredentialFacts, now: number): boolean {
    for (const [id, one] of this.#reserved) if (one.until <= now) this.#reserved.delete(id)
    const held = [...this.#open().map(({ state }) => state), ...[...this.#reserved.values()].map((one) => one.request)]
    if (!hasPlace(held, request.clientId, this.#max)) return false
    const reservation = { request, credential, until: now + RESERVED_MS, history: [], live: [] }
    this.#reserved.set(request.connectionId, reservation)
    return true
  }

  release(connectionId: string): void {
    this.#reserved.delete(connectionId)
  }

  /** What the client missed, to be sent right after its first frame. False where the reservation is gone. */
  addHistory(connectionId: string, frames: readonly Frame[]): boolean {
    const reservation = this.#reserved.get(connectionId)
    reservation?.history.push(...frames)
    return reservation !== undefined
  }

  /**
   * Turns a reservation into a socket: first frame, what was missed, what came in the meantime, without repeats.
   * Answers the client's end, or null where the reservation is gone or its credential has ended.
   */
  open(connectionId: string, first: string, now: number): WebSocket | null {
    const reservation = this.#reserved.get(connectionId)
    this.#reserved.delete(connectionId)
    if (!reservation || reservation.until <= now || this.#endsAt(reservation.credential) <= now) return null
    const { clientId } = reservation.request
    if (clientId !== null) for (const one of this.#ctx.getWebSockets(clientTag(clientId))) close(one, CLOSE.replaced)

    const { 0: client, 1: server } = new WebSocketPair()
    this.#ctx.acceptWebSocket(server, clientId === null ? [] : [clientTag(clientId)])
    const frames = new Map([...reservation.history, ...reservation.live].map((frame) => [frame.id, frame.text]))
    for (const text of [first, ...frames.values()]) server.send(text)
    const { credential } = reservation
    const replayed = 1 + frames.size
    attach(server, { connectionId, clientId, credential, sent: replayed, replayed, acknowledged: null })
    return client
  }

  /** Hands frames to the connections they name; answers those that are not here any more. */
  deliver(frames: readonly Frame[], now: number): string[] {
    const open = new Map(this.#open().map((one) => [one.state.connectionId, one]))
    const gone = new Set<string>()
    for (const frame of frames) {
      for (const id of frame.connections) {
        const reservation = this.#reserved.get(id)
        const one = open.get(id)
        if (reservation) this.#buffer(id, reservation, frame)
        else if (!one || !this.#send(one, frame, now)) gone.add(id)
      }
    }
    for (const { socket, state } of open.values()) if (isOpen(socket)) attach(socket, state)
    return [...gone]
  }

  acknowledge(socket: WebSocket, received: number): void {
    attach(socket, acknowledge(stateOf(socket), received))
  }

  /** Ids of all connections that are open or about to be. */
  connectionIds(): string[] {
    return [...this.#open().map(({ state }) => state.connectionId), ...this.#reserved.keys()]
  }

  /** Closes every socket whose credential has ended, and answers when the next one does (Infinity: none will). */
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

  /** A full buffer ends the reservation: a client gets all that it missed or nothing. */
  #buffer(id: string, reservation: Reservation, frame: Frame): void {
    if (reservation.live.length >= MAX_BUFFERED) this.#reserved.delete(id)
    else reservation.live.push(frame)
  }

  #send({ socket, state }: OpenSocket, frame: Frame, now: number): boolean {
    if (this.#endsAt(state.credential) <= now) close(socket, CLOSE.credentialEnded)
    else if (isBehind(state)) close(socket, CLOSE.behind)
    if (!isOpen(socket)) return false
    try {
      socket.send(frame.text)
    } catch {
      // The client shall come back and hear what it missed, rather than go on with a hole in its stream.
      close(socket, CLOSE.restarting)
      return false
    }
    state.sent += 1
    return true
  }

  /** A closing socket is still listed by the platform. */
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
