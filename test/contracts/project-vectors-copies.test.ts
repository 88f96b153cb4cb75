/** @module-tag shards */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { embeddedEmbedder } from '../../src/backends/embedder.embedded.ts'
import { projectVectorsClient } from '../../src/backends/project-vectors/project-vectors.client.ts'
import { emptyPage } from '../../src/backends/project-vectors/page.ts'
import { MAX_COPIED_BYTES, sentPage } from '../../src/backends/project-vectors/vector-copy.ts'
import type { ProjectQuery, ProjectVectors, VectorEntry } from '../../src/core/vectors.ts'
import { travel } from '../support/clock.ts'
import { system } from '../support/world.ts'

const MODEL = embeddedEmbedder.model
const WORDS =
  'allergy walnuts rent account boiler October engineer cat Biscuit flights Lisbon May bridge Tuesdays key garden shed'.split(
    ' ',
  )

/** Texts of four words each, all different. */
const textOf = (nth: number): string =>
  [nth, nth * 3 + 1, nth * 7 + 2, Math.floor(nth / WORDS.length)].map((at) => WORDS[at % WORDS.length]).join(' ')

async function entries(
  count: number,
  more: (nth: number) => Partial<VectorEntry> = () => ({}),
): Promise<VectorEntry[]> {
  const embeddings = await embeddedEmbedder.embed(
    Array.from({ length: count }, (_, nth) => textOf(nth)),
    'document',
  )
  return embeddings.map((embedding, nth) => {
    if (!embedding) throw new Error('the model knows nothing of the text')
    const offsets = { start: nth, end: nth + 9 }
    return {
      item: `mem_${nth}`,
      row: nth + 1,
      version: 1,
      chunk: 0,
      offsets,
      namespace: 'default',
      ...embedding,
      ...more(nth),
    }
  })
}

const newProject = (): { id: string; vectors: ProjectVectors } => {
  const id = system.newId('prj')
  return { id, vectors: system.projectVectors(id, '00') }
}

async function question(text: string): Promise<ProjectQuery> {
  const [embedding] = await embeddedEmbedder.embed([text], 'query')
  if (!embedding) throw new Error('the model knows nothing of the question')
  const { values, pieces } = embedding
  return { model: MODEL, vector: values, pieces, limit: 100, namespaces: null, exactMax: 10_000, freshFrom: 0 }
}

test('a copy answers as the object does', async () => {
  const { vectors } = newProject()
  const all = await entries(150, (nth) => ({
    namespace: nth % 3 === 0 ? 'other' : 'default',
    ...(nth % 5 === 4 ? { item: `mem_${nth - 1}`, row: nth, chunk: 1 } : {}),
    ...(nth % 7 === 0 ? { pieces: null } : {}),
    reader: nth % 11 === 0 ? 'usr_b' : nth % 4 === 0 ? 'usr_a' : '',
    turnWords: nth % 3 === 0 ? 800 : null,
  }))
  await vectors.put(MODEL, all)
  await vectors.remove([{ item: 'mem_12' }, { item: 'mem_70' }])
  const ask = await question('When is the flight to Lisbon?')
  for (const more of [
    {},
    { limit: 3 },
    { namespaces: ['other'] },
    { namespaces: ['absent'] },
    { reader: 'usr_a' },
    { reader: 'usr_a', namespaces: ['other'], others: true },
    { floor: 0.3 },
    { pieces: null },
    { vector: (await question('The cat in the garden')).vector },
  ]) {
    const copied = await vectors.query({ ...ask, ...more, revision: 1 })
    const { hits } = await vectors.query({ ...ask, ...more })
    expect(copied).toEqual({ hits, complete: true, copied: true })
  }
})

test('a project without vectors has a copy without hits', async () => {
  const { vectors } = newProject()
  expect(await vectors.query({ ...(await question('cat')), revision: 0 })).toEqual({
    hits: [],
    complete: true,
    copied: true,
  })
})

test('a copy is as of its revision; for another one the object answers, and a minute later a new copy', async () => {
  const { vectors } = newProject()
  const all = await entries(3)
  const ask = await question('cat')
  const asked = async (revision: number) => {
    const { hits, copied } = await vectors.query({ ...ask, revision })
    return { items: hits.length, copied }
  }
  await vectors.put(MODEL, all.slice(0, 2))
  expect(await asked(1)).toEqual({ items: 2, copied: true })
  await vectors.put(MODEL, all)
  expect(await asked(1)).toEqual({ items: 2, copied: true })
  expect(await asked(2)).toEqual({ items: 3, copied: false })
  expect(await asked(1)).toEqual({ items: 3, copied: false })
  travel(60_000)
  expect(await asked(2)).toEqual({ items: 3, copied: true })
})

test('queries at once read the project once, and each is answered', async () => {
  const { vectors } = newProject()
  await vectors.put(MODEL, await entries(3))
  const ask = await question('cat')
  const answers = await Promise.all(Array.from({ length: 5 }, () => vectors.query({ ...ask, revision: 1 })))
  expect(answers.map(({ hits }) => hits.length)).toEqual([3, 3, 3, 3, 3])
  expect(answers.map(({ copied }) => copied)).toEqual([true, false, false, false, false])
})

test('a project with more vectors than the exact tier has is not answered by its copy', async () => {
  const { vectors } = newProject()
  await vectors.put(MODEL, await entries(3))
  const ask = { ...(await question('cat')), revision: 1 }
  expect(await vectors.query(ask)).toMatchObject({ complete: true, copied: true })
  expect(await vectors.query({ ...ask, exactMax: 2 })).toMatchObject({ complete: false, copied: false })
})

test('a project of more bytes than a copy may have is never copied', async () => {
  const { vectors } = newProject()
  const dimension = 2_048
  const most = MAX_COPIED_BYTES / dimension
  const values = new Float32Array(dimension).fill(1 / Math.sqrt(dimension))
  const offsets = { start: 0, end: 1 }
  const one = (nth: number): VectorEntry => ({
    item: `mem_${nth}`,
    version: 1,
    chunk: 0,
    offsets,
    namespace: 'default',
    values,
    pieces: null,
  })
  const put = (from: number, to: number) =>
    vectors.put(
      'test/wide',
      Array.from({ length: to - from }, (_, nth) => one(from + nth)),
    )
  const ask = { ...(await question('cat')), model: 'test/wide', vector: values, pieces: null }
  await put(0, most)
  expect(await vectors.query({ ...ask, revision: 1 })).toMatchObject({ copied: true })
  await put(most, most + 1)
  // Whole pages travel, also where few of their slots are used.
  const all = Array.from({ length: most }, (_, nth) => nth)
  await vectors.remove(all.filter((nth) => nth % 64 !== 0).map((nth) => ({ item: `mem_${nth}` })))
  travel(60_000)
  const answer = await vectors.query({ ...ask, revision: 2 })
  expect({ hits: answer.hits.length, copied: answer.copied }).toEqual({ hits: most / 64 + 1, copied: false })
})

test.each([
  ['does not answer', () => Promise.reject(new Error('no answer'))],
  ['is of an older version, which sends no pages', undefined],
  [
    'is of an older version, which sends no readers',
    async () => [{ ...sentPage(emptyPage(MODEL, 2)), slots: [{ item: 'mem_0' }] }],
  ],
])('where the object %s when it is read, it is asked the query', async (_, pages) => {
  const { id, vectors } = newProject()
  await vectors.put(MODEL, await entries(3))
  const object = env.PROJECT_VECTORS.getByName(id)
  const query: typeof object.query = (asked) => object.query(asked)
  const namespace = { getByName: () => ({ query, pages }) } as unknown as typeof env.PROJECT_VECTORS
  const client = projectVectorsClient(namespace, 1024 * 1024)(id, '00')
  const answer = await client.query({ ...(await question('cat')), revision: 1 })
  expect({ hits: answer.hits.length, copied: answer.copied }).toEqual({ hits: 3, copied: false })
})
