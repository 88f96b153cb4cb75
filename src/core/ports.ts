import type { NotificationCode } from './notification-codes.ts'
import type { CredentialKind, Principal } from './principal.ts'
import type { Database } from './database/database.ts'
import type { Sql } from './database/sql.ts'
import type { Random } from './values/ids.ts'
import type { TokenPrefix } from './values/token-prefix.ts'
import type { Embedder, Reranker } from './models.ts'
import type { Vectors } from './nearest.ts'
import type { ProjectVectors, VectorIndex } from './vectors.ts'
import type { WorkStatement } from './work.ts'

export type QueueName = 'embed' | 'purge' | 'events' | 'delivery' | 'audit'

/** Messages carry ids, never content: at least once, in no order (architecture §9). */
export interface Queues {
  send(queue: QueueName, bodies: readonly unknown[], options?: { delaySeconds?: number }): Promise<void>
}

/** The backlog of a queue. */
export interface QueueBacklog {
  /** The number of messages, delayed ones too. */
  messages: number
  /** When the oldest message was sent; null: there is none, or the queue does not tell. */
  oldestAt: number | null
}

/** One rate limit after a permit was asked for, as the RateLimit headers tell it. */
export interface LimitState {
  policy: string
  limit: number
  windowSeconds: number
  remaining: number
  /** Seconds until the oldest permit expires; 0 where none is held. */
  resetSeconds: number
  /** This limit refused the request. */
  exceeded?: true
}

/** A limit of a user as it holds now: `limit` permits in any window. */
export interface LimitInForce {
  name: string
  limit: number
  windowSeconds: number
  /** The subject that has a window of its own: a user, a key or a subscription. */
  per: string
}

export interface AdmitRequest {
  kind: CredentialKind
  /** SHA-256 of the whole token. */
  tokenHash: string
  /** The resource that the request calls (RFC 8707); null or absent: the API. */
  resource?: string | null
  /** The limits (`limits.ts`) of which to acquire a permit each; one named twice gives two. */
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
  /** The limits that hold for the user, and for one of their keys (null: for none). */
  limits(keyId: string | null): Promise<LimitInForce[]>
  /**
   * Reserves each webhook attempt. Answers for each the milliseconds to wait; 0 is now. An attempt that had to wait comes
   * back with its reservation, and `held` tells which attempts hold one. Those that need not wait are under way until
   * `endDeliveries`, and so many of one user are bounded.
   */
  reserveDeliveries(subscriptionId: string, held: readonly boolean[]): Promise<number[]>
  /** So many attempts have ended. */
  endDeliveries(count: number): Promise<void>

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
  /** Permits of several limits of one subject by one call: all of them, or none. */
  acquireAll(
    policies: readonly string[],
    subject: string,
  ): Promise<{ admitted: boolean; limits: LimitState[]; acquiredAt: number; retryAt: number }>
  release(policies: string | readonly string[], subject: string, acquiredAt: number): Promise<void>
}

/** A metadata document of an OAuth application, as its host serves it. Texts are the host's, unchecked. */
export interface ClientDocument {
  name: string | undefined
  redirectUris: string[]
  scope: string | undefined
}

export type DocumentReply =
  | { outcome: 'read'; document: ClientDocument; freshUntil: number }
  /** `resolverSilent`: no document can be read, whatever its host. */
  | { outcome: 'failed'; fault: string; resolverSilent: boolean }

/** Metadata documents by their address. At any time, one fetch of an address is under way. */
export interface ClientDocuments {
  /** The last reply while it is fresh, or that of a fetch that is under way; null: the document must be fetched. */
  kept(url: string): Promise<DocumentReply | null>
  /** Fetches the document. `allowPrivate` allows private targets and plain http. */
  fetch(url: string, allowPrivate: boolean): Promise<DocumentReply>
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

/** An object as its store describes it, without its bytes. */
export interface ObjectHead {
  bytes: number
  /** SHA-256 of its bytes in hexadecimal; null where the store does not know it. */
  sha256: string | null
}

export interface ListedKey {
  key: string
  /** Milliseconds since 1970. */
  uploadedAt: number
}

/** Objects by key. Every call may throw `dependency_unavailable`. */
export interface ObjectStore {
  /** Stores or replaces an object. The store refuses bytes that are not those of the hash, in hexadecimal. */
  put(key: string, bytes: Uint8Array<ArrayBuffer>, sha256: string): Promise<void>
  head(key: string): Promise<ObjectHead | null>
  get(key: string): Promise<Uint8Array<ArrayBuffer> | null>
  /** The next thousand keys that begin so, in their order, behind a key or from the first one on (''). */
  list(prefix: string, after: string): Promise<{ keys: ListedKey[]; hasMore: boolean }>
  /** Takes a thousand keys at most; a key without an object is no failure. */
  delete(keys: readonly string[]): Promise<void>
}

/** Resolves names into addresses, for the check of webhook targets and of the hosts of metadata documents. */
export interface Resolver {
  /** IPv4 and IPv6; empty for a name that does not exist. Throws where no answer comes, `ResolverSilent` for any name. */
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
  /** null: none is configured. */
  readonly reranker: Reranker | null
  readonly vectors: Vectors
  /** null: the project's object alone answers, whatever the project's size. */
  readonly vectorIndex: VectorIndex | null
  /** The object of a project. `shard`: of its tenant, which decides where the object is made. */
  projectVectors(projectId: string, shard: string): ProjectVectors
  readonly queues: Queues
  /** The backlog of each queue. Throws where one does not answer. */
  queueBacklogs(): Promise<Record<QueueName, QueueBacklog>>
  /** Where audit pages are moved to; null: they stay in the audit databases. */
  readonly auditObjects: ObjectStore | null
  readonly limiter: Limiter
  readonly resolver: Resolver
  readonly clientDocuments: ClientDocuments
  hub(routingId: string): Hub
  /**
   * The outbox, for features that rank below events: a statement for the commit of its cause, under the condition
   * `onlyIf`.
   */
  notification(db: Database, what: Notification, onlyIf?: Sql): WorkStatement
}
