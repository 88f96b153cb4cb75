import type { Database } from './database/database.ts'
import type { KeyRing } from './values/hash.ts'
import type { IdPrefix, Random } from './values/ids.ts'
import type { Log } from './log.ts'
import type { Ports } from './ports.ts'
import type { DataRegion } from './variables.ts'

/** All scopes (contract §2). */
export const SCOPES = [
  'read:memory',
  'write:memory',
  'read:projects',
  'write:projects',
  'read:profile',
  'write:profile',
  'read:events',
  'write:events',
  'read:audit',
  'admin:workspace',
] as const
export type Scope = (typeof SCOPES)[number]

export type CredentialKind = 'key' | 'access' | 'session'

/** What a key may touch at most, besides its scopes; its owner's roles bound it as well. */
export interface KeyPermission {
  project_id: string
  access: 'read' | 'write'
  namespaces?: string[] | undefined
}

/** Who calls: settled once a request by the user's hub. Roles are not in it: every statement joins them anew. */
export interface Principal {
  userId: string
  tenantId: string
  routingId: string
  /** A person, or the service account of a workspace key. */
  kind: 'person' | 'service'
  credential: {
    kind: CredentialKind
    id: string
    environment: 'live' | 'test' | null
    /** The application and the grant behind an access token. */
    appId: string | null
    grantId: string | null
  }
  scopes: readonly Scope[]
  /** null: all that the owner may use. */
  permissions: readonly KeyPermission[] | null
  defaultProjectId: string | null
}

/** Variables of the deployment, read and checked once (contract §7, README). */
export interface Config {
  environment: 'production' | 'local'
  signupsOpen: boolean
  openClientRegistration: boolean
  allowLoopbackRedirects: boolean
  allowPrivateWebhooks: boolean
  /** Host names, in lower case, under which this service is reached: no webhook may go there (contract §5). */
  publicHosts: readonly string[]
  /** Where Durable Objects are made; null: near whoever first needs one. */
  dataRegion: DataRegion | null
  /** What is wrong with the variables, a sentence each: such a variable is ignored, and `/ready` is 503 (contract §7). */
  faults: readonly string[]
  /** One log line a request; off where a person watches the terminal. */
  logRequests: boolean
  auditRetentionDays: number
  /** Vectors up to which a project is searched exactly (architecture §4). */
  exactTierMax: number
  /** Quotas per tenant; null: none. */
  quotas: { items: number | null; projects: number | null }
}

/** What an operation, a job or a sweep may reach. Built in `deps.ts`, the only reader of the environment. */
export interface System extends Ports {
  readonly config: Config
  readonly log: Log
  readonly random: Random
  readonly fetch: typeof fetch
  now(): number
  newId(prefix: IdPrefix): string
  /** The database that holds a shard: the first two characters of a routing id. */
  database(shard: string): Database
  readonly shards: readonly string[]
  readonly auditDatabase: Database
  /** Key rings, newest first: of password hashes, and of what is encrypted at rest. */
  readonly peppers: KeyRing
  readonly dataKeys: KeyRing
  /** Goes on after the answer; a failure is logged, never thrown. */
  waitUntil(work: Promise<unknown>): void
}

/** What the client's request says about itself, as far as an operation may care. */
export interface ClientInfo {
  /** `CF-Connecting-IP`, never a forwarded-for header. */
  ip: string
  userAgent: string
  /** Scheme and host of the service as the client reached it. */
  origin: string
}

/** The idempotency key of this request (contract §1), for verbs that commit it with their effect. */
export interface IdempotencyClaim {
  key: string
  path: string
  /** SHA-256 of the request's body and query. */
  fingerprint: string
}

/** One request of anybody, as an endpoint with `auth: 'none'` sees it. */
export interface RequestContext extends System {
  readonly requestId: string
  readonly client: ClientInfo
}

/** One authenticated request. */
export interface AuthContext extends RequestContext {
  readonly principal: Principal
  /** The database of the caller's tenant. */
  readonly db: Database
  readonly idempotency: IdempotencyClaim | null
  /** Ids and project that the audit row of this request shall name. */
  readonly trail: AuditTrail
}

/** What the request touched, filled by the operation, written by the audit guard or by the operation's own commit. */
export interface AuditTrail {
  resourceIds: string[]
  projectId: string | null
  workspaceId: string | null
  /** True once the row is part of the operation's own commit, so that the guard writes none. */
  committed: boolean
}

export const newTrail = (): AuditTrail => ({ resourceIds: [], projectId: null, workspaceId: null, committed: false })
