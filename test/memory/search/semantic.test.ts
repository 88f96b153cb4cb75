/** @module-tag long */
import { describe, expect, test } from 'vitest'
import { embeddedEmbedder } from '../../../src/backends/embedder.embedded.ts'
import { vectorizeIndex } from '../../../src/backends/vector-index.vectorize.ts'
import type { AuthContext, KeyPermission } from '../../../src/core/context.ts'
import type { Filter } from '../../../src/memory/filter/filter.ts'
import { SearchInput } from '../../../src/memory/search/search-schema.ts'
import { semanticHits } from '../../../src/memory/search/semantic.ts'
import { readScope, type ReadScope } from '../../../src/memory/filter/read-scope.ts'
import { ctxOf, embedded, find, idsOf, withTiers } from '../../support/search.ts'
import { VectorizeDouble } from '../../support/vectorize.ts'
import { newTenant, system, type Tenant } from '../../support/world.ts'
import { embeddingModel, withVectors } from '../../support/models.ts'

/** Records which tier was asked for what, in order. */
function watched(ctx: AuthContext) {
  const calls: string[] = []
  const projectVectors: AuthContext['projectVectors'] = (projectId, shard) => {
    const real = system.projectVectors(projectId, shard)
    return {
      ...real,
      query: (query) => (calls.push('object'), real.query(query)),
      score: (query, items) => (calls.push(`score ${items.length}`), real.score(query, items)),
    }
  }
  const { vectorIndex } = ctx
  const index = vectorIndex && {
    ...vectorIndex,
    query: (...args: Parameters<typeof vectorIndex.query>) => (calls.push('index'), vectorIndex.query(...args)),
  }
  return { ctx: withTiers(ctx, { projectVectors, vectorIndex: index }), calls }
}

const scopeOf = (user: Tenant, namespace = 'default', filter?: Filter, { principal } = ctxOf(user)) =>
  readScope(principal, user.projectId, { namespace }, filter)

const TAGGED: Filter = { tags: ['rare'], match: 'any' }

interface Asked {
  scope: ReadScope
  text: string
  floor?: number
  wanted?: number
}

const NONE_SEEN = { vectors_revision: null, hits: 0, reads_others: 0, unfiled: 0 } as const

/** `more`: the search asks for other hits where its caller may see none of these. */
async function hitsOf(ctx: AuthContext, { scope, text, floor = -1, wanted = 100 }: Asked) {
  const input = SearchInput.parse({ query: text })
  const question = {
    ...input,
    similarity_threshold: floor,
    terms: { present: [], earlier: () => [] },
    names: [],
    date: null,
    wanted,
  }
  const found = await semanticHits(ctx, scope, question, { keyword: 0, semantic: 1 })
  const again = () => found.again(NONE_SEEN)
  return { ...found, again, more: async () => (await again()) !== null }
}

const itemsOf = ({ hits }: Awaited<ReturnType<typeof hitsOf>>) => hits.map(({ item }) => item)

describe('a project that the object alone answers for', () => {
  test('one call, all items best first, each with its cosine; nothing more to come', async () => {
    const user = await newTenant()
    const ids = await embedded(ctxOf(user), ['a garden', 'a boiling kettle', 'the kettle'])
    const { ctx, calls } = watched(ctxOf(user))
    const found = await hitsOf(ctx, { scope: scopeOf(user), text: 'boiling kettle' })
    expect(calls).toEqual(['object'])
    expect(itemsOf(found)).toEqual([ids[1], ids[2], ids[0]])
    expect(found).toMatchObject({ degraded: false, vectorId: expect.stringMatching(/^qv_/) })
    expect(await found.more()).toBe(false)
    const cosines = found.hits.map(({ similarity }) => similarity)
    expect(cosines).toEqual([...cosines].sort((a, b) => b - a))
  })

  test('104 hits say that there may be more, unless the search asked for all', async () => {
    const user = await newTenant()
    await embedded(
      ctxOf(user),
      Array.from({ length: 105 }, (_, n) => `kettle ${n}`),
    )
    const wide = await hitsOf(ctxOf(user), { scope: scopeOf(user), text: 'kettle' })
    const all = await wide.again()
    expect([wide.hits.length, all?.hits.length]).toEqual([104, 105])
    expect(await all?.again(NONE_SEEN)).toBeNull()
    const narrow = await hitsOf(ctxOf(user), { scope: scopeOf(user, 'default', TAGGED), text: 'kettle' })
    expect([narrow.hits.length, await narrow.more()]).toEqual([105, false])
  })

  test('long turns leave room for a short one, in a search of all items and in a narrow one', async () => {
    const user = await newTenant()
    const ctx = ctxOf(user)
    const tagged = { tags: ['rare'] }
    const texts = Array.from({ length: 105 }, (_, n) => `kettle ${n}`)
    const long = await embedded(ctx, texts, tagged)
    const [short = ''] = await embedded(ctx, ['a kettle in the house'], tagged)
    const found = async (more: Record<string, unknown> = {}) =>
      idsOf(await find(ctx, 'kettle', { mode: 'semantic', limit: 100, ...more }))
    expect(await found()).not.toContain(short)
    const readers = long.map((item) => ({ item, version: 1, reader: '', turnWords: 100_000 }))
    expect(await system.projectVectors(user.projectId, '00').setReaders(readers)).toEqual([])
    expect(await found()).toContain(short)
    expect(await found({ filters: tagged })).toContain(short)
  })
})

test('only the wanted namespaces are searched, and of all namespaces only those that the key may read', async () => {
  const user = await newTenant()
  const ids: Record<string, string | undefined> = {}
  for (const namespace of ['a', 'b', 'c'])
    [ids[namespace]] = await embedded(ctxOf(user), ['kettle'], { context: { namespace } })
  const found = async (namespace: string, namespaces?: string[]) => {
    const own: KeyPermission = { project_id: user.projectId, access: 'read', namespaces }
    const ctx = ctxOf(user, namespaces ? { permissions: [own] } : {})
    return itemsOf(await hitsOf(ctx, { scope: scopeOf(user, namespace, undefined, ctx), text: 'kettle' }))
  }
  expect(await found('b')).toEqual([ids['b']])
  expect(new Set(await found('*'))).toEqual(new Set(Object.values(ids)))
  expect(new Set(await found('*', ['a', 'c']))).toEqual(new Set([ids['a'], ids['c']]))
})

test.each(['hybrid', 'semantic'])(
  'the offsets of a part come back with its hit: no %s search cuts a text, and the snippet is of that part',
  async (mode) => {
    const user = await newTenant()
    const filler = 'The meeting about the budget went on for a long time. '.repeat(40)
    await embedded(ctxOf(user), [`${filler}Ada is allergic to peanuts. ${filler}`])
    const cuts: string[] = []
    const ctx = ctxOf(user, { embeddingModel: { ...embeddingModel, chunks: (text) => (cuts.push(text), []) } })
    const { results } = await find(ctx, 'peanut allergy of Ada', { mode })
    expect(results[0]?.snippet).toContain('peanuts')
    expect(cuts).toEqual([])
  },
)

describe('a project larger than the exact tier', () => {
  const EXACT_TIER_MAX = 2

  async function arrange() {
    const user = await newTenant()
    const double = new VectorizeDouble(embeddedEmbedder.dimension)
    const config = { ...system.config, exactTierMax: EXACT_TIER_MAX }
    const base = ctxOf(user, { vectorIndex: vectorizeIndex(double, embeddedEmbedder.model), config })
    const old = await embedded(base, ['a kettle', 'a boiling kettle', 'the kettle boils'])
    double.flush()
    const later = withTiers(base, { now: () => system.now() + 3_600_000 })
    return { user, double, base, later, old }
  }

  test('the index answers, with what the object has that is newer than the index may know', async () => {
    const { user, base, later, old } = await arrange()
    const { ctx, calls } = watched(later)
    const found = await hitsOf(ctx, { scope: scopeOf(user), text: 'boiling kettle' })
    expect(calls).toEqual(['object', 'index', 'score 3'])
    expect(itemsOf(found).sort()).toEqual([...old].sort())
    expect(await found.more()).toBe(true)
    const exact = await hitsOf(withTiers(base, { vectorIndex: null }), { scope: scopeOf(user), text: 'boiling kettle' })
    // The rarity of pieces is the model's alone, so scores of meaning are others.
    const withoutScore = ({ hits }: typeof found) => hits.map((hit) => ({ ...hit, semantic: null }))
    expect(withoutScore(found)).toEqual(withoutScore(exact))
    expect(found.hits.map(({ offsets, similarity, semantic }) => [offsets?.start, semantic === similarity])).toEqual([
      [0, false],
      [0, false],
      [0, false],
    ])
    const [fresh] = await embedded(base, ['a boiling kettle of today'])
    const both = await hitsOf(base, { scope: scopeOf(user), text: 'boiling kettle' })
    expect(itemsOf(both)).toHaveLength(4)
    expect(new Set(itemsOf(both))).toEqual(new Set([...old, fresh]))
  })

  test('where the index answers hits below the floor, there are no more above it', async () => {
    const { user, later, old } = await arrange()
    const { ctx } = watched(later)
    const found = async (floor: number) => {
      const { hits, more } = await hitsOf(ctx, { scope: scopeOf(user), text: 'boiling kettle', floor })
      return { hits: hits.length, more: await more() }
    }
    expect(await found(-1)).toEqual({ hits: old.length, more: true })
    expect(await found(1.1)).toEqual({ hits: 0, more: false })
  })

  test('the object scores the candidates of a narrow search, whatever other items are more similar', async () => {
    const { user, base, later } = await arrange()
    const [rare] = await embedded(base, ['nothing alike'], { tags: ['rare'] })
    const { ctx, calls } = watched(later)
    const found = await hitsOf(ctx, { scope: scopeOf(user, 'default', TAGGED), text: 'boiling kettle' })
    expect(calls).toEqual(['object', 'score 1'])
    expect(itemsOf(found)).toEqual([rare])
    expect(await found.more()).toBe(false)
  })

  test('contract §3: in a namespace that is too long for the index, a search finds its own items alone', async () => {
    const { user, double, base, later } = await arrange()
    const long = 'n'.repeat(127)
    const [own] = await embedded(base, ['a boiling kettle'], { context: { namespace: `${long}1` } })
    await embedded(base, ['a boiling kettle', 'boiling kettle'], { context: { namespace: `${long}2` } })
    double.flush()
    const { results } = await find(later, 'boiling kettle', { mode: 'semantic', context: { namespace: `${long}1` } })
    expect(results.map(({ id }) => id)).toEqual([own])
    expect(itemsOf(await hitsOf(later, { scope: scopeOf(user, `${long}1`), text: 'boiling kettle' }))).toContain(own)
  })

  test('more candidates than the object scores are left to the index', async () => {
    const { user, double, base, later } = await arrange()
    const many = await embedded(base, ['one', 'two', 'three'], { tags: ['rare'] })
    double.flush()
    const { ctx, calls } = watched(later)
    const found = await hitsOf(ctx, { scope: scopeOf(user, 'default', TAGGED), text: 'one two three' })
    expect(calls).toEqual(['object', 'object', 'index', 'score 6'])
    expect(itemsOf(found)).toEqual(expect.arrayContaining(many))
  })

  test('hits of a model without pieces are not scored again', async () => {
    const { base } = await arrange()
    const other = await newTenant()
    const { vectorIndex, config } = base
    const own = ctxOf(other, {
      vectorIndex,
      config,
      embeddingModel: withVectors(embeddedEmbedder, (vectors) => vectors),
    })
    const ids = await embedded(own, ['a kettle', 'a pot', 'a pan'])
    const { ctx, calls } = watched(own)
    const found = await hitsOf(ctx, { scope: scopeOf(other), text: 'kettle' })
    expect(calls).toEqual(['object', 'index'])
    expect(itemsOf(found).sort()).toEqual([...ids].sort())
    for (const { similarity, semantic } of found.hits) expect(semantic).toBe(similarity)
  })

  test('without an index the object answers alone, and filters cost no recall either', async () => {
    const { user, base } = await arrange()
    const [rare] = await embedded(base, ['nothing alike'], { tags: ['rare'] })
    const { ctx, calls } = watched(withTiers(base, { vectorIndex: null }))
    expect(itemsOf(await hitsOf(ctx, { scope: scopeOf(user), text: 'boiling kettle' }))).toHaveLength(4)
    expect(itemsOf(await hitsOf(ctx, { scope: scopeOf(user, 'default', TAGGED), text: 'boiling kettle' }))).toContain(
      rare,
    )
    expect(calls).toEqual(['object', 'object', 'score 1'])
    await embedded(base, ['one', 'two'], { tags: ['rare'] })
    expect(
      itemsOf(await hitsOf(ctx, { scope: scopeOf(user, 'default', TAGGED), text: 'boiling kettle' })),
    ).toHaveLength(6)
    expect(calls.slice(3)).toEqual(['object', 'object'])
  })
})
