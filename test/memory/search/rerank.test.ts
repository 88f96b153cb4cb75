/** @module-tag long */
import { expect, test, vi } from 'vitest'
import { ModelDown, UnusableAnswer } from '../../../src/core/embedding.ts'
import type { AuthContext } from '../../../src/core/context.ts'
import { MAX_MODEL_CALLS_OF_USER, MAX_WAITING_MODEL_CALLS } from '../../../src/models/model-turns.ts'
import { rerank } from '../../../src/memory/search/rerank.ts'
import { travel } from '../../support/clock.ts'
import { fakeTimers } from '../../support/fake-timers.ts'
import { brokenModel, withModel } from '../../support/models.ts'
import { ctxOf, embedded, find, idsOf, stored } from '../../support/search.ts'
import { until } from '../../support/until.ts'
import { addMember, call, newSession, newTenant, system, type Tenant } from '../../support/world.ts'
import { rerankerOf } from '../../support/reranker.ts'

const KETTLES = ['kettle 3', 'kettle 1', 'kettle 4', 'kettle 2']

async function kettles(
  answer?: Parameters<typeof rerankerOf>[0],
  changes: Pick<Partial<AuthContext>, 'now' | 'log'> = {},
) {
  const user = await newTenant()
  const ids = await embedded(ctxOf(user), KETTLES)
  const { rerankingModel, asked, nextCall } = rerankerOf(answer)
  return { user, ids, asked, nextCall, ctx: ctxOf(user, { rerankingModel, ...changes }) }
}

const textsOf = (results: readonly { content: { text: string } }[]) => results.map(({ content }) => content.text)

test.each(['hybrid', 'semantic', 'keyword'])(
  'contract §3: %s results come in the order of the reranker',
  async (mode) => {
    const { ctx, asked } = await kettles()
    const plain = await find(ctx, 'kettle', { mode })
    const reply = await find(ctx, 'kettle', { mode, rerank: true })
    expect(textsOf(reply.results)).toEqual(['kettle 4', 'kettle 3', 'kettle 2', 'kettle 1'])
    expect(reply.results.map((result) => result.rerank_score)).toEqual([4, 3, 2, 1])
    expect(reply.rerank).toEqual({ applied: true })
    // `score` and the rest are what they are without it.
    const scores = (results: typeof plain.results) => new Map(results.map(({ id, score }) => [id, score]))
    expect(scores(reply.results)).toEqual(scores(plain.results))
    expect(reply).toMatchObject({ total: plain.total, pending: plain.pending })
    expect(asked).toEqual([{ query: 'kettle', texts: textsOf(plain.results) }])
    expect(plain).not.toHaveProperty('rerank')
    expect(plain.results[0]).not.toHaveProperty('rerank_score')
  },
)

test('rerank: false asks for nothing, also where no reranker is configured', async () => {
  const { ctx, asked } = await kettles()
  expect(await find(ctx, 'kettle', { rerank: false })).not.toHaveProperty('rerank')
  expect(await find({ ...ctx, reranker: null }, 'kettle', { rerank: false })).not.toHaveProperty('rerank')
  expect(asked).toEqual([])
})

test('it orders before the cut to limit: the best of 30 comes first, whatever its rank', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  await embedded(
    ctx,
    Array.from({ length: 40 }, (_, at) => `kettle ${at}`),
  )
  const { rerankingModel, asked } = rerankerOf()
  const own = ctxOf(user, { rerankingModel })
  const plain = await find(ctx, 'kettle', { limit: 100 })
  expect(plain.results).toHaveLength(40)
  const one = await find(own, 'kettle', { limit: 1, rerank: true })
  const read = asked[0]?.texts ?? []
  expect(read).toEqual(textsOf(plain.results).slice(0, 30))
  const best = Math.max(...read.map((text) => Number(text.slice(7))))
  expect(textsOf(one.results)).toEqual([`kettle ${best}`])
  // What it did not read stands behind in its old order, and has no score of it.
  const all = await find(own, 'kettle', { limit: 100, rerank: true })
  expect(idsOf(all).slice(30)).toEqual(idsOf(plain).slice(30))
  expect(all.results.map((result) => result.rerank_score !== undefined)).toEqual(plain.results.map((_, at) => at < 30))
})

test('top bounds what it reads', async () => {
  const { ctx, asked } = await kettles()
  const plain = await find(ctx, 'kettle')
  const reply = await find(ctx, 'kettle', { rerank: { top: 2 } })
  expect(asked[0]?.texts).toEqual(textsOf(plain.results).slice(0, 2))
  expect(idsOf(reply).slice(2)).toEqual(idsOf(plain).slice(2))
  await find(ctx, 'kettle', { rerank: {} })
  expect(asked[1]?.texts).toHaveLength(4)
})

test('equal scores keep the order of the search', async () => {
  const { ctx } = await kettles([1, 1, 2, 1])
  const plain = idsOf(await find(ctx, 'kettle'))
  const [a, b, c, d] = plain
  expect(idsOf(await find(ctx, 'kettle', { rerank: true }))).toEqual([c, a, b, d])
})

test('it reads the best part of a long text, at most 2,000 characters', async () => {
  const user = await newTenant()
  const filler = Array.from({ length: 900 }, (_, at) => `word${at}`).join(' ')
  const ctx = ctxOf(user)
  await embedded(ctx, [`${filler} the blue kettle whistles ${filler}`])
  await stored(ctx, `${filler} a green kettle 👍🏽 ${filler}`)
  const { rerankingModel, asked } = rerankerOf()
  await find(ctxOf(user, { rerankingModel }), 'blue kettle', { rerank: true })
  const texts = asked[0]?.texts ?? []
  expect(texts).toHaveLength(2)
  for (const text of texts) {
    expect(text.length).toBeLessThanOrEqual(2_000)
    expect(text.length).toBeGreaterThan(1_000)
    expect(text).toContain('kettle')
  }
})

test('it reads only what SQL lets through: no private item of another, no other namespace', async () => {
  const owner = await newTenant()
  const member = await addMember(owner, 'viewer')
  const ctx = ctxOf(owner)
  await embedded(ctx, ['kettle 1'])
  await embedded(ctx, ['kettle 7'], { visibility: 'private' })
  await embedded(ctx, ['kettle 8'], { context: { namespace: 'other' } })
  const { rerankingModel, asked } = rerankerOf()
  const reply = await find(ctxOf(member, { rerankingModel }), 'kettle', {
    rerank: true,
    context: { project_id: owner.projectId },
  })
  expect(textsOf(reply.results)).toEqual(['kettle 1'])
  expect(asked).toEqual([{ query: 'kettle', texts: ['kettle 1'] }])
})

test('nothing found: nothing to order, and no call', async () => {
  const { ctx, asked } = await kettles()
  const reply = await find(ctx, 'zebra', { mode: 'keyword', rerank: true })
  expect(reply).toMatchObject({ results: [], rerank: { applied: true } })
  expect(asked).toEqual([])
})

test('max_tokens counts in the order of the reranker; the audit row names what was answered', async () => {
  const { ctx } = await kettles()
  const reply = await find(ctx, 'kettle', { rerank: true, max_tokens: 3 })
  expect(textsOf(reply.results)).toEqual(['kettle 4'])
  expect(reply.truncated).toBe(true)
})

test('the semantic side down: keyword matches are ordered all the same', async () => {
  const { ctx } = await kettles()
  const reply = await find(withModel(ctx, brokenModel()), 'kettle', { rerank: true })
  expect(reply).toMatchObject({ degraded: 'semantic_unavailable', rerank: { applied: true } })
  expect(textsOf(reply.results)[0]).toBe('kettle 4')
})

test.each([
  ['it fails', new Error('connection refused'), 'unavailable'],
  ['it asks for a pause', new ModelDown('429', 0), 'unavailable'],
  ['it answers no scores', new UnusableAnswer('no scores'), 'unusable'],
])('contract §3: %s: the search answers without, and says why', async (_, failure, reason) => {
  const { ctx } = await kettles(failure)
  const error = vi.fn()
  const reply = await find({ ...ctx, log: { ...ctx.log, error } }, 'kettle', { rerank: true })
  const plain = await find(ctx, 'kettle')
  expect(reply).toMatchObject({ results: plain.results, rerank: { applied: false, reason } })
  expect(reply.results[0]).not.toHaveProperty('rerank_score')
  expect(error).toHaveBeenCalledWith(expect.objectContaining({ event: 'search.not_reranked', reason }), failure)
})

/** A search whose reranker does not answer within its 1,500 ms. */
async function late(ctx: AuthContext, nextCall: () => Promise<void>) {
  const called = nextCall()
  const settled = vi.fn()
  const reply = find(ctx, 'kettle', { mode: 'keyword', rerank: true }).finally(settled)
  await called
  await vi.advanceTimersByTimeAsync(1_499)
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  return reply
}

test('late: the search answers after 1,500 ms, and asks it no more for 5 s', async () => {
  const now = system.now()
  let passed = 0
  const { ctx: own, asked, nextCall } = await kettles('never', { now: () => now + passed })
  fakeTimers('setTimeout')
  expect((await late(own, nextCall)).rerank).toEqual({ applied: false, reason: 'late' })
  passed = 4_999
  expect((await find(own, 'kettle', { rerank: true })).rerank).toEqual({ applied: false, reason: 'unavailable' })
  expect(asked).toHaveLength(1)
  passed = 5_000
  expect((await late(own, nextCall)).rerank).toEqual({ applied: false, reason: 'late' })
})

test('a pause that it asks for is kept; then one search finds out whether it is well, and the others do not wait', async () => {
  const now = system.now()
  let passed = 0
  const { ctx: own, asked } = await kettles(new ModelDown('429', 60_000), { now: () => now + passed })
  const outcome = async () => (await find(own, 'kettle', { mode: 'keyword', rerank: true })).rerank
  for (passed of [0, 1, 59_999]) expect(await outcome()).toEqual({ applied: false, reason: 'unavailable' })
  expect(asked).toHaveLength(1)
  passed = 60_000
  await Promise.all([outcome(), outcome(), outcome()])
  expect(asked).toHaveLength(2)
})

test("contract §3: one user's flood of reranks is answered without for that user alone; another's comes in its order", async () => {
  const gate = Promise.withResolvers<undefined>()
  const asked: string[] = []
  const { rerankingModel } = rerankerOf()
  const slow: typeof rerankingModel = {
    ...rerankingModel,
    rerank: async (query, texts, signal) => {
      asked.push(query)
      if (query.startsWith('flood')) await gate.promise
      return rerankingModel.rerank(query, texts, signal)
    },
  }
  const [one, other] = [
    ctxOf(await newTenant(), { rerankingModel: slow }),
    ctxOf(await newTenant(), { rerankingModel: slow }),
  ]
  const flood = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        rerank(one, { query: `flood ${n}`, top: 1 }, [{ text: `flood ${n}` }], ({ text }) => text),
      ),
    )
  const before = flood(MAX_MODEL_CALLS_OF_USER + MAX_WAITING_MODEL_CALLS)
  await until(() => expect(asked).toHaveLength(MAX_MODEL_CALLS_OF_USER))

  await embedded(other, KETTLES)
  expect((await find(other, 'kettle', { rerank: true })).rerank).toEqual({ applied: true })

  const [late] = await flood(1)
  expect(late).toEqual({ matches: [{ text: 'flood 0' }], outcome: { applied: false, reason: 'busy' } })
  gate.resolve(undefined)
  // Those that waited have had their turn, or ended their wait.
  const outcomes = (await before).map(({ outcome }) => outcome.applied)
  expect(outcomes.filter(Boolean).length).toBeGreaterThanOrEqual(MAX_MODEL_CALLS_OF_USER)
})

test('422 where no reranker is configured, before anything else is looked at', async () => {
  const { key } = await newTenant()
  expect(system.reranker).toBeNull()
  for (const rerank of [true, { top: 3 }]) {
    const body = { query: 'x', rerank, context: { project_id: 'prj_none' } }
    const answer = await call('POST', '/api/memory/search', { key, body })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toEqual([expect.objectContaining({ path: 'rerank', code: 'not_configured' })])
  }
})

test.each([{ top: 0 }, { top: 31 }, { top: 1.5 }, { limit: 3 }, 'yes', 1, null, []])(
  '422: rerank %j',
  async (rerank) => {
    const { key } = await newTenant()
    const { status, body } = await call('POST', '/api/memory/search', { key, body: { query: 'x', rerank } })
    expect([status, body.code]).toEqual([422, 'validation_failed'])
  },
)

/** The usage of the last minutes, as the account's owner reads it. */
const usageOf = async (tenant: Tenant) =>
  (await call('GET', '/v1/usage?step=5m', { headers: await newSession(tenant) })).body

test('usage counts the calls of the reranker beside the requests', async () => {
  const { user, ctx } = await kettles()
  const broken = ctxOf(user, { rerankingModel: rerankerOf(new Error('down')).rerankingModel })
  await find(ctx, 'kettle', { rerank: true })
  await find(ctx, 'kettle', { rerank: true })
  await find(broken, 'kettle', { rerank: true })
  await find(ctx, 'kettle', { rerank: false })
  await until(
    async () => {
      travel(10_000)
      const { data, reranks } = await usageOf(user)
      expect(reranks).toEqual({ calls: 3, failures: 1 })
      expect(data.map(({ operation }: { operation: string }) => operation)).not.toContain('memory.rerank')
    },
    { everyMs: 300 },
  )
})
