import { DurableObject } from 'cloudflare:workers'
import { liveCredentialIds, loadCredential, opensResource, type Credential } from '../auth/index.ts'
import type { CredentialKind } from '../core/context.ts'
import { systemClock } from '../core/values/clock.ts'
import type { Database } from '../core/database/database.ts'
import { boundDatabase } from '../core/database/shard-databases.ts'
import type { PresentedToken } from '../core/http/endpoint.ts'
import type { AdmitReply, AdmitRequest, Denial, Frame, Hub, LimitInForce, SocketRequest } from '../core/ports.ts'
import { LIMITS, MAX_SOCKETS, type LimitName } from '../core/limits.ts'
import { SETTABLE } from '../core/settable-limits.ts'
import { RateLimiter, readLimits, type Permit } from '../limits/index.ts'
import { deploymentLimits, readSettings, requiredKeys } from '../settings/index.ts'
import { FIRST_SHARD, shardOf } from '../core/shards.ts'
import { newId, systemRandom, type IdPrefix } from '../core/values/ids.ts'
import { CLOSE } from './close-codes.ts'
import { closingFrame } from './closing-frame.ts'
import { CredentialCache, factsOf, type CredentialStatus } from './credential-cache.ts'
import { readClientMessage } from './client-message.ts'
import { enterPresence, leavePresence } from './presence.ts'
import { Deliveries } from './deliveries.ts'
import { auditsRefused } from './audits-refused.ts'
import { UserLimits } from './user-limits.ts'
import { CONNECTION_HEADER, FIRST_FRAME_HEADER, stateOf, UserSockets } from './user-sockets.ts'
import { DAY_MS } from '../core/values/durations.ts'

/**
 * The hub of one user: credentials, limits, reservations, WebSockets (architecture §3). Its name is the user's routing id.
 * It only connects the five classes that hold them.
 */
export class UserHub extends DurableObject<Env> implements Omit<Hub, 'openSocket'> {
  readonly #credentials: CredentialCache
  readonly #userLimits: UserLimits
  readonly #limits: RateLimiter
  readonly #deliveries: Deliveries
  readonly #sockets: UserSockets
  #database: Database | undefined
  #forgetAt = 0

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    const { values: settings } = readSettings('UserHub', env)
    this.#credentials = new CredentialCache(state.storage.sql)
    this.#userLimits = new UserLimits(() => readLimits(this.#db, state.id.name ?? ''), deploymentLimits(settings))
    const limitOf = ({ name, subject }: Permit) =>
      this.#userLimits.of(name, LIMITS[name].per === 'key' ? subject : null)
    this.#limits = new RateLimiter(state.storage.sql, settings.LIMITS_FACTOR, limitOf)
    this.#deliveries = new Deliveries(state.storage.sql, () => this.#userLimits.of('events.delivery'))
    const frames = {
      dataKeys: requiredKeys(settings, 'DATA_KEYS'),
      now: systemClock,
      newId: (prefix: IdPrefix) => newId(prefix, systemClock(), systemRandom),
    }
    this.#sockets = new UserSockets(state, {
      max: MAX_SOCKETS * settings.LIMITS_FACTOR,
      endsAt: (credential) => this.#credentials.endsAt(credential),
      closingFrame: (reason) => closingFrame(frames, state.id.name ?? '', reason),
    })
  }

  /** The database of the user's shard. */
  get #db(): Database {
    return (this.#database ??= boundDatabase(this.env, 'DB', shardOf(this.ctx.id.name ?? FIRST_SHARD)))
  }

  async admit(request: AdmitRequest): Promise<AdmitReply> {
    let found = await this.#find(request)
    // A denial may have come while this waited.
    if (found.status === 'alive' && (await this.#refreshLimits())) found = await this.#find(request)
    if (found.status !== 'alive') return { outcome: 'refused', reason: found.status }
    const { principal } = found.credential
    // A token carries its owner's routing id. This service made none that leads to the hub of another user.
    if (principal.routingId !== this.ctx.id.name) return { outcome: 'refused', reason: 'unknown' }
    const permits = this.#permitsOf(request)
    if (principal.credential.kind === 'key' && !request.further)
      permits.unshift({ name: 'api-key', subject: principal.credential.id })
    const now = systemClock()
    const acquisition = this.#limits.acquire(permits, now)
    const { limits } = acquisition
    return acquisition.admitted
      ? { outcome: 'admitted', principal, limits, acquiredAt: acquisition.acquiredAt }
      : {
          outcome: 'limited',
          principal,
          limits,
          retryAt: acquisition.retryAt,
          toAudit: auditsRefused(this.#limits, OWNER, limits, now),
        }
  }

  /** A request that costs more than its whole limit waits for all of it: one permit of it has been acquired. */
  #permitsOf({ permits, further }: AdmitRequest): Permit[] {
    const wanted = permits.map((name): Permit => ({ name: name as LimitName, subject: OWNER }))
    const [first] = wanted
    return further && first ? wanted.slice(0, this.#userLimits.of(first.name).limit - 1) : wanted
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

  async limits(keyId: string | null): Promise<LimitInForce[]> {
    await this.#refreshLimits()
    return SETTABLE.filter((name) => keyId !== null || LIMITS[name].per !== 'key').map((name) => {
      const { limit, windowMs, per } = this.#userLimits.of(name, keyId)
      return { name, limit, windowSeconds: windowMs / 1_000, per }
    })
  }

  async reserveDeliveries(subscriptionId: string, held: readonly boolean[]): Promise<number[]> {
    await this.#refreshLimits()
    return this.#deliveries.reserve(subscriptionId, held, systemClock())
  }

  async endDeliveries(count: number): Promise<void> {
    this.#deliveries.end(count)
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
    if (!this.#sockets.addHistory(connectionId, frames)) throw new Error('the reservation no longer exists')
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

  /** A credential brings the limits of its user. One that belongs to another hub is refused, and brings none. */
  async #load(kind: CredentialKind, tokenHash: string): Promise<Credential | null> {
    const since = systemClock()
    const loaded = await loadCredential(this.#db, kind, tokenHash)
    if (!loaded) return null
    if (loaded.credential.principal.routingId === this.ctx.id.name) this.#userLimits.learn(loaded.limits, since)
    return loaded.credential
  }

  /** Waits for the limits only where the known ones are too old to count. Answers whether it waited. */
  async #refreshLimits(): Promise<boolean> {
    const refresh = this.#userLimits.refresh(systemClock())
    if (refresh?.wait) await refresh.work
    else if (refresh) this.ctx.waitUntil(refresh.work)
    return refresh?.wait ?? false
  }

  /** A token that is bound to another resource than the one called counts as unknown (RFC 8707 §2). */
  async #find({ kind, tokenHash, resource = null }: PresentedToken): Promise<CredentialStatus> {
    const found = await this.#credentials.find(tokenHash, (hash) => this.#load(kind, hash), systemClock)
    if (found.status !== 'alive' || opensResource(found.credential.resource, resource)) return found
    return { status: 'unknown' }
  }
}

/** The subject of the limits per user: a hub has one user. */
const OWNER = 'user'
const FORGET_EVERY_MS = DAY_MS
