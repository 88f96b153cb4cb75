import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import type { QueryBudget } from './database/query-budget.ts'
import type { KeyRing, WrittenKeyRing } from './values/key-ring.ts'
import type { IdPrefix, Random } from './values/ids.ts'
import type { Log } from './log.ts'
import type { Vocabulary } from './embedding.ts'
import type { QueryEmbedder, QueryReranker } from './models.ts'
import type { Ports } from './ports.ts'
import type { Principal } from './principal.ts'
import { shardOf } from './shards.ts'

export { SCOPES, type CredentialKind, type KeyPermission, type Principal, type Scope } from './principal.ts'

/** What an operation, a consumer or a sweep may reach. Built in `deps.ts`, the only reader of the environment. */
export interface System extends Ports {
  readonly config: Config
  readonly vocabulary: Vocabulary
  readonly log: Log
  readonly random: Random
  readonly fetch: typeof fetch
  now(): number
  newId(prefix: IdPrefix): string
  /** The database that holds a shard: the first two characters of a routing id. Throws 503 where none is bound. */
  database(shard: string): Database
  readonly shards: readonly string[]
  /** The audit database of a shard. */
  auditDatabase(shard: string): Database
  /** What this invocation has asked of D1. Absent in a request. */
  readonly queries?: QueryBudget
  /** Key rings, newest first: of password hashes, and of what is encrypted at rest. */
  readonly peppers: KeyRing
  readonly dataKeys: KeyRing
  /** Who may call operator paths; null: nobody, and the paths are absent (contract §2). */
  readonly operatorKeys: WrittenKeyRing | null
  /** Opens `GET /metrics`; null: nobody reads figures, and none are gathered. */
  readonly metricsToken: string | null
  /** Keeps work running after the answer. A failure of it is logged and never thrown. */
  waitUntil(work: Promise<unknown>): void
}

/** What an operation may know of the client's request. */
export interface ClientInfo {
  /** `CF-Connecting-IP`, never a forwarded-for header. */
  ip: string
  userAgent: string
  /** Scheme and host of the service: `PUBLIC_ORIGIN`, else as the client reached it. */
  origin: string
  /** The portal makes this request to show a page to its user. No client can say so. */
  pageRead?: true
}

/** An operation that a commit has carried out: its number in the request, and the resource. */
export interface DoneOperation {
  number: number
  id: string
  isNew: boolean
}

/** The idempotency key of this request (contract §1), for verbs that commit it with their effect. */
export interface IdempotencyClaim {
  key: string
  path: string
  /** SHA-256 of the request's body and query. */
  fingerprint: string
  /** The status of a first answer, for a verb that has only one. */
  status: number
  /** What earlier requests with this key and body did before they broke off; the pipeline fills it when it claims the key. */
  done: readonly DoneOperation[]
}

/** One request of any caller. Endpoints with `auth: 'none'` or `'client'` get nothing more. */
export interface RequestContext extends System {
  readonly requestId: string
  /** The path of the endpoint's declaration, for spans; absent where a page is asked for. */
  readonly route?: string
  /** Asked once for all spans of the request. */
  readonly traced?: boolean
  readonly client: ClientInfo
}

/** One request of an operator of the deployment. */
export interface OperatorContext extends RequestContext {
  /** The id of the key in `OPERATOR_KEYS`. */
  readonly operator: string
}

/** One request of a principal. */
export interface AuthContext extends RequestContext {
  readonly principal: Principal
  /** The database of the caller's tenant. */
  readonly db: Database
  readonly embedder: QueryEmbedder
  /** null: none is configured. */
  readonly reranker: QueryReranker | null
  readonly idempotency: IdempotencyClaim | null
  /** Ids, project and workspace for the audit row of this request. */
  readonly trail: AuditTrail
}

/** What the request touched. The operation fills it; the pipeline, or the operation's own commit, writes the audit row. */
export interface AuditTrail {
  resourceIds: string[]
  projectId: string | null
  workspaceId: string | null
  /** True where the operation's own commit holds the audit row, so that the pipeline writes none. */
  committed: boolean
}

export const newTrail = (): AuditTrail => ({ resourceIds: [], projectId: null, workspaceId: null, committed: false })

/** A request of a principal, who reaches the database and the models of the deployment in a turn of their own. */
export const authContext = (
  request: RequestContext,
  principal: Principal,
  { trail = newTrail(), idempotency = null }: Partial<Pick<AuthContext, 'trail' | 'idempotency'>> = {},
): AuthContext => ({
  ...request,
  principal,
  db: request.database(shardOf(principal.routingId)).inTurnOf(principal.routingId, request),
  embedder: request.embedder.inTurnOf(principal, request),
  reranker: request.reranker?.inTurnOf(principal, request) ?? null,
  idempotency,
  trail,
})
