/** @module-tag long */
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { openAiEmbedder } from '../../src/backends/embedder.openai.ts'
import { workersAiEmbedder } from '../../src/backends/embedder.workers-ai.ts'
import { workersAiReranker } from '../../src/backends/reranker.workers-ai.ts'
import { auditSweeps } from '../../src/audit/index.ts'
import { handlers } from '../../src/consumer.ts'
import type { System } from '../../src/core/context.ts'
import type { EmbeddingModel } from '../../src/core/models.ts'
import { consoleLog } from '../../src/core/log.ts'
import type { QueueName } from '../../src/core/ports.ts'
import { sweepMinute } from '../../src/cron.ts'
import { erase } from '../../src/memory/erasures/request.ts'
import { SearchInput } from '../../src/memory/search/search-schema.ts'
import { search } from '../../src/memory/operations/search.ts'
import { batch } from '../../src/memory/operations/batch.ts'
import { update } from '../../src/memory/operations/update.ts'
import { UpdateInput } from '../../src/memory/item.ts'
import { archiving } from '../support/audit-objects.ts'
import { DAY, HOUR, MINUTE, travel } from '../support/clock.ts'
import { sharedOf, sharedReranker } from '../support/models.ts'
import { messageOf } from '../support/queue-message.ts'
import { ctxOf, stored } from '../support/search.ts'
import { db, home, newTenant, system, type Tenant } from '../support/world.ts'

/** What a client writes. Nothing else contains it. */
const CANARY = 'zzcanary'
const TEXT = `${CANARY}-text of a person`
const QUERY = `${CANARY}-query`

const SERVICE = { url: 'https://model.example/v1', model: 'm', key: null, dimension: 8, batch: null }

/** Models that repeat their input in their errors, as services do. */
const ECHOING: Record<string, EmbeddingModel> = {
  'an OpenAI-compatible service': openAiEmbedder(
    SERVICE,
    async (url, init) => new Response(`cannot embed ${await new Request(url, init).text()}`, { status: 500 }),
  ),
  'an OpenAI-compatible service that refuses': openAiEmbedder(
    SERVICE,
    async (url, init) => new Response(`cannot embed ${await new Request(url, init).text()}`, { status: 422 }),
  ),
  'Workers AI': workersAiEmbedder(
    { run: async (_model, input) => Promise.reject(new Error(`5006: cannot embed ${JSON.stringify(input)}`)) },
    'm',
    8,
  ),
  'Workers AI without a code': workersAiEmbedder(
    { run: async (_model, input) => Promise.reject(new Error(`cannot embed ${JSON.stringify(input)}`)) },
    'm',
    8,
  ),
}

const reranker = workersAiReranker({
  run: async (_model, input) => Promise.reject(new Error(`cannot rank ${JSON.stringify(input)}`)),
})

/** Everything that leaves the database: messages of queues and lines of the log, as text. */
function watched(model: EmbeddingModel) {
  const said: string[] = []
  const waiting: { queue: QueueName; body: unknown }[] = []
  const working: Promise<unknown>[] = []
  for (const method of ['log', 'error', 'warn', 'info'] as const)
    vi.spyOn(console, method).mockImplementation((...line: unknown[]) => void said.push(line.map(String).join(' ')))
  const parts = {
    log: consoleLog,
    queues: {
      send: async (queue: QueueName, bodies: readonly unknown[]): Promise<void> => {
        said.push(`${queue} ${JSON.stringify(bodies)}`)
        waiting.push(...bodies.map((body) => ({ queue, body })))
      },
    },
    waitUntil: (work: Promise<unknown>) => void working.push(work.catch(() => undefined)),
  }
  const changed: System = {
    ...archiving().system,
    ...parts,
    embedder: sharedOf(model).for(() => changed),
    reranker: sharedReranker(reranker),
  }
  async function settle(): Promise<void> {
    for (let round = 0; round < 20 && (waiting.length > 0 || working.length > 0); round += 1) {
      await Promise.all(working.splice(0))
      for (const { queue, body } of waiting.splice(0)) await handlers[queue].consume(changed, [messageOf(body)])
    }
  }
  return { said, parts, changed, settle }
}

async function everyWrite(tenant: Tenant, model: EmbeddingModel, { parts }: ReturnType<typeof watched>): Promise<void> {
  const ctx = () => ctxOf(tenant, { ...parts, embeddingModel: model, rerankingModel: reranker })
  const context = { namespace: `${CANARY}-namespace`, conversation_id: `${CANARY}-conversation` }
  const { id } = await stored(ctx(), TEXT, { context, tags: [`${CANARY}-tag`], custom_id: `${CANARY}-custom` })
  await update(ctx(), { id, input: UpdateInput.parse({ content: `${TEXT}, changed` }), ifMatch: null })
  await batch(ctx(), { operations: [{ op: 'store', content: TEXT }] })
  for (const mode of ['hybrid', 'semantic'] as const)
    await search(ctx(), SearchInput.parse({ query: QUERY, mode, rerank: true, context: { namespace: '*' } })).catch(
      () => undefined,
    )
  await erase(ctx(), { namespace: `${CANARY}-namespace`, dry_run: false })
}

const objectKeys = async (): Promise<string[]> => (await env.TEST_BUCKET.list()).objects.map(({ key }) => key)

test.each(Object.entries(ECHOING))(
  'no message, line of the log, audit row or object holds a text or a query, with %s that repeats it in its errors',
  async (_name, model) => {
    const tenant = await newTenant()
    // Other tests leave objects behind that they have damaged.
    const before = new Set(await objectKeys())
    const watch = watched(model)
    await everyWrite(tenant, model, watch)
    await watch.settle()
    for (const minutes of [1, 2, 3]) {
      travel(minutes * MINUTE)
      await sweepMinute(watch.changed, Math.floor(system.now() / MINUTE))
      await watch.settle()
    }
    travel(3 * DAY + HOUR)
    for (const one of auditSweeps) await one.run(watch.changed)
    vi.restoreAllMocks()
    expect(watch.said.length).toBeGreaterThan(5)
    expect(watch.said.filter((text) => text.includes(CANARY))).toEqual([])
    const canary = { canary: CANARY }
    expect(await db.first('select 1 from audit_outbox where instr(row, :canary) > 0', canary)).toBeNull()
    const pages = system.auditDatabase(home)
    expect(await pages.first('select 1 from audit_pages where instr(rows, :canary) > 0', canary)).toBeNull()
    const written = (await objectKeys()).filter((key) => !before.has(key))
    expect(written).not.toEqual([])
    for (const key of written) {
      const body = (await env.TEST_BUCKET.get(key))?.body
      const unpacked = key.endsWith('.gz') ? body?.pipeThrough(new DecompressionStream('gzip')) : body
      expect(await new Response(unpacked).text()).not.toContain(CANARY)
    }
    // It was there to be told.
    const texts = await db.first('select 1 from memory_items where tenant_id = :tenant', { tenant: tenant.tenantId })
    expect(texts).not.toBeNull()
  },
)
