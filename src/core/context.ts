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

/** Who calls. The user's hub settles it once a request. Roles are not in it: every statement joins the current ones. */
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
  /** Origin of every link and of the OAuth issuer; null: the origin of the request. */
  publicOrigin: string | null
  /** Host names, in lower case, under which this service is reached: no webhook may go there (contract §5). */
  publicHosts: readonly string[]
  /** Where Durable Objects are made; null: near whoever first needs one. */
  dataRegion: DataRegion | null
  /** Faults of the variables, a sentence each. A faulty variable is ignored and `/ready` is 503 (contract §7). */
  faults: readonly string[]
  /** Write one log line a request. It is off where a person watches the terminal. */
  logRequests: boolean
  auditRetentionDays: number
  /** Vectors up to which a project is searched exactly (architecture §4). */
  exactTierMax: number
  /** Quotas per tenant; null: none. */
  quotas: { items: number | null; projects: number | null }
}

/** What an operation, a consumer or a sweep may reach. Built in `deps.ts`, the only reader of the environment. */
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
  /** What earlier requests with this key and body did before they broke off; the pipeline fills it when it claims the key. */
  done: readonly DoneOperation[]
}

/** One request, whoever sent it. Endpoints with `auth: 'none'` or `'client'` get nothing more. */
export interface RequestContext extends System {
  readonly requestId: string
  readonly client: ClientInfo
}

/** One request of a principal. */
export interface AuthContext extends RequestContext {
  readonly principal: Principal
  /** The database of the caller's tenant. */
  readonly db: Database
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
