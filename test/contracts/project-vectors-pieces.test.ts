/** @module-tag shards */
import { env } from 'cloudflare:workers'
import { evictDurableObject } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pieceTable } from '../../src/backends/embedded/piece-table.ts'
import { embeddedEmbedder } from '../../src/backends/embedder.embedded.ts'
import { tableFor } from '../../src/backends/project-vectors/pieces/piece-tables.ts'
import type { Embedding, ProjectVectors, VectorEntry, VectorQuery } from '../../src/core/vectors.ts'
import { plainLateInteraction } from '../support/plain-late-interaction.ts'
import { travel } from '../support/clock.ts'
import { system } from '../support/world.ts'

const MODEL = embeddedEmbedder.model
const TEXTS = [
  'The allergy of our youngest is to walnuts, and she carries an injector.',
  'Rent goes out on the third of each month from the joint account.',
  'The boiler was serviced in October; the engineer was called Marek.',
  'Our cat sleeps on the boiler and answers to Biscuit.',
  'Flights to Lisbon are booked for the ninth of May.',
  'Grandmother plays bridge on Tuesdays with the neighbours.',
  'The spare key hangs behind the garden shed.',
  'He is allergic to penicillin and to dust.',
]
const QUESTION = 'What is the child allergic to?'

const embed = async (text: string): Promise<Embedding> => {
  const [embedding] = await embeddedEmbedder.embed([text])
  if (!embedding) throw new Error('the model knows nothing of the text')
  return embedding
}
const texts = await Promise.all(TEXTS.map(embed))
const question = await embed(QUESTION)

const entry = (nth: number, more: Partial<VectorEntry> = {}): VectorEntry => {
  const { values, pieces } = texts[nth] ?? question
  const offsets = { start: 10 * nth, end: 10 * nth + 7 }
  return {
    item: `mem_${nth}`,
    version: 1,
    chunk: 0,
    offsets,
    namespace: 'default',
    reader: '',
    values,
    pieces,
    ...more,
  }
}

const newProject = (): { id: string; vectors: ProjectVectors } => {
  const id = system.newId('prj')
  return { id, vectors: system.projectVectors(id, '00') }
}

const ask = {
  model: MODEL,
  vector: question.values,
  pieces: question.pieces,
  limit: 100,
  namespaces: null,
  reader: 'usr_a',
}
const find = async (vectors: ProjectVectors, more: Partial<VectorQuery> = {}) =>
  (await vectors.query({ ...ask, ...more, exactMax: 10_000, freshFrom: 0 })).hits
const evict = (id: string) => evictDurableObject(env.PROJECT_VECTORS.getByName(id))

/** What the model's card says of each of some parts, where these are counted. */
async function plainScores(parts: readonly VectorEntry[], counted = parts): Promise<number[]> {
  const table = await pieceTable()
  const lists = parts.map(({ pieces }) => [...(pieces ?? [])])
  const counts = {
    parts: 200 + counted.length,
    of: (piece: number) =>
      200 * table.frequencyOf(piece) + counted.filter(({ pieces }) => pieces?.includes(piece)).length,
  }
  return parts.map(({ values }, nth) => {
    const similarity = values.reduce((sum, value, at) => sum + value * (question.values[at] ?? NaN), 0)
    return (similarity + plainLateInteraction(table, question.pieces ?? [], counts, lists[nth] ?? [])) / 2
  })
}

test('a query scores its hits by half the cosine and half the late interaction, and orders them by their cosines', async () => {
  const { vectors } = newProject()
  const parts = TEXTS.map((_, nth) => entry(nth))
  await vectors.put(MODEL, parts)
  const plain = await plainScores(parts)
  const hits = await find(vectors)
  expect(hits).toHaveLength(TEXTS.length)
  parts.forEach(({ item }, nth) => {
    expect(hits.find((hit) => hit.item === item)?.semantic).toBeCloseTo(plain[nth] ?? NaN, 2)
  })
  const similarities = hits.map(({ similarity }) => similarity)
  expect(similarities).toEqual([...similarities].sort((a, b) => b - a))
  expect(hits.find(({ item }) => item === 'mem_7')?.offsets).toEqual({ start: 70, end: 77 })
  const cosines = new Map((await find(vectors, { pieces: null })).map(({ item, similarity }) => [item, similarity]))
  expect(new Map(hits.map(({ item, similarity }) => [item, similarity]))).toEqual(cosines)
})

test('contract §3: parts that the caller may not read move no score, and score parts that they may', async () => {
  const open = [0, 2, 3].map((nth) => entry(nth))
  const own = [entry(1, { reader: 'usr_a' })]
  const hidden = [4, 5, 6].map((nth) => entry(nth, { reader: 'usr_b', pieces: question.pieces }))
  const { vectors } = newProject()
  await vectors.put(MODEL, [...open, ...own])
  const before = await find(vectors)
  await vectors.put(MODEL, [...hidden, entry(7, { namespace: 'other' })])
  expect(await find(vectors, { namespaces: ['default'] })).toEqual(before)
  const all = await find(vectors, { namespaces: ['default'], others: true })
  expect(all).toHaveLength(7)
  expect(all.filter(({ item }) => before.some((hit) => hit.item === item))).toEqual(before)
  const plain = await plainScores(hidden, [...open, ...own])
  hidden.forEach(({ item }, nth) => {
    expect(all.find((hit) => hit.item === item)?.semantic).toBeCloseTo(plain[nth] ?? NaN, 2)
  })
})

test("parts without a reader are all compared, and rarity is the model's", async () => {
  const { vectors } = newProject()
  const parts = [0, 1, 7].map((nth) => entry(nth, { reader: nth === 1 ? 'usr_b' : null }))
  await vectors.put(MODEL, parts)
  const plain = await plainScores(parts, [])
  const hits = await find(vectors, { reader: null })
  expect(hits).toHaveLength(3)
  parts.forEach(({ item }, nth) => {
    expect(hits.find((hit) => hit.item === item)?.semantic).toBeCloseTo(plain[nth] ?? NaN, 2)
  })
})

test('score gives the named items what the model states, whether their pages are in memory or not', async () => {
  const { id, vectors } = newProject()
  await vectors.put(
    MODEL,
    Array.from({ length: 200 }, (_, nth) =>
      entry(nth % TEXTS.length, { item: `mem_${nth}`, namespace: `n${nth % 2}` }),
    ),
  )
  const wanted = ['mem_2', 'mem_67', 'mem_131', 'mem_199', 'mem_none']
  const of = (hits: Awaited<ReturnType<typeof find>>) => hits.filter(({ item }) => wanted.includes(item))
  const expected = of(await find(vectors, { limit: 200, reader: null }))
  expect(expected).toHaveLength(4)
  expect(await vectors.score(ask, wanted)).toEqual(expected)
  await evict(id)
  expect(await vectors.score(ask, wanted)).toEqual(expected)
  await evict(id)
  const odd = expected.filter(({ item }) => item !== 'mem_2')
  expect(await vectors.score({ ...ask, namespaces: ['n1'] }, wanted)).toEqual(odd)
})

test('long turns do not crowd out a short one, whichever way they are scored, and keep their scores', async () => {
  const { id, vectors } = newProject()
  const turns = Array.from({ length: 104 }, (_, nth) => entry(7, { item: `mem_turn_${nth}`, turnWords: 100_000 }))
  const short = entry(0, { turnWords: 12 })
  await vectors.put(MODEL, [...turns.map((turn) => ({ ...turn, turnWords: 0 })), short])
  const items = turns.map(({ item }) => item)
  const answers = async (revision: number) => {
    const named = [...items, 'mem_0']
    const cold = await vectors.score({ ...ask, limit: 104 }, named)
    const asked = await find(vectors, { limit: 104 })
    const copied = await vectors.query({ ...ask, limit: 104, exactMax: 10_000, freshFrom: 0, revision })
    const fresh = await vectors.query({ ...ask, limit: 104, exactMax: 10, freshFrom: 1 })
    expect(copied.copied).toBe(true)
    return [cold, asked, copied.hits, fresh.hits, await vectors.score({ ...ask, limit: 104 }, named)]
  }
  const itemsOf = (hits: readonly { item: string }[]) => hits.map(({ item }) => item)
  for (const hits of await answers(1)) expect(itemsOf(hits).sort()).toEqual(items.toSorted())
  await vectors.put(MODEL, turns)
  travel(60_000)
  await evict(id)
  for (const hits of await answers(2)) {
    expect(hits).toHaveLength(104)
    expect(hits[0]).toMatchObject({ item: 'mem_0' })
    expect(hits[0]?.similarity).toBeLessThan(hits[1]?.similarity ?? NaN)
  }
  const unscaled = await find(vectors, { limit: 104, pieces: null })
  expect(itemsOf(unscaled).sort()).toEqual(items.toSorted())
})

test('an item counts by its best cosine and its best late interaction; the offsets are those of its best cosine', async () => {
  const { vectors } = newProject()
  // The part that is most like the question in one way is not the one that is so in the other.
  const parts = [entry(1), entry(7, { pieces: texts[4]?.pieces ?? null }), entry(4, { pieces: question.pieces })]
  const chunks = parts.map((part, chunk) => ({ ...part, item: 'mem_a', chunk }))
  await vectors.put(MODEL, chunks)
  const plain = await plainScores(chunks)
  const cosines = chunks.map(({ values }) => values.reduce((sum, v, at) => sum + v * (question.values[at] ?? NaN), 0))
  const interactions = plain.map((score, nth) => 2 * score - (cosines[nth] ?? NaN))
  expect(cosines.indexOf(Math.max(...cosines))).toBe(1)
  expect(interactions.indexOf(Math.max(...interactions))).toBe(2)
  const hits = await find(vectors)
  expect(hits).toMatchObject([{ item: 'mem_a', chunk: 1, offsets: { start: 70, end: 77 } }])
  expect(hits[0]?.semantic).toBeCloseTo((Math.max(...cosines) + Math.max(...interactions)) / 2, 2)
})

test('a part without pieces keeps its cosine and counts in no rarity; without pieces in the query cosines rank', async () => {
  const { vectors } = newProject()
  const others = [0, 1, 3].map((nth) => entry(nth))
  await vectors.put(MODEL, [...others, entry(2, { pieces: null }), entry(5, { pieces: new Uint16Array(0) })])
  const plain = await plainScores(others)
  for (const { item, semantic, similarity } of await find(vectors)) {
    const nth = others.findIndex((other) => other.item === item)
    expect(semantic).toBeCloseTo(plain[nth] ?? similarity, 2)
  }
  const byCosine = await find(vectors, { pieces: null })
  expect(byCosine.map(({ semantic }) => semantic)).toEqual([null, null, null, null, null])
  const cosines = byCosine.map(({ similarity }) => similarity)
  expect(cosines).toEqual([...cosines].sort((a, b) => b - a))
})

test('a model without a table of pieces is ranked by cosine', async () => {
  expect(
    await tableFor({
      model: 'openai/other',
      vector: new Float32Array(),
      pieces: Uint16Array.of(1),
      limit: 1,
      namespaces: null,
    }),
  ).toBeNull()
  const { vectors } = newProject()
  await vectors.put('openai/other', [entry(0), entry(1)])
  const hits = await find(vectors, { model: 'openai/other' })
  expect(hits.map(({ semantic }) => semantic)).toEqual([null, null])
})

test('above exactMax fresh vectors come with their cosines, for the caller to score', async () => {
  const { vectors } = newProject()
  await vectors.put(MODEL, [entry(0), entry(7)])
  const { hits, complete } = await vectors.query({ ...ask, exactMax: 1, freshFrom: system.now() - 60_000 })
  expect(complete).toBe(false)
  expect(hits.map(({ item, semantic }) => [item, semantic])).toEqual([
    ['mem_7', null],
    ['mem_0', null],
  ])
})

test('whatever is put and removed, an object answers as one that was evicted does', async () => {
  const put = fc.record({ item: fc.nat(5), text: fc.nat(TEXTS.length - 1), parts: fc.integer({ min: 1, max: 3 }) })
  const change = fc.oneof(put, fc.record({ removed: fc.nat(5) }))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      const { id, vectors } = newProject()
      await vectors.put(MODEL, [entry(0, { item: 'mem_fixed' })])
      await find(vectors)
      let version = 0
      for (const one of changes) {
        if ('removed' in one) await vectors.remove([{ item: `mem_${one.removed}` }])
        else {
          version += 1
          const parts = Array.from({ length: one.parts }, (_, chunk) =>
            entry((one.text + chunk) % TEXTS.length, { item: `mem_${one.item}`, chunk, version }),
          )
          await vectors.put(MODEL, parts)
        }
      }
      const kept = await find(vectors)
      await evict(id)
      expect(await find(vectors)).toEqual(kept)
    }),
    { numRuns: 8 },
  )
})

test('a change that fails leaves neither a vector nor a count behind', async () => {
  const { vectors } = newProject()
  await vectors.put(MODEL, [entry(0), entry(7)])
  const before = await find(vectors)
  // NaN is stored as null, which the column refuses.
  await expect(vectors.put(MODEL, [entry(3), entry(4), entry(5, { chunk: NaN })])).rejects.toMatchObject({
    code: 'dependency_unavailable',
  })
  expect(await find(vectors)).toEqual(before)
})
