/** @module-tag shards */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { embeddedEmbedder } from '../../src/backends/embedder.embedded.ts'
import { convertOlderTables } from '../../src/backends/project-vectors/older-tables.ts'
import { hitsOf } from '../../src/backends/project-vectors/packed-hits.ts'
import { runsOf, type Run } from '../../src/backends/project-vectors/runs.ts'
import type { Embedding, ProjectVectors, VectorEntry } from '../../src/core/vectors.ts'
import { system } from '../support/world.ts'

const MODEL = embeddedEmbedder.model

async function embed(text: string): Promise<Embedding> {
  const [embedding] = await embeddedEmbedder.embed([text])
  if (!embedding) throw new Error('the model knows nothing of the text')
  return embedding
}
const allergy = await embed('He is allergic to dust.')
const cat = await embed('The cat sleeps on the boiler.')
const rent = await embed('Rent goes out on the third.')
const question = await embed('What is his allergy?')

const entry = (item: string, { values, pieces }: Embedding, more: Partial<VectorEntry> = {}): VectorEntry => {
  const offsets = { start: 70, end: 77 }
  return { item, row: 9, version: 1, chunk: 0, offsets, namespace: 'default', values, pieces, ...more }
}

const find = async (vectors: ProjectVectors) => {
  const query = { model: MODEL, vector: question.values, pieces: question.pieces, limit: 10, namespaces: null }
  return (await vectors.query({ ...query, exactMax: 10_000, freshFrom: 0 })).hits
}

/** Makes the table of a version that had a row for each vector. */
function toSlots(sql: SqlStorage): void {
  const runs = sql.exec<RunRow>('select * from runs').toArray()
  sql.exec(`
    drop table runs;
    drop view slots;
    create table slots (slot integer primary key, item text not null, version integer not null, chunk integer,
      namespace text not null, scale real not null, vector blob not null, item_row integer, start_at integer,
      end_at integer, pieces blob);
    create index slots_by_item on slots (item)`)
  for (const { slot, item, version, chunk, namespace, numbers, vectors, item_row, pieces } of runs) {
    const [scale = NaN, start = NaN, end = NaN] = new Float64Array(numbers)
    sql.exec(
      'insert into slots values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      slot,
      item,
      version,
      chunk,
      namespace,
      scale,
      vectors,
      item_row,
      start,
      end,
      pieces,
    )
  }
}

interface RunRow extends Record<string, SqlStorageValue> {
  numbers: ArrayBuffer
}

/** A project of three items, whose runs have one chunk each. */
async function newProject() {
  const id = system.newId('prj')
  const vectors = system.projectVectors(id, '00')
  // Chunks that do not follow one another are runs of one chunk.
  await vectors.put(MODEL, [
    entry('mem_cat', cat),
    entry('mem_allergy', rent),
    entry('mem_allergy', allergy, { chunk: 2 }),
    entry('mem_rent', rent, { namespace: `it's` }),
  ])
  await vectors.remove([{ item: 'mem_cat' }])
  await vectors.put(MODEL, [entry('mem_cat', cat, { version: 4 })])
  return { object: env.PROJECT_VECTORS.getByName(id), vectors, before: await find(vectors) }
}

/** The same as a version stored it that had a row for each vector, without these of its columns. */
async function olderProject(without: readonly string[]) {
  const { object, ...project } = await newProject()
  await runInDurableObject(object, (_, { storage: { sql } }) => {
    toSlots(sql)
    for (const column of without) sql.exec(`alter table slots drop column ${column}`)
  })
  await evictDurableObject(object)
  return { object, ...project }
}

test('an object of the version before answers as it did, and its vectors are replaced, named and removed', async () => {
  const { object, vectors, before } = await olderProject([])
  expect(before.map(({ item }) => item)).toHaveLength(3)
  expect(await find(vectors)).toEqual(before)
  expect(await vectors.names([{ item: 'mem_allergy' }, { item: 'mem_cat' }])).toEqual([
    'mem_cat:4:0',
    'mem_allergy:1:0',
    'mem_allergy:1:2',
  ])
  await vectors.put(MODEL, [entry('mem_allergy', cat, { version: 2 })])
  await vectors.remove([{ item: 'mem_rent' }])
  const hits = await find(vectors)
  expect(new Map(hits.map(({ item, version }) => [item, version]))).toEqual(
    new Map([
      ['mem_allergy', 2],
      ['mem_cat', 4],
    ]),
  )
  await evictDurableObject(object)
  expect(await find(vectors)).toEqual(hits)
})

test('an object that stored no rows answers without them, and stores those of new vectors', async () => {
  const { vectors } = await olderProject(['item_row'])
  expect((await find(vectors)).map(({ row }) => row)).toEqual([undefined, undefined, undefined])
  await vectors.put(MODEL, [entry('mem_allergy', allergy, { version: 2 })])
  expect((await find(vectors)).map(({ item, row }) => [item, row])).toContainEqual(['mem_allergy', 9])
})

test('an object of the first version, which stored no rows, offsets or pieces, answers by cosine, and takes new chunks', async () => {
  const { object, vectors, before } = await olderProject(['item_row', 'start_at', 'end_at', 'pieces'])
  const old = await find(vectors)
  expect(old.map(({ item, similarity }) => [item, similarity])).toEqual(
    before.map(({ item, similarity }) => [item, similarity]),
  )
  for (const { offsets, semantic, similarity } of old) expect([offsets, semantic]).toEqual([null, similarity])
  await vectors.put(MODEL, [entry('mem_allergy', allergy, { version: 2 })])
  const hits = await find(vectors)
  const renewed = hits.find(({ item }) => item === 'mem_allergy')
  expect(renewed?.offsets).toEqual({ start: 70, end: 77 })
  expect(renewed?.semantic).not.toBe(renewed?.similarity)
  expect(hits.filter(({ offsets }) => offsets === null)).toHaveLength(2)
  await evictDurableObject(object)
  expect(await find(vectors)).toEqual(hits)
})

test('an object that stored no readers answers all, and takes readers', async () => {
  const { object, vectors, before } = await newProject()
  await runInDurableObject(object, (_, { storage: { sql } }) => void sql.exec('alter table runs drop column reader'))
  await evictDurableObject(object)
  expect(await find(vectors)).toEqual(before)
  const query = { model: MODEL, vector: question.values, pieces: null, limit: 10, namespaces: null, reader: 'usr_a' }
  const own = async () => (await vectors.query({ ...query, exactMax: 10, freshFrom: 0 })).hits.map(({ item }) => item)
  expect(await own()).toEqual([])
  expect(await vectors.setReaders([{ item: 'mem_rent', version: 1, reader: 'usr_a' }])).toEqual([])
  expect(await own()).toEqual(['mem_rent'])
})

test('an object that stored no words of turns charges none, and takes those of new vectors', async () => {
  const { object, vectors, before } = await newProject()
  await runInDurableObject(object, (_, { storage: { sql } }) => {
    sql.exec('alter table runs drop column turn_words')
  })
  await evictDurableObject(object)
  expect(await find(vectors)).toEqual(before)
  const [best] = before
  await vectors.put(MODEL, [entry('mem_allergy', allergy, { version: 2, turnWords: 1_000_000 })])
  const [, , last] = await find(vectors)
  expect([best?.item, last?.item, last?.similarity]).toEqual(['mem_allergy', 'mem_allergy', best?.similarity])
  const known = await vectors.entries([{ item: 'mem_allergy' }, { item: 'mem_rent' }])
  expect(new Map(known.map(({ item, turnWords }) => [item, turnWords]))).toEqual(
    new Map([
      ['mem_allergy', 1_000_000],
      ['mem_rent', null],
    ]),
  )
})

test('an object takes runs of a Worker of an older version, which have no reader and no words', async () => {
  const { object, before } = await newProject()
  const [run] = runsOf([entry('mem_new', cat)])
  if (!run) throw new Error('there is no run')
  const { reader: _, turnWords: __, ...older } = run
  await object.put(MODEL, [older as Run])
  const { hits } = await object.query({
    model: MODEL,
    vector: question.values,
    pieces: null,
    limit: 10,
    namespaces: null,
    exactMax: 10,
    freshFrom: 0,
  })
  expect(hitsOf(hits)).toHaveLength(before.length + 1)
})

test('a conversion that fails leaves the older tables as they were, to be converted again', async () => {
  const { object, vectors, before } = await newProject()
  await runInDurableObject(object, (_, { storage }) => {
    const count = (table: string) => storage.sql.exec<{ n: number }>(`select count(*) as n from ${table}`).one().n
    const rows = count('runs')
    toSlots(storage.sql)
    storage.sql.exec(`insert into slots select 99, 'mem_x', 1, null, '', 1, x'00', 1, 1, 1, null`)
    expect(() => convertOlderTables(storage)).toThrow('NOT NULL')
    storage.sql.exec('delete from slots where slot = 99')
    expect(count('slots')).toBe(rows)
  })
  await evictDurableObject(object)
  expect(await find(vectors)).toEqual(before)
})

test('code of before runs finds no vectors, and what it stores or deletes fails until the newer code is back', async () => {
  const { object, vectors, before } = await newProject()
  await runInDurableObject(object, (_, { storage: { sql } }) => {
    const { sql: table } = sql.exec<{ sql: string }>(`select sql from sqlite_master where name = 'slots'`).one()
    for (const column of ['item_row', 'start_at', 'end_at', 'pieces']) expect(table).toContain(` ${column} `)
    expect(sql.exec('select * from slots where slot >= 0 and slot < 64').toArray()).toEqual([])
    for (const change of [
      'delete from slots where slot in (select 0) returning slot',
      `insert into slots (slot, item, item_row, version, chunk, start_at, end_at, namespace, scale, vector, pieces)
       values (99, 'mem_x', 1, 1, 0, 0, 9, '', 1, x'00', null)`,
    ])
      expect(() => sql.exec(change)).toThrow('it is a view')
  })
  await evictDurableObject(object)
  expect(await find(vectors)).toEqual(before)
})
