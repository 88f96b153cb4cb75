/** @module-tag shards */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { expect, test } from 'vitest'
import type { ProjectVectors, VectorEntry, ExactQuery } from '../../src/core/vectors.ts'
import { system } from '../support/world.ts'

const DIMENSION = 32
const MODEL = 'test/model'

/** Deterministic unit vectors. */
function unit(seed: number): Float32Array {
  const values = Float32Array.from(
    { length: DIMENSION },
    (_, at) => (Math.sin(seed * 12.9898 + at * 78.233) * 43_758.5453) % 1,
  )
  const norm = Math.hypot(...values)
  return values.map((value) => value / norm)
}

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

const entry = (item: string, seed: number, more: Partial<VectorEntry> = {}): VectorEntry => ({
  item,
  version: 1,
  chunk: 0,
  namespace: 'default',
  reader: '',
  values: unit(seed),
  offsets: { start: 0, end: 9 },
  pieces: null,
  ...more,
})

const newProject = (): { id: string; vectors: ProjectVectors } => {
  const id = system.newId('prj')
  return { id, vectors: system.projectVectors(id, '00') }
}

const find = async (vectors: ProjectVectors, seed: number, more: Partial<ExactQuery> = {}) => {
  const query = {
    model: MODEL,
    vector: unit(seed),
    pieces: null,
    limit: 10,
    namespaces: null,
    exactMax: 10_000,
    freshFrom: 0,
  }
  return (await vectors.query({ ...query, ...more })).hits
}

test('the next query finds a vector that was put, with its cosine, version and chunk', async () => {
  const { vectors } = newProject()
  await vectors.put(MODEL, [entry('mem_a', 1, { version: 3, chunk: 2, row: 7 }), entry('mem_b', 2)])
  const hits = await find(vectors, 1)
  expect(hits.map(({ item }) => item)).toEqual(['mem_a', 'mem_b'])
  expect(hits[0]).toEqual({
    item: 'mem_a',
    row: 7,
    version: 3,
    chunk: 2,
    offsets: { start: 0, end: 9 },
    similarity: expect.closeTo(1, 2),
    semantic: null,
  })
  expect(hits[1]?.similarity).toBeCloseTo(cosine(unit(1), unit(2)), 2)
})

test('the order of 300 vectors over several pages is that of the exact cosines, as far as bytes allow', async () => {
  const { vectors } = newProject()
  const seeds = Array.from({ length: 300 }, (_, at) => at + 10)
  await vectors.put(
    MODEL,
    seeds.map((seed) => entry(`mem_${seed}`, seed)),
  )
  const exact = new Map(seeds.map((seed) => [`mem_${seed}`, cosine(unit(5), unit(seed))]))
  const hits = await find(vectors, 5, { limit: 50 })
  expect(hits).toHaveLength(50)
  for (const { item, similarity } of hits) expect(similarity).toBeCloseTo(exact.get(item) ?? NaN, 1)
  const worst = Math.min(...hits.map(({ item }) => exact.get(item) ?? NaN))
  const missed = [...exact].filter(([item, value]) => value > worst + 0.02 && !hits.some((hit) => hit.item === item))
  expect(missed).toEqual([])
})

test('an item is one hit, with its best chunk', async () => {
  const { vectors } = newProject()
  await vectors.put(MODEL, [entry('mem_a', 1), entry('mem_a', 2, { chunk: 1 }), entry('mem_a', 3, { chunk: 2 })])
  expect(await find(vectors, 2)).toEqual([
    {
      item: 'mem_a',
      version: 1,
      chunk: 1,
      offsets: { start: 0, end: 9 },
      similarity: expect.closeTo(1, 2),
      semantic: null,
    },
  ])
})

test('a newer version replaces the older one; an older one that comes late is ignored', async () => {
  const { vectors } = newProject()
  await vectors.put(MODEL, [entry('mem_a', 1), entry('mem_a', 2, { chunk: 1 })])
  await vectors.put(MODEL, [entry('mem_a', 3, { version: 2 })])
  expect(await vectors.names([{ item: 'mem_a' }])).toEqual(['mem_a:2:0'])
  await vectors.put(MODEL, [entry('mem_a', 1, { version: 1 })])
  expect(await vectors.names([{ item: 'mem_a' }])).toEqual(['mem_a:2:0'])
  expect(await find(vectors, 3)).toEqual([
    {
      item: 'mem_a',
      version: 2,
      chunk: 0,
      offsets: { start: 0, end: 9 },
      similarity: expect.closeTo(1, 2),
      semantic: null,
    },
  ])
})

test('the same version put again is stored once', async () => {
  const { vectors } = newProject()
  await vectors.put(MODEL, [entry('mem_a', 1), entry('mem_a', 2, { chunk: 1 })])
  await vectors.put(MODEL, [entry('mem_a', 1)])
  expect(await vectors.names([{ item: 'mem_a' }])).toEqual(['mem_a:1:0'])
})

test('namespaces and models are kept apart', async () => {
  const { vectors } = newProject()
  await vectors.put(MODEL, [entry('mem_a', 1, { namespace: 'left' }), entry('mem_b', 1, { namespace: 'right' })])
  await vectors.put('other/model', [entry('mem_c', 1)])
  expect((await find(vectors, 1, { namespaces: ['right'] })).map(({ item }) => item)).toEqual(['mem_b'])
  expect(await find(vectors, 1, { namespaces: [] })).toEqual([])
  expect((await find(vectors, 1)).map(({ item }) => item)).toEqual(['mem_a', 'mem_b'])
  expect((await find(vectors, 1, { model: 'other/model' })).map(({ item }) => item)).toEqual(['mem_c'])
})

test("a query compares what the project may read and what is the reader's own; others' parts where it says so", async () => {
  const { vectors } = newProject()
  const kept = await vectors.put(MODEL, [
    entry('mem_open', 1),
    entry('mem_own', 2, { reader: 'usr_a' }),
    entry('mem_hidden', 3, { reader: 'usr_b' }),
    entry('mem_old', 4, { reader: null }),
  ])
  expect(kept).toBe(true)
  const items = async (more: Partial<ExactQuery>) => (await find(vectors, 1, more)).map(({ item }) => item).sort()
  expect(await items({ reader: 'usr_a' })).toEqual(['mem_open', 'mem_own'])
  expect(await items({ reader: 'usr_c' })).toEqual(['mem_open'])
  expect(await items({ reader: 'usr_a', others: true })).toEqual(['mem_hidden', 'mem_old', 'mem_open', 'mem_own'])
  expect(await items({ reader: null })).toEqual(['mem_hidden', 'mem_old', 'mem_open', 'mem_own'])
  expect(await items({})).toEqual(['mem_hidden', 'mem_old', 'mem_open', 'mem_own'])
  const ask = { model: MODEL, vector: unit(1), pieces: null, limit: 10, namespaces: null, reader: 'usr_b' }
  const scored = await vectors.score(ask, ['mem_own', 'mem_hidden'])
  expect(scored.map(({ item }) => item)).toEqual(['mem_hidden'])
})

test('readers and words are set of the version that is stored, and outlive the object; of others it says that they are missing', async () => {
  const { id, vectors } = newProject()
  const old = { reader: null }
  await vectors.put(MODEL, [
    entry('mem_a', 1, old),
    entry('mem_a', 2, { ...old, chunk: 1 }),
    entry('mem_b', 3, { ...old, version: 2 }),
    entry('mem_c', 4, { ...old, turnWords: 300 }),
  ])
  const items = async () => (await find(vectors, 1, { reader: 'usr_a' })).map(({ item }) => item).sort()
  expect(await items()).toEqual([])
  const readers = [
    { item: 'mem_a', version: 1, reader: 'usr_a', turnWords: 400 },
    { item: 'mem_b', version: 1, reader: '' },
    { item: 'mem_c', version: 1, reader: '' },
    { item: 'mem_none', version: 1, reader: '' },
  ]
  expect((await vectors.setReaders(readers)).sort()).toEqual(['mem_b', 'mem_none'])
  expect(await items()).toEqual(['mem_a', 'mem_c'])
  await evictDurableObject(env.PROJECT_VECTORS.getByName(id))
  expect(await items()).toEqual(['mem_a', 'mem_c'])
  const entries = await vectors.entries([{ item: 'mem_a' }, { item: 'mem_c', version: 1 }])
  expect(
    entries.map(({ item, chunk, reader, turnWords, offsets }) => [item, chunk, reader, turnWords, offsets.end]),
  ).toEqual([
    ['mem_a', 0, 'usr_a', 400, 9],
    ['mem_a', 1, 'usr_a', 400, 9],
    ['mem_c', 0, '', 300, 9],
  ])
  expect(cosine(entries[1]?.values ?? unit(0), unit(2))).toBeCloseTo(1, 3)
  const empty = newProject().vectors
  expect(await empty.setReaders(readers.slice(3))).toEqual(['mem_none'])
  expect(await empty.entries([{ item: 'mem_a' }])).toEqual([])
})

test('score scans the named items only', async () => {
  const { vectors } = newProject()
  await vectors.put(MODEL, [entry('mem_a', 1), entry('mem_b', 2), entry('mem_c', 3)])
  const hits = await vectors.score({ model: MODEL, vector: unit(1), pieces: null, limit: 10, namespaces: null }, [
    'mem_b',
    'mem_c',
    'mem_x',
  ])
  expect(hits.map(({ item }) => item).sort()).toEqual(['mem_b', 'mem_c'])
})

test('hits have at least the cosine of the floor', async () => {
  const { vectors } = newProject()
  await vectors.put(MODEL, [entry('mem_a', 1), entry('mem_b', 2), entry('mem_c', 3)])
  const all = await find(vectors, 1)
  const floor = all[1]?.similarity ?? NaN
  expect(await find(vectors, 1, { floor })).toEqual(all.slice(0, 2))
  expect(await find(vectors, 1, { floor: null })).toEqual(all)
  const ask = { model: MODEL, vector: unit(1), pieces: null, limit: 10, namespaces: null, floor }
  expect(await vectors.score(ask, ['mem_b', 'mem_c'])).toEqual(all.slice(1, 2))
})

test('removed vectors are gone, and their slots are used again', async () => {
  const { id, vectors } = newProject()
  await vectors.put(MODEL, [entry('mem_a', 1), entry('mem_b', 2)])
  await vectors.remove([{ item: 'mem_a', version: 1 }, { item: 'mem_x' }])
  expect((await find(vectors, 1)).map(({ item }) => item)).toEqual(['mem_b'])
  const read = () =>
    runInDurableObject(env.PROJECT_VECTORS.getByName(id), (_, state) => {
      const pages = state.storage.sql.exec<{ used: number }>('select used from pages').toArray()
      const runs = state.storage.sql.exec<{ item: string }>('select item from runs order by slot').toArray()
      return { used: pages.map(({ used }) => used), items: runs.map(({ item }) => item) }
    })
  expect(await read()).toEqual({ used: [1], items: ['mem_b'] })
  await vectors.put(MODEL, [entry('mem_c', 3)])
  expect(await read()).toEqual({ used: [2], items: ['mem_c', 'mem_b'] })
})

test('removal up to a version spares a newer one', async () => {
  const { vectors } = newProject()
  await vectors.put(MODEL, [entry('mem_a', 1, { version: 5 })])
  await vectors.remove([{ item: 'mem_a', version: 4 }])
  expect(await vectors.names([{ item: 'mem_a' }])).toEqual(['mem_a:5:0'])
})

test('above exactMax only fresh vectors are scored, and the answer says that it is not complete', async () => {
  const { vectors } = newProject()
  await vectors.put(MODEL, [entry('mem_a', 1), entry('mem_b', 2)])
  const query = { model: MODEL, vector: unit(1), pieces: null, limit: 10, namespaces: null, exactMax: 1 }
  expect(await vectors.query({ ...query, freshFrom: system.now() + 60_000 })).toEqual({
    hits: [],
    complete: false,
    copied: false,
  })
  const fresh = await vectors.query({ ...query, freshFrom: system.now() - 60_000 })
  expect(fresh.hits.map(({ item }) => item)).toEqual(['mem_a', 'mem_b'])
})

test('vectors outlive the eviction of the object', async () => {
  const { id, vectors } = newProject()
  await vectors.put(MODEL, [entry('mem_a', 1)])
  await evictDurableObject(env.PROJECT_VECTORS.getByName(id))
  expect((await find(vectors, 1)).map(({ item }) => item)).toEqual(['mem_a'])
})

test('every byte outlives it, zeros too, and after other vectors were removed', async () => {
  const { id, vectors } = newProject()
  const oneHot = (dimension: number) => Float32Array.from({ length: DIMENSION }, (_, at) => (at === dimension ? -1 : 0))
  const all = Array.from({ length: 200 }, (_, n) =>
    entry(`mem_${n}`, n, {
      namespace: `it's "${n % 3}"`,
      chunk: n % 5,
      ...(n % 4 === 0 ? { values: oneHot(n % DIMENSION) } : {}),
    }),
  )
  await vectors.put(MODEL, all)
  await vectors.remove(all.filter((_, n) => n % 7 === 3).map(({ item }) => ({ item })))
  const everything = () => find(vectors, 1, { limit: 1_000, namespaces: [`it's "0"`, `it's "1"`] })
  const before = await everything()
  expect(before.length).toBeGreaterThan(100)
  await evictDurableObject(env.PROJECT_VECTORS.getByName(id))
  expect(await everything()).toEqual(before)
  await vectors.put(MODEL, [entry('mem_new', 1, { namespace: `it's "0"` })])
  await evictDurableObject(env.PROJECT_VECTORS.getByName(id))
  const [best, ...others] = before.map(({ item }) => item)
  expect((await everything()).map(({ item }) => item)).toEqual([best, 'mem_new', ...others])
})

test('a query to a project without vectors finds none and leaves no tables behind', async () => {
  const { id, vectors } = newProject()
  expect(await find(vectors, 1)).toEqual([])
  expect(await vectors.items(10)).toEqual([])
  const tables = await runInDurableObject(env.PROJECT_VECTORS.getByName(id), (_, state) =>
    state.storage.sql.exec<{ name: string }>('select name from sqlite_master').toArray(),
  )
  expect(tables.filter(({ name }) => !name.startsWith('_cf_'))).toEqual([])
})
