/** @module-tag shards */
import { expect, test } from 'vitest'
import { embeddedEmbedder } from '../../src/backends/embedder.embedded.ts'
import { vectorizeIndex } from '../../src/backends/vector-index.vectorize.ts'
import type { VectorEntry, VectorQuery } from '../../src/core/vectors.ts'
import { embedItems } from '../../src/memory/embedding/embed.ts'
import { deleteItem } from '../../src/memory/operations/delete.ts'
import { removeVectors } from '../../src/memory/embedding/vectors.ts'
import { VectorizeDouble } from '../support/vectorize.ts'
import { ctxOf, embedded, find, idsOf, stored, withTiers } from '../support/search.ts'
import { db, newTenant, system } from '../support/world.ts'
import { valuesOf } from '../support/models.ts'

const [near = new Float32Array(), far = new Float32Array()] = valuesOf(
  await embeddedEmbedder.embed(['a boiling kettle', 'taxation of shipyards']),
)
const MODEL = embeddedEmbedder.model
const entry = (item: string, values: Float32Array, more: Partial<VectorEntry> = {}): VectorEntry => ({
  item,
  version: 1,
  chunk: 0,
  namespace: 'default',
  values,
  offsets: { start: 0, end: 9 },
  pieces: null,
  ...more,
})
const item = (at = 0): string => `mem_${String(at).padStart(26, '0')}`
const ask = { model: MODEL, vector: near, pieces: null, limit: 150, namespaces: null }

function newIndex() {
  const double = new VectorizeDouble(embeddedEmbedder.dimension)
  return { double, index: vectorizeIndex(double, MODEL) }
}

test('a query answers vectors as soon as the index has processed them, best first', async () => {
  const { double, index } = newIndex()
  await index.upsert('ten_a', 'prj_a', [entry(item(1), far), entry(item(2), near, { version: 3, chunk: 2 })])
  expect(await index.query('ten_a', 'prj_a', ask)).toEqual([])
  double.flush()
  expect(await index.query('ten_a', 'prj_a', ask)).toEqual([
    { item: item(2), version: 3, chunk: 2, offsets: null, similarity: expect.closeTo(1, 3), semantic: null },
    { item: item(1), version: 1, chunk: 0, offsets: null, similarity: expect.any(Number), semantic: null },
  ])
})

test('an item is one hit, with its best chunk', async () => {
  const { double, index } = newIndex()
  await index.upsert('ten_a', 'prj_a', [entry(item(), far), entry(item(), near, { chunk: 1 })])
  double.flush()
  expect((await index.query('ten_a', 'prj_a', ask)).map(({ chunk }) => chunk)).toEqual([1])
})

test('tenants, projects, namespaces and models are kept apart', async () => {
  const { double, index } = newIndex()
  const other = vectorizeIndex(double, 'other/model')
  await index.upsert('ten_a', 'prj_a', [entry(item(1), near, { namespace: 'left' }), entry(item(2), near)])
  await index.upsert('ten_a', 'prj_b', [entry(item(3), near)])
  await index.upsert('ten_b', 'prj_c', [entry(item(4), near)])
  await other.upsert('ten_a', 'prj_a', [entry(item(5), near)])
  double.flush()
  const found = async (tenant: string, project: string, more = {}) =>
    (await index.query(tenant, project, { ...ask, ...more })).map((hit) => hit.item).sort()
  expect(await found('ten_a', 'prj_a')).toEqual([item(1), item(2)])
  expect(await found('ten_a', 'prj_a', { namespaces: ['left'] })).toEqual([item(1)])
  expect(await found('ten_a', 'prj_a', { namespaces: [] })).toEqual([])
  expect(await found('ten_b', 'prj_a')).toEqual([])
  expect(await found('ten_a', 'prj_a', { model: 'other/model' })).toEqual([item(5)])
})

test('a namespace above 64 characters is no filter, since the index would tell it from others by its first 64 bytes', async () => {
  const { double, index } = newIndex()
  const long = 'n'.repeat(127)
  await index.upsert('ten_a', 'prj_a', [
    entry(item(1), near, { namespace: `${long}1` }),
    entry(item(2), near, { namespace: 'n'.repeat(64) }),
    entry(item(3), near),
  ])
  double.flush()
  const found = async (...namespaces: string[]) =>
    (await index.query('ten_a', 'prj_a', { ...ask, namespaces })).map((hit) => hit.item).sort()
  expect(await found('n'.repeat(64))).toEqual([item(2)])
  expect(await found(`${long}1`)).toEqual([item(1), item(2), item(3)])
  expect(await found('default', `${long}2`)).toEqual([item(1), item(2), item(3)])
})

test('vectors with a reader are found by their place, however long the namespace, and by who may read them', async () => {
  const { double, index } = newIndex()
  const long = 'n'.repeat(127)
  await index.upsert('ten_a', 'prj_a', [
    entry(item(1), near, { namespace: `${long}1`, reader: '' }),
    entry(item(2), near, { namespace: `${long}2`, reader: '' }),
    entry(item(3), near, { reader: 'usr_a' }),
    entry(item(4), near, { reader: 'usr_b' }),
    entry(item(5), near, { reader: null }),
  ])
  double.flush()
  const found = async (more: Partial<VectorQuery>) =>
    (await index.query('ten_a', 'prj_a', { ...ask, ...more })).map((hit) => hit.item).sort()
  expect(await found({ reader: 'usr_a' })).toEqual([item(1), item(2), item(3)])
  expect(await found({ reader: 'usr_c', namespaces: [`${long}1`] })).toEqual([item(1)])
  expect(await found({ reader: 'usr_a', namespaces: ['default'] })).toEqual([item(3)])
  expect(await found({ reader: 'usr_a', others: true, namespaces: ['default'] })).toEqual([item(3), item(4)])
  // Until all vectors of the project have a reader, the filter is that of before.
  expect(await found({ reader: null, namespaces: ['default'] })).toEqual([item(3), item(4), item(5)])
})

test('each call keeps the bounds of the index: 2,500 upserts, 250 deletions, 150 wanted', async () => {
  const { double, index } = newIndex()
  const entries = Array.from({ length: 2_500 }, (_, at) => entry(item(at), near))
  await index.upsert('ten_a', 'prj_a', entries)
  double.flush()
  expect(await index.query('ten_a', 'prj_a', ask)).toHaveLength(100)
  await index.remove(Array.from({ length: 250 }, (_, at) => `${item(at)}:1:0`))
  double.flush()
  expect(double.size).toBe(2_250)
})

test('a filter of many namespaces stays within 2 KB', async () => {
  const { double, index } = newIndex()
  await index.upsert('ten_a', 'prj_a', [entry(item(), near)])
  double.flush()
  const namespaces = Array.from({ length: 60 }, (_, at) => `${at}`.padEnd(64, 'n'))
  await expect(index.query('ten_a', 'prj_a', { ...ask, namespaces })).resolves.toBeDefined()
  for (const count of [64, 200]) {
    const all = Array.from({ length: count }, (_, at) => `${at}`.padEnd(127, 'n'))
    const reader = `usr_${'0'.repeat(26)}`
    await expect(index.query('ten_a', 'prj_a', { ...ask, namespaces: all, reader })).resolves.toBeDefined()
  }
})

// The service with both tiers. More than two vectors are a large project here.
const large = (double: VectorizeDouble) => ({
  vectorIndex: vectorizeIndex(double, MODEL),
  config: { ...system.config, exactTierMax: 2 },
})

test('a large project: a completed item is found at once though the index is late, and later through the index alone', async () => {
  const user = await newTenant()
  const double = new VectorizeDouble(embeddedEmbedder.dimension)
  const ctx = ctxOf(user, large(double))
  const ids = await embedded(ctx, ['a kettle', 'a boiling kettle', 'kettles that boil', 'boil the kettle'])
  const search = (more = {}) => find(withTiers(ctx, more), 'boiling kettle', { mode: 'semantic' })
  expect(idsOf(await search()).sort()).toEqual(ids.sort())
  const later = { now: () => system.now() + 3_600_000 }
  expect(idsOf(await search(later))).toEqual([])
  double.flush()
  expect(idsOf(await search(later)).sort()).toEqual(ids)
})

test('a large project: filters never cost recall', async () => {
  const user = await newTenant()
  const double = new VectorizeDouble(embeddedEmbedder.dimension)
  const ctx = ctxOf(user, large(double))
  await embedded(ctx, ['a kettle', 'a boiling kettle', 'kettles that boil', 'boil the kettle'])
  const [rare] = await embedded(ctx, ['nothing alike'], { tags: ['rare'] })
  const later = withTiers(ctx, { now: () => system.now() + 3_600_000 })
  const reply = await find(later, 'boiling kettle', {
    mode: 'semantic',
    filters: { tags: ['rare'] },
    similarity_threshold: 0,
  })
  expect(idsOf(reply)).toEqual([rare])
})

test('a changed and a deleted item leave nothing in the index', async () => {
  const user = await newTenant()
  const double = new VectorizeDouble(embeddedEmbedder.dimension)
  const ctx = ctxOf(user, large(double))
  const { id } = await stored(ctx, 'first text', { custom_id: 'x' })
  await embedItems(ctx, db, [id])
  await stored(ctx, 'second text', { custom_id: 'x' })
  await embedItems(ctx, db, [id])
  double.flush()
  expect(double.ids()).toEqual([`${id}:2:0`])
  await deleteItem({ ...ctx, requestId: system.newId('req') }, { id, ifMatch: null })
  await removeVectors(ctx, { shard: db.shard, projectId: user.projectId }, [{ item: id }])
  double.flush()
  expect(double.ids()).toEqual([])
})

test('index down: keyword matches are still answered', async () => {
  const user = await newTenant()
  const double = new VectorizeDouble(embeddedEmbedder.dimension)
  const ctx = ctxOf(user, large(double))
  const ids = await embedded(ctx, ['kettle one', 'kettle two', 'kettle three'])
  double.down = true
  const reply = await find(ctx, 'kettle')
  expect(reply.degraded).toBe('semantic_unavailable')
  expect(idsOf(reply).sort()).toEqual(ids.sort())
})
