import { TokenMint } from './auth/index.ts'
import { clientDocuments } from './backends/client-documents/client-documents.client.ts'
import { limiterClient } from './backends/limiter/limiter-shard.client.ts'
import { embeddedEmbedder } from './backends/embedder.embedded.ts'
import { isCommonPiece, isOnePiece } from './backends/embedded/word-pieces.ts'
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
import { tieredVectors } from './backends/vectors.tiers.ts'
import { dohResolver } from './backends/resolver.doh.ts'
import { systemClock } from './core/values/clock.ts'
import type { System } from './core/context.ts'
import { AUDIT_BUCKET } from './core/shards.ts'
import { shardDatabases } from './core/database/shard-databases.ts'
import { newId, systemRandom } from './core/values/ids.ts'
import { consoleLog } from './core/log.ts'
import { notification } from './events/index.ts'
import type { EmbeddingModel, RerankingModel } from './core/models.ts'
import { hubClient } from './hub/index.ts'
import { SharedEmbedder, SharedReranker } from './models/index.ts'
import {
  configOf,
  embedderChoice,
  noticesOf,
  readSettings,
  requiredKeys,
  variablesOf,
  type EmbedderChoice,
  type Settings,
} from './settings/index.ts'

/** Adds the `waitUntil` of one request, batch or sweep to what lives as long as the isolate. */
export type Deps = (waitUntil: (work: Promise<unknown>) => void) => System

const built = new WeakMap<Env, Deps>()

/** The composition root, the only reader of the environment. Throws `Misconfigured`. */
export function depsOf(env: Env): Deps {
  let deps = built.get(env)
  if (!deps) built.set(env, (deps = compose(env)))
  return deps
}

function compose(env: Env): Deps {
  const databases = shardDatabases(env)
  const { values: settings, faults } = readSettings('Worker', env, databases.shards)
  const chosen = embedderChoice(settings, Boolean(env.AI))
  const model = embeddingModelOf(env, chosen.choice)
  const embedder = new SharedEmbedder(model)
  const reranker = rerankingModelOf(env, settings)
  const queues = {
    embed: env.EMBED_QUEUE,
    purge: env.PURGE_QUEUE,
    events: env.EVENTS_QUEUE,
    delivery: env.DELIVERY_QUEUE,
    audit: env.AUDIT_QUEUE,
  }
  const config = configOf(settings, {
    faults: [...faults, ...chosen.faults],
    exactTierMax: exactTier(model.dimension),
  })
  // The hint counts when an object is first made. An object that exists stays where it is.
  const placed = config.dataRegion ? { locationHint: config.dataRegion } : undefined
  const placedIn = (shard: string) => {
    const region = config.shardRegions.get(shard)
    return region ? { locationHint: region } : placed
  }
  const tiers = {
    config,
    now: systemClock,
    vectorIndex: env.VECTORIZE ? vectorizeIndex(env.VECTORIZE, model.model) : null,
    projectVectors: projectVectorsClient(env.PROJECT_VECTORS, memoryBudget(settings.VECTOR_CACHE_MB).copies, placedIn),
  }
  const base: Omit<System, 'waitUntil' | 'embedder'> = {
    ...tiers,
    vectors: tieredVectors(tiers),
    log: consoleLog,
    vocabulary: { has: isOnePiece, common: { has: isCommonPiece } },
    random: systemRandom,
    fetch: (input, init) => fetch(input, init),
    newId: (prefix) => newId(prefix, systemClock(), systemRandom),
    database: (shard) => databases.of('DB', shard),
    shards: databases.shards,
    auditDatabase: (shard) => databases.of('AUDIT_DB', shard),
    reranker: reranker && new SharedReranker(reranker),
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
    tokens: new TokenMint(requiredKeys(settings, 'TOKEN_KEYS')),
    peppers: requiredKeys(settings, 'PASSWORD_PEPPERS'),
    dataKeys: requiredKeys(settings, 'DATA_KEYS'),
    operatorKeys: settings.OPERATOR_KEYS,
    metricsToken: settings.METRICS_TOKEN,
  }
  for (const notice of noticesOf(variablesOf(env))) base.log.error({ event: 'configuration.notice', notice })
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

/** The embedding model that the settings choose (docs/embeddings.md). */
function embeddingModelOf(env: Env, choice: EmbedderChoice): EmbeddingModel {
  if (choice.kind === 'url') return openAiEmbedder(choice, (input, init) => fetch(input, init))
  if (choice.kind === 'workers-ai' && env.AI) return workersAiEmbedder(env.AI, choice.model, choice.dimension)
  return embeddedEmbedder
}

/** The service at `RERANK_URL` where it is set, else Workers AI where it is bound, else none. */
function rerankingModelOf(
  env: Env,
  { RERANK_URL: url, RERANK_MODEL: model, RERANK_KEY: key }: Settings,
): RerankingModel | null {
  if (url === null) return env.AI ? workersAiReranker(env.AI) : null
  return url === '' ? null : httpReranker({ url, model, key }, (input, init) => fetch(input, init))
}
