import { TokenMint } from './auth/index.ts'
import { localEmbedder } from './backends/embedder.local.ts'
import { openAiEmbedder } from './backends/embedder.openai.ts'
import { workersAiEmbedder } from './backends/embedder.workers-ai.ts'
import { projectVectorsClient } from './backends/project-vectors/project-vectors.client.ts'
import { cloudflareQueues, waitingMessages } from './backends/queues.ts'
import { vectorizeIndex } from './backends/vector-index.vectorize.ts'
import { dohResolver } from './backends/resolver.doh.ts'
import { systemClock } from './core/values/clock.ts'
import type { Config, System } from './core/context.ts'
import { Database } from './core/database/database.ts'
import { parseKeyRing } from './core/values/hash.ts'
import { newId, systemRandom } from './core/values/ids.ts'
import { consoleLog } from './core/log.ts'
import { notificationStatement } from './events/index.ts'
import type { Embedder } from './core/ports.ts'
import { dataRegion, isLocalOnly, LOCAL_ONLY, notAnOrigin, publicOrigin, unknownRegion } from './core/variables.ts'
import { hubClient } from './hub/index.ts'
import { limiterClient } from './limits/index.ts'

/** Adds the `waitUntil` of one request, batch or sweep to what lives as long as the isolate. */
export type Deps = (waitUntil: (work: Promise<unknown>) => void) => System

const built = new WeakMap<Env, Deps>()

/** The composition root, the only reader of the environment. */
export function depsOf(env: Env): Deps {
  let deps = built.get(env)
  if (!deps) built.set(env, (deps = compose(env)))
  return deps
}

function compose(env: Env): Deps {
  const database = new Database(env.DB)
  const embedder = chooseEmbedder(env)
  const queues = {
    embed: env.EMBED_QUEUE,
    purge: env.PURGE_QUEUE,
    events: env.EVENTS_QUEUE,
    delivery: env.DELIVERY_QUEUE,
    audit: env.AUDIT_QUEUE,
  }
  const config = readConfig(env)
  // The hint counts when an object is first made. An object that exists stays where it is.
  const placed = config.dataRegion ? { locationHint: config.dataRegion } : undefined
  const base: Omit<System, 'waitUntil'> = {
    config,
    log: consoleLog,
    random: systemRandom,
    fetch: (input, init) => fetch(input, init),
    now: systemClock,
    newId: (prefix) => newId(prefix, systemClock(), systemRandom),
    // There is one shard. A second database would be a second entry here (docs/scaling.md).
    database: () => database,
    shards: ['00'],
    auditDatabase: new Database(env.AUDIT_DB),
    embedder,
    vectorIndex: env.VECTORIZE ? vectorizeIndex(env.VECTORIZE, embedder.model) : null,
    projectVectors: projectVectorsClient(env.PROJECT_VECTORS, placed),
    queues: cloudflareQueues(queues),
    waitingMessages: () => waitingMessages(queues),
    resolver: dohResolver((input, init) => fetch(input, init)),
    limiter: limiterClient(env.LIMITER, placed),
    hub: hubClient(env.USER_HUB, placed),
    notification: (db, what, ...onlyIf) =>
      notificationStatement(
        { db, now: systemClock, newId: (prefix) => newId(prefix, systemClock(), systemRandom) },
        what,
        ...onlyIf,
      ),
    tokens: new TokenMint(parseKeyRing('TOKEN_KEYS', env.TOKEN_KEYS)),
    peppers: parseKeyRing('PASSWORD_PEPPERS', env.PASSWORD_PEPPERS),
    dataKeys: parseKeyRing('DATA_KEYS', env.DATA_KEYS),
  }
  return (waitUntil) => ({
    ...base,
    waitUntil: (work) =>
      waitUntil(work.catch((error: unknown) => base.log.error({ event: 'background.failed' }, error))),
  })
}

/** An OpenAI-compatible service where one is named, else Workers AI where it is bound, else the local stand-in. */
function chooseEmbedder(env: Env): Embedder {
  const url = variable(env, 'EMBEDDINGS_URL')
  if (url !== undefined) {
    const settings = {
      url,
      model: variable(env, 'EMBEDDINGS_MODEL') ?? 'nomic-embed-text',
      dimension: Number(variable(env, 'EMBEDDINGS_DIMENSION') ?? 768),
      key: variable(env, 'EMBEDDINGS_KEY') ?? null,
    }
    return openAiEmbedder(settings, (input, init) => fetch(input, init))
  }
  if (!env.AI) return localEmbedder
  return workersAiEmbedder(env.AI, env.EMBEDDING_MODEL ?? '@cf/baai/bge-m3', Number(env.EMBEDDING_DIMENSION ?? 1_024))
}

function readConfig(env: Env): Config {
  const local = env.ENVIRONMENT === 'local'
  const region = variable(env, 'DATA_REGION')
  const namedOrigin = variable(env, 'PUBLIC_ORIGIN')
  const origin = namedOrigin === undefined ? undefined : publicOrigin(namedOrigin, local)
  return {
    environment: local ? 'local' : 'production',
    signupsOpen: env.SIGNUPS === 'open',
    openClientRegistration: flag(env, 'OPEN_CLIENT_REGISTRATION'),
    allowLoopbackRedirects: local && flag(env, 'ALLOW_LOOPBACK_REDIRECTS'),
    allowPrivateWebhooks: local && flag(env, 'ALLOW_PRIVATE_WEBHOOKS'),
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
      ...(local ? [] : LOCAL_ONLY.filter((name) => variable(env, name) !== undefined).map(isLocalOnly)),
      ...(namedOrigin === undefined || origin !== undefined ? [] : [notAnOrigin(namedOrigin)]),
      ...(region === undefined || dataRegion(region) ? [] : [unknownRegion(region)]),
    ],
    auditRetentionDays: Number(env.AUDIT_RETENTION_DAYS),
    exactTierMax: Number(variable(env, 'EXACT_TIER_MAX') ?? 10_000),
    quotas: { items: quota(env, 'QUOTA_ITEMS'), projects: quota(env, 'QUOTA_PROJECTS') },
  }
}

/** Optional variables are not in `wrangler.toml`, so the generated type of the environment lacks them. */
const variable = (env: Env, name: string): string | undefined => {
  const value: unknown = Reflect.get(env, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

const flag = (env: Env, name: string): boolean => variable(env, name) === 'true'

const quota = (env: Env, name: string): number | null => {
  const value = variable(env, name)
  return value === undefined ? null : Number(value)
}
