/** @module-tag shards */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { embeddedEmbedder } from '../../src/backends/embedder.embedded.ts'
import type { ProjectVectors, VectorEntry, VectorHit } from '../../src/core/vectors.ts'
import { system } from '../support/world.ts'

const MODEL = embeddedEmbedder.model
const WORDS = [
  'walnut',
  'rent',
  'boiler',
  'cat',
  'flight',
  'bridge',
  'garden',
  'dust',
  'kitchen',
  'river',
  'engine',
  'piano',
]

const embeddings = await embeddedEmbedder.embed(WORDS.map((word) => `The ${word} is here.`))
const [question] = await embeddedEmbedder.embed(['Where is the piano?'])
if (!question) throw new Error('the model knows nothing of the question')

/** An item of so many chunks. */
const item = (name: string, chunks: number, version = 1): VectorEntry[] =>
  Array.from({ length: chunks }, (_, chunk) => {
    const { values, pieces } = embeddings[(chunk + name.length + version) % WORDS.length] ?? question
    const offsets = { start: 10 * chunk, end: 10 * chunk + 9 }
    return { item: name, row: 5, version, chunk, offsets, namespace: 'default', values, pieces }
  })

const newProject = (): { id: string; vectors: ProjectVectors } => {
  const id = system.newId('prj')
  return { id, vectors: system.projectVectors(id, '00') }
}

const ask = { model: MODEL, vector: question.values, pieces: question.pieces, limit: 100, namespaces: null }
const find = async (vectors: ProjectVectors) => (await vectors.query({ ...ask, exactMax: 10_000, freshFrom: 0 })).hits
/** Chunks of an item repeat, and which of two equal ones a hit tells depends on where they lie. */
const scores = (hits: readonly VectorHit[]) =>
  hits.map(({ item, row, version, similarity, semantic, chunk, offsets }) => ({
    item,
    row,
    version,
    similarity,
    semantic,
    ofItsChunk: offsets?.start === 10 * chunk,
  }))
const evict = (id: string) => evictDurableObject(env.PROJECT_VECTORS.getByName(id))

/** What is stored: where each run lies. */
const runsIn = (id: string) =>
  runInDurableObject(env.PROJECT_VECTORS.getByName(id), (_, { storage }) =>
    storage.sql
      .exec<{ slot: number; length: number; item: string; chunk: number }>(
        'select slot, length, item, chunk from runs order by slot',
      )
      .toArray()
      .map(({ slot, length, item, chunk }) => [slot, length, item, chunk]),
  )

test('a text of 256 chunks writes a row for each page that it fills', async () => {
  const { id, vectors } = newProject()
  await vectors.put(MODEL, [...item('mem_a', 3), ...item('mem_b', 256)])
  expect(await runsIn(id)).toEqual([
    [0, 3, 'mem_a', 0],
    [3, 61, 'mem_b', 0],
    [64, 64, 'mem_b', 61],
    [128, 64, 'mem_b', 125],
    [192, 64, 'mem_b', 189],
    [256, 3, 'mem_b', 253],
  ])
  expect(await vectors.names([{ item: 'mem_b' }])).toEqual(
    Array.from({ length: 256 }, (_, chunk) => `mem_b:1:${chunk}`),
  )
})

test('a run takes the slots that are free, be they few', async () => {
  const { id, vectors } = newProject()
  await vectors.put(MODEL, [...item('mem_a', 2), ...item('mem_b', 59), ...item('mem_c', 1), ...item('mem_d', 2)])
  await vectors.remove([{ item: 'mem_a' }, { item: 'mem_c' }])
  await vectors.put(MODEL, item('mem_e', 5))
  expect((await runsIn(id)).filter(([, , name]) => name === 'mem_e')).toEqual([
    [0, 2, 'mem_e', 0],
    [61, 1, 'mem_e', 2],
    [64, 2, 'mem_e', 3],
  ])
  expect(await vectors.names([{ item: 'mem_e' }])).toEqual([0, 1, 2, 3, 4].map((chunk) => `mem_e:1:${chunk}`))
  const hits = await find(vectors)
  expect(hits.map(({ item }) => item).sort()).toEqual(['mem_b', 'mem_d', 'mem_e'])
  await evict(id)
  expect(await find(vectors)).toEqual(hits)
})

test('chunks are found where they came to lie, each with its own vector', async () => {
  const { id, vectors } = newProject()
  await vectors.put(MODEL, [...item('mem_aa', 2), ...item('mem_b', 60), ...item('mem_cc', 2)])
  await vectors.remove([{ item: 'mem_aa' }, { item: 'mem_cc' }])
  const entries = item('mem_e', WORDS.length)
  await vectors.put(MODEL, entries)
  const found = async () => {
    const chunks: (number | undefined)[] = []
    for (const { values } of entries) {
      const query = { ...ask, vector: values, pieces: null, limit: 1 }
      const [hit] = await vectors.score(query, ['mem_e'])
      expect(hit?.similarity).toBeCloseTo(1, 2)
      chunks.push(hit?.chunk)
    }
    return chunks
  }
  expect(await found()).toEqual(entries.map(({ chunk }) => chunk))
  await evict(id)
  expect(await found()).toEqual(entries.map(({ chunk }) => chunk))
})

test('score reads more scattered chunks than a page has slots', async () => {
  const { id, vectors } = newProject()
  const wanted = Array.from({ length: 8 }, (_, nth) => `mem_wanted${nth}`)
  // Fewer chunks of a page than are worth to read all of it.
  for (const [nth, name] of wanted.entries()) {
    await vectors.put(MODEL, item(name, 15))
    await vectors.put(MODEL, item(`mem_other${nth}`, 49))
  }
  const inMemory = await vectors.score(ask, wanted)
  expect(inMemory.map(({ item }) => item).sort()).toEqual(wanted)
  await evict(id)
  expect(await vectors.score(ask, wanted)).toEqual(inMemory)
})

test('an object takes the entries that a Worker of an older version sends', async () => {
  const [{ id, vectors }, other] = [newProject(), newProject()]
  const entries = [...item('mem_a', 3), ...item('mem_b', 70)]
  await other.vectors.put(MODEL, entries)
  await env.PROJECT_VECTORS.getByName(id).put(MODEL, entries)
  expect(await runsIn(id)).toEqual(await runsIn(other.id))
  expect(await find(vectors)).toEqual(await find(other.vectors))
})

test('whatever is put and removed, an object answers what one with the last state alone does', async () => {
  const put = fc.record({ name: fc.nat(5), chunks: fc.integer({ min: 1, max: 90 }) })
  const change = fc.oneof({ weight: 3, arbitrary: put }, { weight: 1, arbitrary: fc.record({ removed: fc.nat(5) }) })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      const [{ id, vectors }, fresh] = [newProject(), newProject()]
      const last = new Map<string, VectorEntry[]>()
      for (const [nth, one] of changes.entries()) {
        if ('removed' in one) {
          await vectors.remove([{ item: `mem_${one.removed}` }])
          last.delete(`mem_${one.removed}`)
        } else {
          const entries = item(`mem_${one.name}`, one.chunks, nth + 1)
          await vectors.put(MODEL, entries)
          last.set(`mem_${one.name}`, entries)
        }
        // Counts and pages are in memory from the first query on.
        if (nth === 0) await find(vectors)
      }
      await fresh.vectors.put(MODEL, [...last.values()].flat())
      const expected = scores(await find(fresh.vectors))
      expect(expected).toHaveLength(last.size)
      expect(scores(await find(vectors))).toEqual(expected)
      await evict(id)
      const some = [...last.keys()].filter((_, nth) => nth % 2 === 0)
      const ofSome = expected.filter((hit) => some.includes(hit.item))
      // Before any page is in memory, and after.
      expect(scores(await vectors.score(ask, some))).toEqual(ofSome)
      expect(scores(await find(vectors))).toEqual(expected)
      expect(scores(await vectors.score(ask, some))).toEqual(ofSome)
    }),
    { numRuns: 8 },
  )
})
