import { DurableObject } from 'cloudflare:workers'
import { liveCredentialIds, loadCredential } from '../auth/index.ts'
import { systemClock } from '../core/values/clock.ts'
import { Database } from '../core/database/database.ts'
import type { AdmitReply, AdmitRequest, Denial, Frame, Hub, LimitState, SocketRequest } from '../core/ports.ts'
import { RateLimiter, limitFor, limitsFactor, MAX_SOCKETS, type Permit, type LimitName } from '../limits/index.ts'
import { parseKeyRing } from '../core/values/hash.ts'
import { newId, systemRandom, type IdPrefix } from '../core/values/ids.ts'
import { CLOSE } from './close-codes.ts'
import { closingFrame } from './closing-frame.ts'
import { CredentialCache, factsOf } from './credential-cache.ts'
import { readClientMessage } from './client-message.ts'
import { enterPresence, leavePresence } from './presence.ts'
import { DeliveryReservations } from './delivery-reservations.ts'
import { CONNECTION_HEADER, FIRST_FRAME_HEADER, stateOf, UserSockets } from './user-sockets.ts'

/**
 * The hub of one user: credentials, limits, reservations, WebSockets (architecture §3). Its name is the user's routing id.
 * It only connects the four classes that hold them.
 */
export class UserHub extends DurableObject<Env> implements Omit<Hub, 'openSocket'> {
  readonly #credentials: CredentialCache
  readonly #limits: RateLimiter
  readonly #reservations: DeliveryReservations
  readonly #sockets: UserSockets
  readonly #db: Database
  #forgetAt = 0

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#credentials = new CredentialCache(state.storage.sql)
    this.#limits = new RateLimiter(state.storage.sql, limitsFactor(env))
    this.#reservations = new DeliveryReservations(state.storage.sql, limitFor('events.delivery', limitsFactor(env)))
    const dataKeys = parseKeyRing('DATA_KEYS', env.DATA_KEYS)
    const frames = {
      dataKeys,
      now: systemClock,
      newId: (prefix: IdPrefix) => newId(prefix, systemClock(), systemRandom),
    }
    this.#sockets = new UserSockets(state, {
      max: MAX_SOCKETS * limitsFactor(env),
      endsAt: (credential) => this.#credentials.endsAt(credential),
      closingFrame: (reason) => closingFrame(frames, state.id.name ?? '', reason),
    })
    this.#db = new Database(env.DB)
  }

  async admit(request: AdmitRequest): Promise<AdmitReply> {
    const found = await this.#find(request)
    if (found.status !== 'alive') return { outcome: 'refused', reason: found.status }
    const { principal } = found.credential
    // A token carries its owner's routing id. This service made none that leads to the hub of another user.
    if (principal.routingId !== this.ctx.id.name) return { outcome: 'refused', reason: 'unknown' }
    const permits = request.permits.map((name): Permit => ({ name: name as LimitName, subject: OWNER }))
    if (principal.credential.kind === 'key' && !request.further)
      permits.unshift({ name: 'api-key', subject: principal.credential.id })
    const now = systemClock()
    const acquisition = this.#limits.acquire(permits, now)
    const { limits } = acquisition
    return acquisition.admitted
      ? { outcome: 'admitted', principal, limits, acquiredAt: acquisition.acquiredAt }
      : { outcome: 'limited', principal, limits, retryAt: acquisition.retryAt, toAudit: this.#toAudit(limits, now) }
  }

  /** Whether the limit on refused calls is reached, once a minute: such calls shall not fill the audit log. */
  #toAudit(limits: readonly LimitState[], now: number): boolean {
    const reached = limits.some(({ policy, remaining }) => policy === 'events.refused' && remaining === 0)
    return reached && this.#limits.acquire([{ name: 'events.refused.audit', subject: OWNER }], now).admitted
  }

  async deny(denial: Denial): Promise<void> {
    this.#credentials.deny(denial, systemClock())
    await this.#closeEnded()
    await this.ctx.storage.sync()
    this.ctx.waitUntil(this.#forgetEnded())
  }

  async release(policy: string, acquiredAt: number): Promise<void> {
    this.#limits.release({ name: policy as LimitName, subject: OWNER }, acquiredAt)
  }

  async reserveDeliveries(subscriptionId: string, held: readonly boolean[]): Promise<number[]> {
    return this.#reservations.reserve(subscriptionId, held, systemClock())
  }

  async reserveSocket(request: SocketRequest): Promise<'reserved' | 'full' | 'refused'> {
    const found = await this.#find(request)
    if (found.status !== 'alive') return 'refused'
    if (!this.#sockets.reserve(request, factsOf(found.credential), systemClock())) return 'full'
    try {
      await enterPresence(this.#db, found.credential.principal, request, systemClock())
    } catch (error) {
      this.#sockets.release(request.connectionId)
      throw error
    }
    return 'reserved'
  }

  async addHistory(connectionId: string, frames: readonly Frame[]): Promise<void> {
    if (!this.#sockets.addHistory(connectionId, frames)) throw new Error('the reservation is gone')
  }

  async releaseSocket(connectionId: string): Promise<void> {
    this.#sockets.release(connectionId)
    await leavePresence(this.#db, [connectionId])
  }

  /** Opens a reserved socket (`Hub.openSocket`). */
  override async fetch(request: Request): Promise<Response> {
    const connectionId = request.headers.get(CONNECTION_HEADER) ?? ''
    const first = request.headers.get(FIRST_FRAME_HEADER) ?? ''
    const webSocket = this.#sockets.open(connectionId, first, systemClock())
    if (!webSocket) return new Response(null, { status: 503 })
    await this.#closeEnded()
    return new Response(null, { status: 101, webSocket })
  }

  async push(frames: readonly Frame[]): Promise<void> {
    const gone = this.#sockets.push(frames, systemClock())
    this.ctx.waitUntil(leavePresence(this.#db, gone))
  }

  async missingSockets(connectionIds: readonly string[]): Promise<string[]> {
    const held = new Set(this.#sockets.connectionIds())
    return connectionIds.filter((id) => !held.has(id))
  }

  async closeWithoutRights(connectionIds: readonly string[]): Promise<void> {
    this.#sockets.closeThose(connectionIds, CLOSE.rightsLost)
    await leavePresence(this.#db, connectionIds)
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    if (!this.#sockets.isOpen(socket)) return
    const received = readClientMessage(message)
    if (received.kind === 'too_large') return this.#sockets.close(socket, CLOSE.tooLarge)
    const { connectionId } = stateOf(socket)
    const frame = this.#limits.acquire([{ name: 'events.socket', subject: connectionId }], systemClock())
    if (!frame.admitted) return this.#sockets.close(socket, CLOSE.flood)
    if (received.kind === 'ping') socket.send('{"type":"pong"}')
    if (received.kind === 'ack') this.#sockets.acknowledge(socket, received.received)
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    // The server finishes the closing handshake (RFC 6455 §5.5.1). It may not repeat codes below 3000.
    if (socket.readyState === WebSocket.READY_STATE_CLOSING) socket.close(code >= 3000 ? code : 1000)
    await leavePresence(this.#db, [stateOf(socket).connectionId])
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    await leavePresence(this.#db, [stateOf(socket).connectionId])
  }

  /** Runs when the first credential of an open socket ends. */
  override async alarm(): Promise<void> {
    await this.#closeEnded()
  }

  async #closeEnded(): Promise<void> {
    const next = this.#sockets.closeEnded(systemClock())
    if (next < Infinity) await this.ctx.storage.setAlarm(next)
  }

  /** Each logout adds denials. Once a day the hub drops the denials that D1 has. */
  async #forgetEnded(): Promise<void> {
    const now = systemClock()
    if (now < this.#forgetAt) return
    const ids = this.#credentials.longDenied(now)
    const alive = new Set(ids.length === 0 ? [] : await liveCredentialIds(this.#db, ids, now))
    this.#credentials.forget(new Set(ids.filter((id) => !alive.has(id))))
    this.#forgetAt = now + FORGET_EVERY_MS
  }

  #find({ kind, tokenHash }: Pick<AdmitRequest, 'kind' | 'tokenHash'>) {
    return this.#credentials.find(tokenHash, (hash) => loadCredential(this.#db, kind, hash), systemClock)
  }
}

/** The subject of the limits per user: a hub has one user. */
const OWNER = 'user'
const FORGET_EVERY_MS = 24 * 3_600_000
