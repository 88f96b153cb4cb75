import { z } from '@hono/zod-openapi'
import { iso } from '../core/values/clock.ts'
import type { Config, System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { within } from '../core/values/deadline.ts'
import { endpoint, Reply } from '../core/http/endpoint.ts'

/** An isolate repeats its last reply for this long, so that probes cost nothing. */
const CACHED_MS = 10_000
/** A dependency that takes longer counts as failed. */
const DEADLINE_MS = 3_000
/** A larger backlog is reported as this. */
const COUNTED_TO = 1_000

/** Work that is due. Each condition is that of a partial index, so an idle service reads no rows. */
const BACKLOGS = {
  embedding: `memory_items where embedding_status in ('pending', 'processing') and deleted_at is null`,
  expiry: `memory_items where expires_at is not null and deleted_at is null and expires_at <= ?1`,
  purge: `memory_items where deleted_at is not null`,
  events: `events where settled_at is null`,
  deliveries: `deliveries where status in ('pending', 'sending') and resend_at <= ?1`,
  audit: `audit_outbox`,
  revocations: `pending_denials`,
}
type Backlog = keyof typeof BACKLOGS

const COUNT = `select ${Object.entries(BACKLOGS)
  .map(([name, rows]) => `(select count(*) from (select 1 from ${rows} limit ${COUNTED_TO})) as ${name}`)
  .join(', ')}, ?1 as now`

const ReadySchema = z
  .object({
    status: z.enum(['ready', 'unavailable']),
    checked_at: z.string().meta({ format: 'date-time' }),
    checks: z.record(z.string(), z.object({ status: z.enum(['ok', 'failed']), took_ms: z.int() })),
    backlog: z.record(z.string(), z.int()).meta({ description: `Work that is due, counted up to ${COUNTED_TO}.` }),
    messages: z.record(z.string(), z.int()).meta({ description: 'Messages in each queue, delayed ones included.' }),
  })
  .openapi('Ready')
type Ready = z.infer<typeof ReadySchema>

const answers = new WeakMap<Config, { at: number; ready: Ready }>()

/** Checks each dependency once. It calls no model. Only the log says why a check failed. */
async function readiness(system: System): Promise<Ready> {
  const checks: Ready['checks'] = {}
  let messages: Ready['messages'] = {}
  const backlog = Object.fromEntries(Object.keys(BACKLOGS).map((name) => [name, 0])) as Record<Backlog, number>
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
    const counts = await db.first<Record<Backlog, number>>(COUNT, system.now())
    for (const name of Object.keys(BACKLOGS) as Backlog[]) backlog[name] += counts?.[name] ?? 0
  }
  await Promise.all([
    ...system.shards.map((shard) => check(`database_${shard}`, () => count(system.database(shard)))),
    check('audit_database', () => system.auditDatabase.first('select 1')),
    // Releases a permit that nobody holds: this reaches the object and changes nothing.
    check('limiter', () => system.limiter.release('anonymous', 'ready', 0)),
    check('queues', async () => (messages = await system.waitingMessages())),
    // An object without vectors: the check costs no project anything.
    check('vectors', () => system.projectVectors('ready').items(1)),
    ...(system.vectorIndex ? [check('vector_index', () => requireDimension(system))] : []),
    check('configuration', async () => {
      if (system.config.faults.length > 0) throw new Error(system.config.faults.join('; '))
    }),
  ])
  const ok = Object.values(checks).every(({ status }) => status === 'ok')
  return {
    status: ok ? 'ready' : 'unavailable',
    checked_at: iso(system.now()),
    checks,
    backlog,
    messages,
  }
}

/** An index rejects vectors of another dimension than its own. */
async function requireDimension({ vectorIndex, embedder }: System): Promise<void> {
  const dimension = await vectorIndex?.dimension()
  if (dimension !== embedder.dimension) throw new Error(`the index has ${dimension}, the model ${embedder.dimension}`)
}

export const readyEndpoint = endpoint({
  method: 'get',
  path: '/ready',
  tag: 'service',
  summary: 'Can the service do its work?',
  description:
    'Each dependency and backlog, asked at most once in ten seconds. 503 if a dependency does not answer, or a variable has an unknown value or is for local use only.',
  scope: null,
  auth: 'none',
  limit: null,
  audit: null,
  reply: { 200: ReadySchema, 503: ReadySchema },
}).handle(async ({ ctx }) => {
  const known = answers.get(ctx.config)
  const now = ctx.now()
  const fresh = known !== undefined && now >= known.at && now - known.at < CACHED_MS
  const ready = fresh ? known.ready : await readiness(ctx)
  if (!fresh) answers.set(ctx.config, { at: now, ready })
  const waitSeconds = Math.ceil(CACHED_MS / 1_000)
  return ready.status === 'ready' ? ready : new Reply(503, ready, { 'Retry-After': String(waitSeconds) })
})
