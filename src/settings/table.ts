import { DATA_REGIONS, type ShardRegions } from '../core/regions.ts'
import type { LimitValues } from '../core/settable-limits.ts'
import { SIGNUPS } from '../core/config.ts'
import {
  flag,
  hostNames,
  keyRing,
  metricsToken,
  oneOf,
  origin,
  permits,
  shardNames,
  shardRegions,
  wholeNumber,
} from './parsers.ts'
import { MODEL_SETTINGS } from './model-settings.ts'
import { setting, type Setting } from './setting.ts'

const MOST = 999_999_999
const NO_LIMITS: LimitValues = {}
const NO_REGIONS: ShardRegions = new Map()

/** Every variable and secret that a deployment may set, in the order of docs/operations.md. */
export const SETTINGS = {
  ENVIRONMENT: setting({
    parse: oneOf(['production', 'local']),
    absent: 'production',
    default: '`production`',
    description: 'Leave it `production`.',
  }),
  SIGNUPS: setting({
    parse: oneOf(SIGNUPS),
    absent: 'closed',
    default: '`first`',
    description: 'Who may sign up without an invitation: the `first` person, anyone (`open`) or nobody (`closed`).',
  }),
  CLIENT_REGISTRATION: setting({
    parse: oneOf(['open', 'closed']),
    absent: 'open',
    ifFaulty: 'closed',
    default: '`open`',
    description: '`closed`: no application registers itself (RFC 7591).',
  }),
  CLIENT_DOCUMENTS: setting({
    parse: oneOf(['on', 'off']),
    absent: 'on',
    ifFaulty: 'off',
    default: '`on`',
    description: '`off`: no `client_id` is the address of a metadata document; agents register themselves instead.',
  }),
  PUBLIC_ORIGIN: setting({
    parse: origin,
    absent: null,
    default: 'see below',
    description: 'Scheme and host of the issuer, the resource and every link.',
  }),
  PUBLIC_HOSTS: setting({
    parse: hostNames,
    absent: [],
    default: 'see below',
    description: 'Host names of this service, comma-separated.',
  }),
  DATA_REGION: setting({
    parse: oneOf(DATA_REGIONS),
    absent: null,
    default: 'none',
    description: 'Where databases and Durable Objects are created ([region](#region)).',
  }),
  SHARD_REGIONS: setting({
    parse: shardRegions,
    absent: NO_REGIONS,
    default: 'none',
    description: 'Where shards are, such as `00:weur,01:enam` ([regions](#regions)).',
  }),
  CLOSED_SHARDS: setting({
    parse: shardNames,
    absent: [],
    default: 'none',
    description: 'Shards closed to new tenants, such as `00,03` ([scaling](scaling.md#more-than-one-database)).',
  }),
  ...MODEL_SETTINGS,
  AUDIT_RETENTION_DAYS: setting({
    parse: wholeNumber(1, 36_500),
    absent: 90,
    default: '90<!-- wrangler.toml#AUDIT_RETENTION_DAYS -->',
    description: 'Days that the audit log is kept.',
  }),
  EXACT_TIER_MAX: setting({
    parse: wholeNumber(0, MOST),
    absent: null,
    default: '30,000<!-- EXACT_TIER_VECTORS -->',
    description: 'Vectors up to which a project is searched exactly ([fewer with more dimensions](scaling.md)).',
  }),
  VECTOR_CACHE_MB: setting({
    readBy: ['ProjectVectors'],
    parse: wholeNumber(1, MOST),
    absent: null,
    default: '66<!-- DEFAULT_BUDGET_MB -->',
    description: 'MB of vectors in the memory of an isolate, a sixth of it copies.',
  }),
  QUOTA_ITEMS: setting({
    parse: wholeNumber(0, MOST),
    absent: null,
    default: 'none',
    description: 'Items per tenant; beyond it 403 `quota_exceeded`.',
  }),
  QUOTA_PROJECTS: setting({
    parse: wholeNumber(0, MOST),
    absent: null,
    default: 'none',
    description: 'Projects per tenant; beyond it 403 `quota_exceeded`.',
  }),
  LIMITS: setting({
    readBy: ['UserHub'],
    parse: permits,
    absent: NO_LIMITS,
    default: 'contract §6',
    description: 'Limits of all users, such as `memory.search=50,api-key=100` ([limits](#limits)).',
  }),
  SERVICE_ACCOUNT_LIMITS: setting({
    readBy: ['UserHub'],
    parse: permits,
    absent: NO_LIMITS,
    default: 'those of users',
    description: 'The same for the service accounts of workspaces.',
  }),
  LOG_REQUESTS: setting({
    parse: flag,
    absent: false,
    default: '`true`',
    description: '`true`: one log line per request.',
  }),
  OPERATOR_KEYS: setting({
    kind: 'secret',
    parse: keyRing,
    absent: null,
    default: 'none',
    description: 'Enables the endpoints of operators ([limits](#limits)).',
  }),
  METRICS_TOKEN: setting({
    kind: 'secret',
    parse: metricsToken,
    absent: null,
    default: 'none',
    description: 'Enables `GET /metrics` ([figures](#figures)).',
  }),
  TOKEN_KEYS: setting({
    kind: 'secret',
    parse: keyRing,
    absent: null,
    default: 'created once',
    description: 'Key ring for the checksums of credentials.',
  }),
  PASSWORD_PEPPERS: setting({
    kind: 'secret',
    parse: keyRing,
    absent: null,
    default: 'created once',
    description: 'Key ring for the hashes of passwords.',
  }),
  DATA_KEYS: setting({
    kind: 'secret',
    readBy: ['UserHub'],
    parse: keyRing,
    absent: null,
    default: 'created once',
    description: 'Key ring for what is encrypted at rest.',
  }),
  ALLOW_LOOPBACK_REDIRECTS: setting({
    kind: 'local',
    parse: flag,
    absent: false,
    default: '`false`',
    description: 'OAuth redirects may lead to http on a loopback host.',
  }),
  ALLOW_PRIVATE_WEBHOOKS: setting({
    kind: 'local',
    parse: flag,
    absent: false,
    default: '`false`',
    description: 'Webhooks may go to private addresses and over http.',
  }),
  ALLOW_PRIVATE_CLIENT_DOCUMENTS: setting({
    kind: 'local',
    parse: flag,
    absent: false,
    default: '`false`',
    description: 'Metadata documents of applications may be at private addresses and on http.',
  }),
  LIMITS_FACTOR: setting({
    kind: 'local',
    readBy: ['UserHub', 'Limiter'],
    parse: wholeNumber(1, MOST),
    absent: 1,
    default: '1',
    description: 'Multiplies every rate limit.',
  }),
} as const satisfies Record<string, Setting>
