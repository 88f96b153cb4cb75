import type { DataRegion, ShardRegions } from './regions.ts'
import type { DeploymentLimits } from './settable-limits.ts'

/** Who may register: anybody, the first person alone, or nobody without an invitation. */
export const SIGNUPS = ['open', 'first', 'closed'] as const
export type Signups = (typeof SIGNUPS)[number]

/** Settings of the deployment, read and checked once (`src/settings/`). */
export interface Config {
  environment: 'production' | 'local'
  signups: Signups
  /** Applications may register themselves (RFC 7591). */
  openClientRegistration: boolean
  /** A `client_id` may be the address of a metadata document. */
  clientDocuments: boolean
  allowLoopbackRedirects: boolean
  allowPrivateWebhooks: boolean
  /** Metadata documents of applications may be at private addresses, and at http ones. */
  allowPrivateClientDocuments: boolean
  /** Origin of every link and of the OAuth issuer; null: the origin of the request. */
  publicOrigin: string | null
  /** Host names, in lower case, under which this service is reached: no webhook may go there (contract §5). */
  publicHosts: readonly string[]
  /** Where Durable Objects are made that belong to no shard with a region; null: near the first request that needs one. */
  dataRegion: DataRegion | null
  /** Faults of the variables, a sentence each. A faulty variable is ignored and `/ready` is 503 (contract §7). */
  faults: readonly string[]
  /** Write one log line a request. It is off where a person watches the terminal. */
  logRequests: boolean
  auditRetentionDays: number
  /** Vectors up to which a project is searched exactly (architecture §4). */
  exactTierMax: number
  limits: DeploymentLimits
  /** Shards that take no new tenants. */
  closedShards: readonly string[]
  /** Where shards are; a shard without an entry has no region. */
  shardRegions: ShardRegions
  /** Quotas per tenant; null: none. */
  quotas: { items: number | null; projects: number | null }
}
