import { expect, test, vi } from 'vitest'
import { tieredVectors } from '../../src/backends/vectors.tiers.ts'
import type { NearestAsk, SeenByStatement } from '../../src/core/nearest.ts'
import type { ProjectVectors, VectorHit } from '../../src/core/vectors.ts'
import { system } from '../support/world.ts'

const hit = (nth: number): VectorHit => ({
  item: `mem_${nth}`,
  version: 1,
  chunk: 0,
  offsets: null,
  similarity: 0.9 - nth / 1_000,
  semantic: null,
})

const hits = (count: number): VectorHit[] => Array.from({ length: count }, (_, nth) => hit(nth))

/** What the object of a project is asked, and a search that wants ten results of it. Where it may, a copy answers. */
function project(count: number, { copied = true } = {}) {
  const query = vi.fn<ProjectVectors['query']>(async ({ limit, revision }) => ({
    hits: hits(count).slice(0, limit),
    complete: true,
    copied: copied && typeof revision === 'number',
  }))
  const projectVectors = () => ({ ...system.projectVectors('none', '00'), query })
  const ask: NearestAsk = {
    tenantId: 'ten_1',
    projectId: system.newId('prj'),
    shard: '00',
    model: 'test',
    embedding: { values: Float32Array.of(1), pieces: null },
    namespaces: null,
    caller: 'usr_1',
    reach: { others: false, unfiled: false },
    floor: null,
    wanted: 10,
    considered: 100,
    most: 10_000,
    narrow: false,
    candidates: () => Promise.reject(new Error('the object has all')),
    cause: {},
  }
  const vectors = tieredVectors({ ...system, projectVectors, vectorIndex: null })
  /** The limit and the revision of each query. */
  const asked = () => query.mock.calls.map(([{ limit, revision }]) => [limit, revision])
  /** Whose parts each query compares. */
  const reached = () => query.mock.calls.map(([{ reader, others }]) => [reader, others])
  return { ask, asked, reached, nearest: (more: Partial<NearestAsk> = {}) => vectors.nearest({ ...ask, ...more }) }
}

const seen = (
  revision: number | null,
  visible: number,
  reach: Partial<Pick<SeenByStatement, 'reads_others' | 'unfiled'>> = {},
): SeenByStatement => ({ vectors_revision: revision, hits: visible, reads_others: 0, unfiled: 0, ...reach })

/** A project whose statements have told this revision twice. */
async function atRest(count: number, revision: number) {
  const own = project(count)
  for (const _ of [1, 2]) await (await own.nearest()).again(seen(revision, 100))
  return own
}

test('hits stand where the caller may see those that are considered, or where there are no more', async () => {
  const many = await project(200).nearest()
  expect(many.hits).toHaveLength(104)
  expect(await many.again(seen(1, 100))).toBeNull()
  const few = await project(50).nearest()
  expect(await few.again(seen(1, 0))).toBeNull()
})

test('a hit whose pieces nobody compared is ranked by its cosine', async () => {
  const { hits: ranked } = await project(2).nearest()
  expect(ranked.map(({ semantic, similarity }) => [semantic, similarity])).toEqual([
    [0.9, 0.9],
    [0.899, 0.899],
  ])
})

test('outdated: a copy answered that is not as of the revision that the statement saw, so the object answers', async () => {
  const { nearest, asked } = await atRest(200, 7)
  const first = await nearest()
  expect(await first.again(seen(7, 100))).toBeNull()
  const second = await nearest()
  const others = await second.again(seen(8, 100))
  expect(others?.hits).toHaveLength(104)
  expect(asked().slice(2)).toEqual([
    [104, 7],
    [104, 7],
    [104, null],
  ])
  expect(await others?.again(seen(9, 100))).toBeNull()
})

test('crowded: parts of others are compared, and the caller may see too few, so all are asked for, and next time some more', async () => {
  const { nearest, asked } = project(200)
  const reach = { others: true, unfiled: false }
  const first = await nearest({ reach })
  const all = await first.again(seen(1, 99, { reads_others: 1 }))
  expect(all?.hits).toHaveLength(200)
  await nearest({ reach })
  await nearest({ reach, caller: 'usr_2' })
  await nearest()
  expect(asked()).toEqual([
    [104, null],
    [10_000, null],
    [150, null],
    [104, null],
    [104, null],
  ])
})

test('crowded: parts whose items are gone are more than the spare ones, so all are asked for, this time alone', async () => {
  const { nearest, asked } = project(200)
  expect((await (await nearest()).again(seen(1, 99)))?.hits).toHaveLength(200)
  await nearest()
  expect(asked()).toEqual([
    [104, null],
    [10_000, null],
    [104, null],
  ])
})

test.each([
  ['the caller reads private items of others', { others: false, unfiled: false }, { reads_others: 1 }, ['usr_1', true]],
  ['and does not any more', { others: true, unfiled: false }, {}, ['usr_1', false]],
  ['parts have no reader', { others: false, unfiled: false }, { unfiled: 1 }, [null, false]],
  ['and have one by now', { others: false, unfiled: true }, {}, ['usr_1', false]],
] as const)('reach: the statement saw that %s, so the vectors are asked again', async (_, reach, saw, expected) => {
  const { nearest, reached } = project(200)
  const first = await nearest({ reach })
  const others = await first.again(seen(1, 100, saw))
  expect(reached()).toHaveLength(2)
  expect(reached()[1]).toEqual(expected)
  // A role that changes once more in between waits for the next search.
  expect(await others?.again(seen(1, 100, { reads_others: 1, unfiled: 1 }))).toBeNull()
  const none = await nearest({ embedding: null, reach })
  expect(await none.again(seen(1, 0, saw))).toBeNull()
})

test('a search asks three times at most: outdated, then crowded, and then the hits stand', async () => {
  const { nearest, asked } = await atRest(200, 1)
  const first = await nearest()
  const second = await first.again(seen(2, 0))
  const third = await second?.again(seen(3, 0))
  expect(await third?.again(seen(4, 0))).toBeNull()
  expect(asked().slice(2)).toEqual([
    [104, 1],
    [104, null],
    [10_000, null],
  ])
})

test('the hits of a narrow search are all of its items, and stand', async () => {
  const { nearest, asked } = project(200)
  const narrow = await nearest({ narrow: true })
  expect(narrow.hits).toHaveLength(200)
  expect(await narrow.again(seen(1, 0))).toBeNull()
  expect(asked()).toEqual([[10_000, null]])
})

test('without an embedding nobody is asked, and what the statement saw counts for the next search', async () => {
  const { nearest, asked } = project(200)
  for (const _ of [1, 2]) {
    const none = await nearest({ embedding: null })
    expect(none.hits).toEqual([])
    expect(await none.again(seen(5, 0))).toBeNull()
  }
  await nearest()
  expect(asked()).toEqual([[104, 5]])
})

test('a tier that does not answer is an error, the first time and again', async () => {
  const { nearest, asked } = project(200)
  const first = await nearest()
  const down = tieredVectors({
    ...system,
    vectorIndex: null,
    projectVectors: () => ({ ...system.projectVectors('none', '00'), query: () => Promise.reject(new Error('down')) }),
  })
  await expect(down.nearest(project(1).ask)).rejects.toThrow('down')
  expect([first.hits.length, asked().length]).toEqual([104, 1])
})
