/** @module-tag long */
import { expect, onTestFinished, test, vi } from 'vitest'
import { TextRefused } from '../../../src/core/embedding.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { deliver } from '../../../src/events/webhooks/deliver.ts'
import { METRICS_TOKEN, scrape } from '../../support/metrics.ts'
import { newReceiver } from '../../support/receiver.ts'
import { ctxOf, stored } from '../../support/search.ts'
import { until } from '../../support/until.ts'
import { deliveriesOf, fanOutDone, publish, request, subscribe } from '../../support/webhooks.ts'
import { db, newTenant, system } from '../../support/world.ts'
import type { EmbeddingModel } from '../../../src/core/models.ts'
import { embeddingModel } from '../../support/models.ts'

/** A consumer's system whose figures go out at once. Other tests count too, so each line may only have grown. */
function counting<Changes extends object>(changes: Changes) {
  const wait = vi.spyOn(scheduler, 'wait').mockResolvedValue(undefined)
  onTestFinished(() => wait.mockRestore())
  return { ...changes, metricsToken: METRICS_TOKEN }
}

async function expectGrowth(lines: readonly string[], work: () => Promise<unknown>): Promise<void> {
  const before = await scrape()
  await work()
  await until(async () => {
    const now = await scrape()
    for (const line of lines) expect(now.get(line) ?? 0, line).toBeGreaterThan(before.get(line) ?? 0)
  })
}

test('an embedding counts by its outcome, and the call of the model with its duration', async () => {
  const ctx = ctxOf(await newTenant(), counting({}))
  const item = await stored(ctx, 'A lighthouse.')
  const lines = [
    'recollect_embeddings_total{outcome="completed"}',
    'recollect_model_calls_total{purpose="document",outcome="ok"}',
    'recollect_model_call_duration_seconds_count{purpose="document"}',
  ]
  await expectGrowth(lines, () => embedItems(ctx, db, [item.id]))
})

test.each([
  ['refused', new TextRefused('no'), 'refused'],
  ['no_model', new Error('down'), 'failed'],
])('a failed one counts as %s', async (outcome, failure, call) => {
  const user = await newTenant()
  let asked = 0
  const model: EmbeddingModel = {
    ...embeddingModel,
    // A text is refused for good only where the model takes others.
    embed: (texts, ...more) => {
      if (failure instanceof TextRefused && texts[0]?.startsWith('The sun')) return embeddingModel.embed(texts, ...more)
      asked += 1
      return Promise.reject(failure)
    },
  }
  const item = await stored(ctxOf(user), 'A lighthouse.')
  const ctx = ctxOf(user, counting({ embeddingModel: model, log: { info: () => {}, error: () => {} } }))
  const lines = [
    `recollect_embeddings_total{outcome="${outcome}"}`,
    `recollect_model_calls_total{purpose="document",outcome="${call}"}`,
  ]
  await expectGrowth(lines, () => embedItems(ctx, db, [item.id]))
  expect(asked).toBeGreaterThan(0)
})

test('a search counts the call of the model for its query', async () => {
  const ctx = ctxOf(await newTenant(), counting({}))

  await expectGrowth(['recollect_model_calls_total{purpose="query",outcome="ok"}'], () => ctx.embedder.query('a lamp'))
})

test.each([
  ['delivered', 200],
  ['pending', 500],
  ['failed', 410],
])('an attempt of a webhook counts by what became of its delivery: %s', async (outcome, status) => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status }))
  const id = await subscribe(tenant, receiver)
  // Paused, so that this test alone sends it.
  await request(tenant, 'PATCH', `/v1/events/subscriptions/${id}`, { status: 'paused' })
  await fanOutDone(await publish(tenant))
  const [delivery] = await deliveriesOf(id)
  await db.write(`update subscriptions set status = 'active' where id = :id`, { id })
  await db.write(`update deliveries set status = 'pending', next_attempt_at = 0 where id = :id`, {
    id: delivery?.id ?? '',
  })
  const lines = [
    `recollect_delivery_attempts_total{outcome="${outcome}"}`,
    'recollect_delivery_attempt_duration_seconds_count',
  ]
  await expectGrowth(lines, () => deliver({ ...system, ...counting({}) }, db, [delivery?.id ?? '']))
})
