/** @module-tag long */
import { describe, expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import type { EmbeddingModel } from '../../../src/core/models.ts'
import { chargeOf } from '../../../src/core/values/long-turns.ts'
import { UNSEEN_SHARE } from '../../../src/memory/search/ranking.ts'
import { UNKNOWN_MODEL } from '../../../src/backends/unknown-model.ts'
import { ctxOf, embedded, find, idsOf, stored, withTiers } from '../../support/search.ts'
import { addMember, newTenant, system, type Tenant } from '../../support/world.ts'
import { brokenModel } from '../../support/models.ts'

/** A model whose cosine with any query stands in the text itself, as in `n0p35`: 0.35. */
const plannedModel = (changes: Partial<EmbeddingModel> = {}): EmbeddingModel => ({
  ...UNKNOWN_MODEL,
  model: 'test/planned-cosines',
  dimension: 2,
  scoring: 'pieces',
  floors: { known: 0.2, foreign: 0.2, spelling: null },
  embed: async (texts, purpose) =>
    texts.map((text) => {
      const cosine = purpose === 'query' ? 1 : Number(/n(\d)p(\d+)/.exec(text)?.slice(1).join('.') ?? 0)
      return { values: Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2)), pieces: null }
    }),
  ...changes,
})

const planned = (user: Tenant, changes?: Partial<EmbeddingModel>): AuthContext =>
  ctxOf(user, { embeddingModel: plannedModel(changes) })

const cosineName = (cosine: number): string => `n${cosine.toFixed(3).replace('.', 'p')}`

describe('contract §3: a semantic match is at least as similar as the floor says', () => {
  test('in hybrid and semantic search; a keyword match needs no similarity', async () => {
    const user = await newTenant()
    const ctx = planned(user)
    const [above, below, worded] = await embedded(ctx, ['n0p25 above', 'n0p15 below', 'n0p15 kettle'])
    expect(idsOf(await find(ctx, 'kettle'))).toEqual([worded, above])
    expect(idsOf(await find(ctx, 'kettle', { mode: 'semantic' }))).toEqual([above])
    expect(await find(ctx, 'nonsense', { mode: 'hybrid' })).toMatchObject({ total: 1, results: [{ id: above }] })
    expect(new Set(idsOf(await find(ctx, 'kettle', { similarity_threshold: 0.1 })))).toEqual(
      new Set([above, below, worded]),
    )
    expect(idsOf(await find(ctx, 'kettle', { similarity_threshold: 0.2 }))).toEqual([above])
  })

  test('a keyword match that is less similar has no similarity, and means what any other does that is no match', async () => {
    const user = await newTenant()
    const ctx = planned(user)
    const [near, far] = await embedded(ctx, ['n0p5 kettle', 'n0p1 kettle'])
    const { id: pending } = await stored(ctx, 'n0p9 kettle')
    const { results } = await find(ctx, 'kettle', { include: ['score_breakdown'] })
    expect(results.map(({ id, similarity }) => [id, similarity && Math.round(similarity * 10)])).toEqual([
      [near, 5],
      [pending, null],
      [far, null],
    ])
    expect(results[2]?.score_breakdown?.semantic).toBeNull()
    expect(results[2]?.score).toBe(results[1]?.score)
    const below = await find(ctx, 'kettle', { similarity_threshold: 0.05 })
    expect(below.results.map(({ id, similarity }) => [id, similarity && Math.round(similarity * 10)])).toEqual([
      [near, 5],
      [far, 1],
    ])
  })

  test('a long turn that is no match by meaning has less than a short one, by the same charge', async () => {
    const user = await newTenant()
    const ctx = planned(user)
    const context = { conversation_id: 'c' }
    await embedded(ctx, ['n0p5 kettle'])
    for (const words of [9, 999]) await stored(ctx, `kettle${' tea'.repeat(words)}`, { context })
    const { results } = await find(ctx, 'kettle', { include: ['score_breakdown'] })
    const semantic = results.map(({ content, score_breakdown: { contributions, weights } = expect.unreachable() }) => [
      content.text.length > 1_000,
      contributions.semantic / weights.semantic,
    ])
    expect(semantic).toEqual([
      [false, expect.closeTo(UNSEEN_SHARE * 0.5, 2)],
      [false, expect.closeTo(0.5, 2)],
      [true, expect.closeTo(UNSEEN_SHARE * 0.5 - chargeOf(1_000), 2)],
    ])
  })

  test('of a query that the model does not know, a result that no keyword found also has its least semantic score', async () => {
    const user = await newTenant()
    const floors = { known: 0.2, foreign: 0.2, spelling: { least: 0.5, growth: 0.1 } }
    const ctx = planned(user, { floors, wordShare: () => 0 })
    const [near, far] = await embedded(ctx, ['n0p55 near', 'n0p45 far'])
    expect(idsOf(await find(ctx, 'kettle', { mode: 'semantic' }))).toEqual([near])
    expect(idsOf(await find(ctx, 'kettle', { mode: 'semantic', similarity_threshold: 0.2 }))).toEqual([near, far])
    const knowing = planned(user, { floors })
    expect(idsOf(await find(knowing, 'kettle', { mode: 'semantic' }))).toEqual([near, far])
  })

  test('a model without a floor finds whatever is nearest', async () => {
    const user = await newTenant()
    const ctx = planned(user, { floors: null })
    const [far] = await embedded(ctx, ['n0p05 far'])
    for (const mode of ['hybrid', 'semantic']) expect(idsOf(await find(ctx, 'kettle', { mode }))).toEqual([far])
  })
})

describe('contract §3: the weight falls with the share of the words that the model knows', () => {
  test.each([
    [1, 0.3],
    [0.5, 0.3],
    [0.25, 0.15],
    [0, 0.075],
  ])('a share of %d gives the weight %d', async (share, weight) => {
    const user = await newTenant()
    const ctx = planned(user, { wordShare: () => share })
    await embedded(ctx, ['n0p8 kettle'])
    const [result] = (await find(ctx, 'kettle', { include: ['score_breakdown'] })).results
    expect(result?.score_breakdown?.weights.semantic).toBeCloseTo(weight, 12)
    expect(result?.score_breakdown?.contributions.semantic).toBeCloseTo(weight * (result?.similarity ?? 0), 6)
    const [semantic] = (await find(ctx, 'kettle', { mode: 'semantic', include: ['score_breakdown'] })).results
    expect(semantic?.score_breakdown?.weights).toEqual({ keyword: 0, semantic: 1 })
  })

  test('at 0 hybrid search is keyword search, and asks neither the model nor the vectors', async () => {
    const user = await newTenant()
    const [, kettle, other] = await embedded(planned(user), ['n0p9 garden', 'n0p1 kettle', 'n0p8 a kettle and more'])
    const ctx = withTiers(planned(user, { semanticWeight: 0 }), {
      projectVectors: () => expect.unreachable('no vectors'),
    })
    const hybrid = await find(ctx, 'kettle', { include: ['score_breakdown'] })
    const keyword = await find(ctx, 'kettle', { include: ['score_breakdown'], mode: 'keyword' })
    expect(idsOf(hybrid)).toEqual([kettle, other])
    expect(hybrid).toEqual({ ...keyword, mode: 'hybrid', took_ms: expect.any(Number) })
    // A threshold asks for similarities, and still no result comes by its meaning alone.
    const near = await find(planned(user, { semanticWeight: 0 }), 'kettle', { similarity_threshold: 0.5 })
    expect(near.results).toMatchObject([{ id: other, similarity: expect.closeTo(0.8, 2) }])
  })
})

test('a degraded search shows the weights that it used, and scores as a keyword search', async () => {
  const user = await newTenant()
  await embedded(planned(user), ['n0p9 kettle'])
  const ctx = ctxOf(user, { embeddingModel: brokenModel(plannedModel({ model: 'test/broken' })) })
  const hybrid = await find(ctx, 'kettle', { include: ['score_breakdown'] })
  expect(hybrid.degraded).toBe('semantic_unavailable')
  const keyword = await find(ctx, 'kettle', { include: ['score_breakdown'], mode: 'keyword' })
  expect(hybrid.results).toEqual(keyword.results)
})

/** A hundred and twenty texts of a length, each with a cosine of its own; every fourth has the keyword. */
const SEEN = Array.from(
  { length: 120 },
  (_, at) => `${cosineName(0.75 - at * 0.005)} ${at % 4 === 0 ? 'kettle' : 'tea'}`,
)

describe('an item that the caller may not see changes no score by being a hit', () => {
  test.each([
    ['pieces', 30],
    ['pieces', 70],
    ['relative', 30],
    ['relative', 70],
  ] as const)('%s, %i better ones: one round', async (scoring, hidden) => {
    const owner = await newTenant()
    const member = await addMember(owner, 'editor')
    let asked = 0
    const ctx = ctxOf(member, {
      embeddingModel: plannedModel({ scoring }),
      projectVectors: (id, shard) => {
        asked += 1
        return system.projectVectors(id, shard)
      },
    })
    const scores = async (mode: string) => {
      const { results } = await find(ctx, 'kettle', { mode, limit: 100 })
      return results.map(({ id, score, similarity }) => ({ id, score: Math.round(score * 1e5) / 1e5, similarity }))
    }
    await embedded(planned(owner), SEEN)
    const before = { hybrid: await scores('hybrid'), semantic: await scores('semantic') }
    expect(before.hybrid).toHaveLength(100)
    const texts = Array.from({ length: hidden }, (_, at) => `${cosineName(0.99 - at * 0.003)} tea`)
    await embedded(planned(owner), [...texts, 'n0p1 tea'], { visibility: 'private' })
    // The first search finds that the copy of the vectors is outdated, and asks again.
    expect(await scores('hybrid')).toEqual(before.hybrid)
    asked = 0
    expect(await scores('hybrid')).toEqual(before.hybrid)
    expect(asked).toBe(1)
    expect(await scores('semantic')).toEqual(before.semantic)
  })

  test.each(['hybrid', 'semantic'])(
    '%s: nor what a hit behind the wanted results lends to its neighbour',
    async (mode) => {
      const owner = await newTenant()
      const ctx = planned(await addMember(owner, 'editor'))
      const first = async () => (await find(ctx, 'kettle', { mode, limit: 5, include: ['score_breakdown'] })).results[0]
      await embedded(planned(owner), SEEN)
      const talk = { context: { conversation_id: 'talk' } }
      const [best] = await embedded(planned(owner), ['n0p8 kettle', `${cosineName(0.352)} milk`], talk)
      const before = await first()
      expect(before?.id).toBe(best)
      expect(before?.score_breakdown?.contributions.neighbor).toBeGreaterThan(0)
      const texts = Array.from({ length: 70 }, (_, at) => `${cosineName(0.99 - at * 0.002)} tea`)
      await embedded(planned(owner), texts, { visibility: 'private' })
      expect(await first()).toMatchObject({ id: best, score_breakdown: before?.score_breakdown })
    },
  )
})

test('an item that is not embedded yet ranks by its keywords among those that are', async () => {
  const user = await newTenant()
  const ctx = planned(user)
  const [near, far] = await embedded(ctx, ['n0p9 kettle', 'n0p3 kettle'])
  const { id } = await stored(ctx, 'n0p9 kettle')
  const { results, pending } = await find(ctx, 'kettle', { include: ['score_breakdown'] })
  expect(results.map((result) => result.id)).toEqual([near, far, id])
  expect(pending).toBe(1)
  expect(results[2]?.score_breakdown).toMatchObject({ semantic: null, keyword: { rank: expect.any(Number) } })
  expect(results[2]?.score_breakdown?.contributions.semantic).toBeCloseTo(0.3 * 0.8 * 0.3, 2)
})
