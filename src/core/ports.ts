import type { NotificationCode } from './notification-codes.ts'
import type { CredentialKind, Principal } from './context.ts'
import type { Database, SqlValue, Statement } from './database/database.ts'
import type { Random } from './values/ids.ts'
import type { TokenPrefix } from './values/token-prefix.ts'

/** Turns texts into vectors of unit length. Throws where the model does not answer. Its answers are checked by `callModel`. */
export interface Embedder {
  /** Stored with each item, so that another model embeds it again. */
  readonly model: string
  readonly dimension: number
  /** Model tokens that the model reads of one text. Longer texts are cut into chunks. */
  readonly maxTokens: number
  /** Weight of a semantic rank in hybrid search, where a keyword rank weighs 1. Chosen by `npm run bench:quality`. */
  readonly fusionWeight: number
  /** `signal` aborts when the caller no longer waits for the answer. */
  embed(texts: string[], purpose: 'document' | 'query', signal?: AbortSignal): Promise<Float32Array[]>
}

/** A vector that the tiers store. Its name in the vector index is `mem_…:<version>:<chunk>`. */
export interface VectorEntry {
  item: string
  /** `memory_items.row` of the item. With it a search looks up a hit at half the cost. */
  row?: number
  /** `vector_version` of the item. */
  version: number
  chunk: number
  namespace: string
  /** Of unit length. */
  values: Float32Array
}

/** A semantic hit. SQL alone decides whether the caller may read its item. */
export interface VectorHit {
  item: string
  /** As in the vector's entry. A hit of the vector index has none. */
  row?: number
  version: number
  /** The best chunk of the item. */
  chunk: number
  /** Cosine. */
  similarity: number
}

export interface VectorQuery {
  model: string
  vector: Float32Array
  /** Items wanted. Each is a hit at most once, with its best chunk. */
  limit: number
  /** null: all. */
  namespaces: readonly string[] | null
}

/** The vectors of all versions of an item, or of those up to `version`. */
export interface VectorsOf {
  item: string
  version?: number
}

/** The exact tier of one project (architecture §4). A vector put is found by the next query. */
export interface ProjectVectors {
  /**
   * Replaces the vectors of the items. It ignores an entry that is older than the vectors of its item, so a slow
   * embedder does no harm.
   */
  put(model: string, entries: readonly VectorEntry[]): Promise<void>
  /**
   * Scores all vectors where there are at most `exactMax`. Else it scores those put at or after `freshFrom` and answers
   * `complete: false`. Best first.
   */
  query(query: VectorQuery & { exactMax: number; freshFrom: number }): Promise<{ hits: VectorHit[]; complete: boolean }>
  /** Scores the vectors of these items only. */
  score(query: VectorQuery, items: readonly string[]): Promise<VectorHit[]>
  remove(items: readonly VectorsOf[]): Promise<void>
  /** Names of the vectors that the object holds of these items. */
  names(items: readonly VectorsOf[]): Promise<string[]>
  /** Some items that have vectors here, at most `limit`. */
  items(limit: number): Promise<string[]>
}

/** The tier for large projects. It answers at scale, but shows a new vector late (architecture §4). */
export interface VectorIndex {
  upsert(tenantId: string, projectId: string, entries: readonly VectorEntry[]): Promise<void>
  query(tenantId: string, projectId: string, query: VectorQuery): Promise<VectorHit[]>
  remove(names: readonly string[]): Promise<void>
  /** The dimension of its vectors. Throws where the index does not answer. */
  dimension(): Promise<number>
}

export type QueueName = 'embed' | 'purge' | 'events' | 'delivery' | 'audit'

/** Messages carry ids, never content: at least once, in no order (architecture §9). */
export interface Queues {
  send(queue: QueueName, bodies: readonly unknown[], options?: { delaySeconds?: number }): Promise<void>
}

/** One rate limit after a permit was asked for, as the RateLimit headers tell it. */
export interface LimitState {
  policy: string
  limit: number
  windowSeconds: number
  remaining: number
  /** Seconds until the oldest permit expires; 0 where none is held. */
  resetSeconds: number
}

export interface AdmitRequest {
  kind: CredentialKind
  /** SHA-256 of the whole token. */
  tokenHash: string
  /** The limits (`limits/policy.ts`) of which to acquire a permit each; one named twice gives two. */
  permits: readonly string[]
  /** The request was admitted before and costs more, so a key's own limit, which comes on top, counts it no more. */
  further?: true
}

/** `toAudit`: the refusal leaves an audit row. True for the first refusal in a minute by the limit on refused calls. */
export type AdmitReply =
  | { outcome: 'admitted'; principal: Principal; limits: LimitState[]; acquiredAt: number }
  | { outcome: 'limited'; principal: Principal; limits: LimitState[]; retryAt: number; toAudit: boolean }
  | { outcome: 'refused'; reason: 'unknown' | 'revoked' | 'expired' }

/** Credentials to refuse, from an instant on. Monotone: nothing lifts a denial. */
export interface Denial {
  /** Of credentials, or of grants with all of their tokens. */
  ids: string[]
  /** Milliseconds since 1970; default now. */
  from?: number
}

/** A WebSocket connection that a user's hub is asked to hold. */
export interface SocketRequest {
  connectionId: string
  kind: CredentialKind
  tokenHash: string
  /** A newer connection with the same one replaces the older. */
  clientId: string | null
  channels: readonly string[]
}

/** One event for connections of one user. `text` is the JSON to send. */
export interface Frame {
  id: string
  text: string
  connections: readonly string[]
}

/** The user's hub (architecture §3). Every call may throw `dependency_unavailable`. */
export interface Hub {
  admit(request: AdmitRequest): Promise<AdmitReply>
  /** Durable before it answers. */
  deny(denial: Denial): Promise<void>
  /** Releases a permit that the outcome of its operation does not count against (contract §5: publish, subscribe). */
  release(policy: string, acquiredAt: number): Promise<void>
  /**
   * Reserves each webhook attempt. Answers for each the milliseconds to wait; 0 is now. An attempt that had to wait comes
   * back with its reservation, and `held` tells which attempts hold one.
   */
  reserveDeliveries(subscriptionId: string, held: readonly boolean[]): Promise<number[]>

  /** Reserves a connection and commits its presence, so that live events gather until `openSocket`. */
  reserveSocket(request: SocketRequest): Promise<'reserved' | 'full' | 'refused'>
  /** Adds missed events, which follow the first frame. */
  addHistory(connectionId: string, frames: readonly Frame[]): Promise<void>
  /** Takes the upgrade request; `first` is the JSON of the first frame (ASCII). Answers 101. */
  openSocket(connectionId: string, first: string): Promise<Response>
  releaseSocket(connectionId: string): Promise<void>
  /** Sends frames to open connections; frames for connections that are gone are dropped. */
  push(frames: readonly Frame[]): Promise<void>
  /** Of the given connections, those that the hub does not hold. */
  missingSockets(connectionIds: readonly string[]): Promise<string[]>
  /** Closes connections whose user may read nothing any more that their credential gives access to (4403). */
  closeWithoutRights(connectionIds: readonly string[]): Promise<void>
}

/** Limits of subjects that are no users: addresses, OAuth clients (architecture §3). */
export interface Limiter {
  acquire(
    policy: string,
    subject: string,
  ): Promise<{ admitted: boolean; state: LimitState; acquiredAt: number; retryAt: number }>
  release(policy: string, subject: string, acquiredAt: number): Promise<void>
}

/** A token whose checksum holds: made by this service, though perhaps revoked since. */
export interface ParsedToken {
  prefix: TokenPrefix
  /** Of the owner's hub. */
  routingId: string
  /** SHA-256 of the whole token: the only form that is stored. */
  hash: string
}

export interface MintedToken {
  /** For its owner alone. */
  token: string
  /** SHA-256 of it. */
  hash: string
}

/** Makes and reads the credentials of contract §2. */
export interface Tokens {
  mint(prefix: TokenPrefix, routingId: string, random: Random): Promise<MintedToken>
  /** What `mint` made, or would have made, of the same random source under each key of the ring, newest first. */
  mintWithEachKey(prefix: TokenPrefix, routingId: string, random: Random): Promise<MintedToken[]>
  /** Null for everything that this service did not make, whatever its shape. */
  parse(token: string): Promise<ParsedToken | null>
}

/** Resolves names into addresses, for the check of webhook targets. Throws where no answer comes. */
export interface Resolver {
  /** IPv4 and IPv6; empty for a name that does not exist. */
  addresses(name: string): Promise<string[]>
}

/** What `system.notification` tells one user about their account (contract §5). */
export interface Notification {
  tenantId: string
  userId: string
  code: NotificationCode
  /** One sentence for the user. */
  message: string
  /** Further members of `data`, such as the ids that the sentence is about. Never a secret. */
  about?: Record<string, unknown>
}

export interface Ports {
  readonly tokens: Tokens
  readonly embedder: Embedder
  /** null: the project's object alone answers, whatever the project's size. */
  readonly vectorIndex: VectorIndex | null
  projectVectors(projectId: string): ProjectVectors
  readonly queues: Queues
  /** Messages that wait in each queue, delayed ones too. Throws where one does not answer. */
  waitingMessages(): Promise<Record<QueueName, number>>
  readonly limiter: Limiter
  readonly resolver: Resolver
  hub(routingId: string): Hub
  /**
   * The outbox, for features that rank below events: a statement for the commit of its cause, under the condition
   * `onlyIf` (plain `?` for its values). It answers a row `{id}`. The caller may send it as
   * `queues.send('events', [{ ids }])`; a sweep sends what no caller sent.
   */
  notification(db: Database, what: Notification, onlyIf?: string, ...values: SqlValue[]): Statement
}
