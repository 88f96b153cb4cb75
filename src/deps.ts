import { TokenMint } from './auth/index.ts'
import { clientDocuments } from './backends/client-documents/client-documents.client.ts'
import { limiterClient } from './backends/limiter/limiter-shard.client.ts'
import { embeddedEmbedder } from './backends/embedder.embedded.ts'
import { openAiEmbedder } from './backends/embedder.openai.ts'
import { httpReranker } from './backends/reranker.http.ts'
import { workersAiReranker } from './backends/reranker.workers-ai.ts'
import { workersAiEmbedder } from './backends/embedder.workers-ai.ts'
import { exactTier } from './backends/project-vectors/exact-tier.ts'
import { memoryBudget } from './backends/project-vectors/memory-budget.ts'
import { projectVectorsClient } from './backends/project-vectors/project-vectors.client.ts'
import { objectsIn } from './backends/objects.r2.ts'
import { cloudflareQueues, queueBacklogs } from './backends/queues.ts'
import { vectorizeIndex } from './backends/vector-index.vectorize.ts'
import { dohResolver } from './backends/resolver.doh.ts'
import { systemClock } from './core/values/clock.ts'
import type { Config, System } from './core/context.ts'
import { embedderSettings, type EmbedderSettings } from './core/embedder-settings.ts'
import { noticesOf } from './core/known-variables.ts'
import { isLocalOnly, LOCAL_ONLY } from './core/local-only-variables.ts'
import { shardRegionsOf } from './core/regions.ts'
import { AUDIT_BUCKET, closedShardsOf, unknownShard } from './core/shards.ts'
import { shardDatabases } from './core/database/shard-databases.ts'
import { parseKeyRing, type WrittenKeyRing } from './core/values/hash.ts'
import { newId, systemRandom } from './core/values/ids.ts'
import { consoleLog } from './core/log.ts'
import { notification } from './events/index.ts'
import type { EmbeddingModel, RerankingModel } from './core/models.ts'
import {
  dataRegion,
  isHttpUrl,
  isMetricsToken,
  isRegistration,
  isSignups,
  notAnOrigin,
  notAUrl,
  publicOrigin,
  unknownRegion,
  unknownRegistration,
  weakMetricsToken,
} from './core/variables.ts'
import { hubClient } from './hub/index.ts'
import { limitsFactor } from './core/limits.ts'
import { variableLimits } from './limits/index.ts'
import { SharedEmbedder, SharedReranker } from './models/index.ts'

/** Adds the `waitUntil` of one request, batch or sweep to what lives as long as the isolate. */
export type Deps = (waitUntil: (work: Promise<unknown>) => void) => System

const built = new WeakMap<Env, Deps>()

/** The composition root, the only reader of the environment. Throws `MisboundDatabases` (architecture §6). */
export function depsOf(env: Env): Deps {
  let deps = built.get(env)
  if (!deps) built.set(env, (deps = compose(env)))
  return deps
}

function compose(env: Env): Deps {
  const databases = shardDatabases(env)
  const chosen = embedderSettings((name) => variable(env, name), Boolean(env.AI))
  const model = embeddingModelOf(env, chosen)
  const embedder = new SharedEmbedder(model)
  const reranker = rerankingModelOf(env)
  const queues = {
    embed: env.EMBED_QUEUE,
    purge: env.PURGE_QUEUE,
    events: env.EVENTS_QUEUE,
    delivery: env.DELIVERY_QUEUE,
    audit: env.AUDIT_QUEUE,
  }
  const config = readConfig(env, databases.shards, model.dimension, chosen.faults)
  // The hint counts when an object is first made. An object that exists stays where it is.
  const placed = config.dataRegion ? { locationHint: config.dataRegion } : undefined
  const placedIn = (shard: string) => {
    const region = config.shardRegions.get(shard)
    return region ? { locationHint: region } : placed
  }
  const base: Omit<System, 'waitUntil' | 'embedder'> = {
    config,
    log: consoleLog,
    random: systemRandom,
    fetch: (input, init) => fetch(input, init),
    now: systemClock,
    newId: (prefix) => newId(prefix, systemClock(), systemRandom),
    database: (shard) => databases.of('DB', shard),
    shards: databases.shards,
    auditDatabase: (shard) => databases.of('AUDIT_DB', shard),
    reranker: reranker && new SharedReranker(reranker),
    vectorIndex: env.VECTORIZE ? vectorizeIndex(env.VECTORIZE, model.model) : null,
    projectVectors: projectVectorsClient(env.PROJECT_VECTORS, memoryBudget(env).copies, placedIn),
    queues: cloudflareQueues(queues),
    queueBacklogs: () => queueBacklogs(queues),
    auditObjects: objectsIn(env, AUDIT_BUCKET),
    resolver: dohResolver((input, init) => fetch(input, init)),
    clientDocuments: clientDocuments(env.CLIENT_DOCUMENT, placed),
    limiter: limiterClient(env.LIMITER, placed),
    hub: hubClient(env.USER_HUB, placedIn),
    notification: (db, what, onlyIf) =>
      notification(
        { db, now: systemClock, newId: (prefix) => newId(prefix, systemClock(), systemRandom) },
        what,
        onlyIf,
      ),
    tokens: new TokenMint(parseKeyRing('TOKEN_KEYS', env.TOKEN_KEYS)),
    peppers: parseKeyRing('PASSWORD_PEPPERS', env.PASSWORD_PEPPERS),
    dataKeys: parseKeyRing('DATA_KEYS', env.DATA_KEYS),
    operatorKeys: operatorKeys(env).ring,
    metricsToken: metricsToken(env) ?? null,
  }
  const names = Object.keys(env).filter((name) => variable(env, name) !== undefined)
  for (const notice of noticesOf(names)) base.log.error({ event: 'configuration.notice', notice })
  return (waitUntil) => {
    const system: System = {
      ...base,
      embedder: embedder.for(() => system),
      waitUntil: (work) =>
        waitUntil(work.catch((error: unknown) => base.log.error({ event: 'background.failed' }, error))),
    }
    return system
  }
}

/** A ring that cannot be read opens nothing. The fault does not tell what it holds. */
function operatorKeys(env: Env): { ring: WrittenKeyRing | null; faults: string[] } {
  const value = variable(env, 'OPERATOR_KEYS')
  try {
    return { ring: value === undefined ? null : parseKeyRing('OPERATOR_KEYS', value), faults: [] }
  } catch (error) {
    return { ring: null, faults: [error instanceof Error ? error.message : String(error)] }
  }
}

/** The embedding model that the variables choose (docs/embeddings.md). */
function embeddingModelOf(env: Env, { choice }: EmbedderSettings): EmbeddingModel {
  if (choice.kind === 'url') return openAiEmbedder(choice, (input, init) => fetch(input, init))
  if (choice.kind === 'workers-ai' && env.AI) return workersAiEmbedder(env.AI, choice.model, choice.dimension)
  return embeddedEmbedder
}

/** The service at `RERANK_URL` where it is set, else Workers AI where it is bound, else none. */
function rerankingModelOf(env: Env): RerankingModel | null {
  const url = variable(env, 'RERANK_URL')
  if (url === undefined) return env.AI ? workersAiReranker(env.AI) : null
  if (!isHttpUrl(url)) return null
  const settings = { url, model: variable(env, 'RERANK_MODEL') ?? null, key: variable(env, 'RERANK_KEY') ?? null }
  return httpReranker(settings, (input, init) => fetch(input, init))
}

/** `dimension`: of the embedder's vectors. `embedderFaults`: of the variables that choose it. */
function readConfig(
  env: Env,
  shards: readonly string[],
  dimension: number | null,
  embedderFaults: readonly string[],
): Config {
  const local = env.ENVIRONMENT === 'local'
  const region = variable(env, 'DATA_REGION')
  const namedOrigin = variable(env, 'PUBLIC_ORIGIN')
  const rerankUrl = variable(env, 'RERANK_URL')
  const registration = variable(env, 'CLIENT_REGISTRATION') ?? 'open'
  const closedShards = closedShardsOf(variable(env, 'CLOSED_SHARDS') ?? '')
  const regions = shardRegionsOf(variable(env, 'SHARD_REGIONS') ?? '', shards)
  const origin = namedOrigin === undefined ? undefined : publicOrigin(namedOrigin, local)
  const limits = variableLimits((name) => variable(env, name))
  return {
    environment: local ? 'local' : 'production',
    signups: isSignups(env.SIGNUPS) ? env.SIGNUPS : 'closed',
    openClientRegistration: registration === 'open',
    allowLoopbackRedirects: local && flag(env, 'ALLOW_LOOPBACK_REDIRECTS'),
    allowPrivateWebhooks: local && flag(env, 'ALLOW_PRIVATE_WEBHOOKS'),
    allowPrivateClientDocuments: local && flag(env, 'ALLOW_PRIVATE_CLIENT_DOCUMENTS'),
    publicOrigin: origin ?? null,
    publicHosts: [
      ...(origin === undefined ? [] : [new URL(origin).hostname]),
      ...(variable(env, 'PUBLIC_HOSTS') ?? '')
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    ],
    logRequests: env.LOG_REQUESTS === 'true',
    dataRegion: dataRegion(region) ?? null,
    faults: [
      ...embedderFaults,
      ...(local ? [] : LOCAL_ONLY.filter((name) => variable(env, name) !== undefined).map(isLocalOnly)),
      ...(namedOrigin === undefined || origin !== undefined ? [] : [notAnOrigin(namedOrigin)]),
      ...(isRegistration(registration) ? [] : [unknownRegistration(registration)]),
      ...(region === undefined || dataRegion(region) ? [] : [unknownRegion(region)]),
      ...limits.faults,
      ...operatorKeys(env).faults,
      ...(variable(env, 'METRICS_TOKEN') === undefined || metricsToken(env) ? [] : [weakMetricsToken]),
      ...closedShards.filter((name) => !shards.includes(name)).map(unknownShard),
      ...regions.faults,
      ...(rerankUrl === undefined || isHttpUrl(rerankUrl) ? [] : [notAUrl('RERANK_URL')]),
    ],
    auditRetentionDays: Number(env.AUDIT_RETENTION_DAYS),
    exactTierMax: Number(variable(env, 'EXACT_TIER_MAX') ?? exactTier(dimension)),
    limits: { variables: limits.limits, factor: limitsFactor(env) },
    closedShards,
    shardRegions: regions.regions,
    quotas: { items: quota(env, 'QUOTA_ITEMS'), projects: quota(env, 'QUOTA_PROJECTS') },
  }
}

/** Optional variables are not in `wrangler.toml`, so the generated type of the environment lacks them. */
const variable = (env: Env, name: string): string | undefined => {
  const value: unknown = Reflect.get(env, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

const metricsToken = (env: Env): string | undefined => {
  const token = variable(env, 'METRICS_TOKEN')
  return token !== undefined && isMetricsToken(token) ? token : undefined
}

const flag = (env: Env, name: string): boolean => variable(env, name) === 'true'

const quota = (env: Env, name: string): number | null => {
  const value = variable(env, name)
  return value === undefined ? null : Number(value)
}
