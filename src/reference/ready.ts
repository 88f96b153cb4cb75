import { z } from '@hono/zod-openapi'
import { iso } from '../core/values/clock.ts'
import { AUDIT_WARNINGS, auditWarnings } from '../audit/index.ts'
import { DIRECTORY_WARNINGS, directoryWarnings } from '../auth/index.ts'
import type { Config } from '../core/config.ts'
import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { within } from '../core/values/deadline.ts'
import { requireMigrated } from '../core/database/migrated.ts'
import { DATABASES_AT_ONCE, FIRST_SHARD } from '../core/shards.ts'
import { inParallel } from '../core/values/in-parallel.ts'
import { endpoint, PUBLIC_READ, Reply } from '../core/http/endpoint.ts'
import { SAMPLE_TIME } from '../core/sample.ts'
import { databaseWarnings, DATABASE_WARNINGS } from './database-warnings.ts'
import { BACKLOG_KINDS, COUNTED_TO, countBacklogs, type BacklogKind } from './backlogs.ts'
import { embeddingFailure } from './embedding-failure.ts'

/** An isolate repeats its last reply for this long, so that probes cost nothing. */
const CACHED_MS = 10_000
/** A dependency that takes longer counts as failed. */
const DEADLINE_MS = 3_000
/** Where a bucket is bound. */
const BUCKET_CHECK = 'audit_bucket'
const NO_BACKLOG = Object.fromEntries(BACKLOG_KINDS.map((kind) => [kind, 0])) as Record<BacklogKind, number>

const ReadySchema = z
  .object({
    status: z.enum(['ready', 'degraded', 'unavailable']),
    failed_shards: z.array(z.string()).meta({
      description: 'Shards with a database that does not respond or lacks a migration. Their tenants get 503.',
    }),
    checked_at: z.string().meta({ format: 'date-time' }),
    checks: z.record(z.string(), z.object({ status: z.enum(['ok', 'failed']), took_ms: z.int() })),
    faults: z
      .array(z.string())
      .meta({ description: 'What is wrong with the settings of the deployment. A faulty setting has no effect.' }),
    embedder: z
      .object({ model: z.string(), dimension: z.int().nullable(), fault: z.string().nullable() })
      .meta({ description: 'The embedding model, its dimension if known, and the reason if it cannot embed.' }),
    reranker: z
      .object({ model: z.string() })
      .nullable()
      .meta({ description: 'The model that `rerank` uses in a search; null if none is configured.' }),
    warnings: z
      .array(
        z.object({
          name: z.enum([...DATABASE_WARNINGS, ...DIRECTORY_WARNINGS, ...AUDIT_WARNINGS, 'embedding_failing']),
          shard: z.string(),
          detail: z.string(),
        }),
      )
      .meta({ description: 'Problems that will cause failures later unless someone acts.' }),
    backlog: z.record(z.string(), z.int()).meta({ description: `Work that is due, counted up to ${COUNTED_TO}.` }),
    messages: z.record(z.string(), z.int()).meta({ description: 'Messages in each queue, delayed ones included.' }),
  })
  .openapi('Ready')
export type Ready = z.infer<typeof ReadySchema>

const answers = new WeakMap<Config, { at: number; ready: Ready }>()

/** Checks each dependency once. It calls no model. Only the log says why a check failed. */
async function readiness(system: System): Promise<Ready> {
  const checks: Ready['checks'] = {}
  let messages: Ready['messages'] = {}
  let fault: string | null = null
  const backlog = { ...NO_BACKLOG }
  const warnings: Ready['warnings'] = []
  const check = async (name: string, ask: () => Promise<unknown>): Promise<void> => {
    const startedAt = system.now()
    let status: 'ok' | 'failed' = 'ok'
    try {
      await within(DEADLINE_MS, ask(), () => new Error('no answer'))
    } catch (error) {
      status = 'failed'
      system.log.error({ event: 'ready.failed', check: name }, error)
    }
    checks[name] = { status, took_ms: system.now() - startedAt }
  }
  const count = async (db: Database): Promise<void> => {
    for (const { kind, waiting } of await countBacklogs(system, db)) backlog[kind] += waiting
  }
  const databases = system.shards.flatMap((shard) => [
    {
      name: `database_${shard}`,
      ask: async () => {
        const db = system.database(shard)
        await requireMigrated(db, 'DB')
        await count(db)
        warnings.push(...(await databaseWarnings(system, shard)))
        if (shard === FIRST_SHARD) warnings.push(...(await directoryWarnings(system)))
        const failure = await embeddingFailure(system, db)
        if (failure?.of_dimension) fault ??= failure.error
        else if (failure)
          warnings.push({ name: 'embedding_failing', shard, detail: `Items are waiting. ${failure.error}` })
      },
    },
    {
      name: `audit_${shard}`,
      ask: async () => {
        await requireMigrated(system.auditDatabase(shard), 'AUDIT_DB')
        warnings.push(...(await auditWarnings(system, shard)))
      },
    },
  ])
  await inParallel(DATABASES_AT_ONCE, databases, ({ name, ask }) => check(name, ask))
  const failedShards = system.shards.filter((shard) =>
    [checks[`database_${shard}`], checks[`audit_${shard}`]].some((one) => one?.status !== 'ok'),
  )
  await Promise.all([
    check('embedder', async () => {
      if (fault !== null) throw new Error(fault)
    }),
    // Releases a permit that nobody holds: this reaches the object and changes nothing.
    check('limiter', () => system.limiter.release('anonymous', 'ready', 0)),
    check('queues', async () => {
      const backlogs = Object.entries(await system.queueBacklogs())
      messages = Object.fromEntries(backlogs.map(([queue, waiting]) => [queue, waiting.messages]))
    }),
    // An object without vectors: the check costs no project anything.
    check('vectors', () => system.projectVectors('ready', FIRST_SHARD).items(1)),
    ...(system.auditObjects ? [check(BUCKET_CHECK, async () => system.auditObjects?.head('ready'))] : []),
    ...(system.vectorIndex ? [check('vector_index', () => requireDimension(system))] : []),
    check('configuration', async () => {
      if (system.config.faults.length > 0) throw new Error(system.config.faults.join('; '))
    }),
  ])
  return {
    status: statusOf(checks, failedShards, system.shards.length),
    failed_shards: failedShards,
    checked_at: iso(system.now()),
    checks,
    faults: [...system.config.faults],
    embedder: { model: system.embedder.model, dimension: system.embedder.dimension, fault },
    reranker: system.reranker && { model: system.reranker.model },
    warnings: warnings.toSorted((a, b) => (a.shard < b.shard ? -1 : 1)),
    backlog,
    messages,
  }
}

/**
 * A shard that fails leaves the others at work, and a bucket that fails hides older audit rows alone. The service is unavailable
 * without the directory, with more than half of the shards gone, or where anything else fails that all shards need.
 */
function statusOf(checks: Ready['checks'], failedShards: readonly string[], shards: number): Ready['status'] {
  const shared = Object.entries(checks).filter(
    ([name]) => name !== BUCKET_CHECK && !/^(database|audit)_\d\d$/.test(name),
  )
  const lost = failedShards.includes(FIRST_SHARD) || failedShards.length > shards / 2
  if (lost || shared.some(([, { status }]) => status !== 'ok')) return 'unavailable'
  return failedShards.length > 0 || checks[BUCKET_CHECK]?.status === 'failed' ? 'degraded' : 'ready'
}

/** An index rejects vectors of another dimension than its own. */
async function requireDimension(system: System): Promise<void> {
  const [dimension, known] = await Promise.all([system.vectorIndex?.dimension(), system.embedder.readDimension()])
  if (known !== null && dimension !== known) throw new Error(`the index has ${dimension}, the model ${known}`)
}

const SAMPLE_CHECKS = Object.fromEntries(
  ['database_00', 'audit_00', 'embedder', 'limiter', 'queues', 'vectors', 'configuration'].map((name) => [
    name,
    { status: 'ok', took_ms: 4 },
  ]),
)

export const readyEndpoint = endpoint({
  ...PUBLIC_READ,
  path: '/ready',
  operationId: 'getReadiness',
  summary: 'Is the service ready to serve requests?',
  description:
    'Reports each dependency and backlog, checked at most once every ten seconds. 200 with `degraded` if the bucket of the audit log fails, or if at most half of the shards fail and the first is not among them. 503 if a dependency does not respond, or if a setting is faulty or for local use only (`faults`).',
  reply: { 200: ReadySchema, 503: ReadySchema },
  example: {
    reply: {
      status: 'ready',
      failed_shards: [],
      checked_at: SAMPLE_TIME,
      checks: SAMPLE_CHECKS,
      faults: [],
      embedder: { model: 'embedded/recollect-static-en-v1', dimension: 256, fault: null },
      reranker: null,
      warnings: [],
      backlog: NO_BACKLOG,
      messages: { embed: 0, purge: 0, events: 0, delivery: 0, audit: 0 },
    },
  },
}).handle(async ({ ctx }) => {
  const known = answers.get(ctx.config)
  const now = ctx.now()
  const fresh = known !== undefined && now >= known.at && now - known.at < CACHED_MS
  const ready = fresh ? known.ready : await readiness(ctx)
  if (!fresh) answers.set(ctx.config, { at: now, ready })
  const waitSeconds = Math.ceil(CACHED_MS / 1_000)
  return ready.status === 'unavailable' ? new Reply(503, ready, { 'Retry-After': String(waitSeconds) }) : ready
})
