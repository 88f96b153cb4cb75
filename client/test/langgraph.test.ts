/** @module-tag long */
import { exports } from 'cloudflare:workers'
import { Embeddings } from '@langchain/core/embeddings'
import { InMemoryStore } from '@langchain/langgraph-checkpoint'
import { describe, expect, test } from 'vitest'
import { Recollect } from '../src/index.ts'
import { RecollectStore, type RecollectStoreOptions } from '../src/langgraph/index.ts'
import { travel } from '../../test/support/clock.ts'
import { newWriter } from '../../test/support/memory.ts'
import { describeStore } from './store-suite.ts'

const fetchHere: typeof fetch = (input, init) => exports.default.fetch(new Request(input, init))

async function newStore(options: Partial<RecollectStoreOptions> = {}) {
  const user = await newWriter()
  const recollect = new Recollect({
    baseUrl: 'http://recollect.test',
    credential: { sessionToken: user.headers['X-Session-Token'] ?? '' },
    fetch: fetchHere,
    sleep: async (ms) => travel(ms),
    maxRetries: 5,
  })
  return { user, recollect, store: new RecollectStore({ recollect, ...options }) }
}

/** Embeds a text as the count of each of its words. */
class Words extends Embeddings {
  readonly #known: string[] = []

  embedDocuments(texts: string[]): Promise<number[][]> {
    return Promise.all(texts.map((text) => this.embedQuery(text)))
  }

  embedQuery(text: string): Promise<number[]> {
    const counts = Array.from({ length: 1_000 }, () => 0)
    for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
      if (!this.#known.includes(word)) this.#known.push(word)
      const at = this.#known.indexOf(word)
      counts[at] = (counts[at] ?? 0) + 1
    }
    return Promise.resolve(counts)
  }
}

const CUT_OFF = 'In a search with a query, offset and limit together can be at most 100.'

describe('Recollect', () => {
  describeStore('typescript', async () => (await newStore()).store)
})

describe('in memory', () => {
  describeStore('memory', async () => new InMemoryStore({ index: { dims: 1_000, embeddings: new Words({}) } }))
})

test('an item has its path as namespace, its key as custom_id, and its texts as text', async () => {
  const { store, recollect } = await newStore()
  await store.put(['users', 'Ada L'], 'drink', { text: 'green tea', cups: 2, more: { hot: true } })
  const { data } = await recollect.memory.list({ namespace: 'users:Ada=20L' })
  expect(data).toMatchObject([
    {
      custom_id: 'drink',
      content: { text: 'green tea\n2\ntrue', metadata: { value: { cups: 2 }, langgraph: { v: 1 } } },
    },
  ])
})

test('a search finds the named fields alone, and nothing of an item without an index', async () => {
  const { store } = await newStore({ fields: ['title'], mode: 'keyword' })
  await store.put(['s'], 'titled', { title: 'kettle', body: 'boils' })
  await store.put(['s'], 'other', { title: 'boils', body: 'kettle' }, ['body'])
  await store.put(['s'], 'hidden', { title: 'kettle boils' }, false)
  const found = async (query: string) => (await store.search(['s'], { query })).map(({ key }) => key).sort()
  expect(await found('kettle')).toEqual(['other', 'titled'])
  expect(await found('boils')).toEqual([])
  expect(await store.get(['s'], 'hidden')).toMatchObject({ value: { title: 'kettle boils' } })
})

test('a search with a query answers up to 100 results, and is an error where it would cut off more', async () => {
  const { store } = await newStore({ mode: 'keyword' })
  const put = (from: number, to: number) =>
    store.batch(
      Array.from({ length: to - from }, (_, at) => ({
        namespace: ['many'],
        key: `k${from + at}`,
        value: { text: `kettle ${from + at}` },
      })),
    )
  const found = (limit: number, offset = 0) => store.search(['many'], { query: 'kettle', limit, offset })
  await put(0, 99)
  expect(await found(1_000)).toHaveLength(99)
  expect(await found(10, 95)).toHaveLength(4)
  await put(99, 101)
  expect(await found(100)).toHaveLength(100)
  expect(await found(10, 90)).toHaveLength(10)
  for (const [limit, offset] of [[101], [10, 91], [1, 200]] as const)
    await expect(found(limit, offset)).rejects.toThrow(new RangeError(CUT_OFF))
  // Nothing of a batch is written that could not be read.
  const batch = store.batch([
    { namespacePrefix: ['many'], query: 'kettle', limit: 101 },
    { namespace: ['many'], key: 'new', value: { text: 'pot' } },
  ])
  await expect(batch).rejects.toThrow(CUT_OFF)
  expect(await store.get(['many'], 'new')).toBeNull()
})

test('other items of the project are none of the store', async () => {
  const { store, recollect } = await newStore()
  await store.put(['s'], 'mine', { text: 'a kettle' })
  const theirs = await recollect.memory.store({
    content: 'a kettle',
    context: { namespace: 's' },
    custom_id: 'theirs',
  })
  expect((await store.search(['s'])).map(({ key }) => key)).toEqual(['mine'])
  expect((await store.search(['s'], { query: 'kettle' })).map(({ key }) => key)).toEqual(['mine'])
  expect(await store.get(['s'], 'theirs')).toBeNull()

  await store.delete(['s'], 'theirs')
  const over = store.put(['s'], 'theirs', { text: 'a pot' })
  await expect(over).rejects.toMatchObject({ status: 409, code: 'custom_id_taken' })
  await expect(over).rejects.toThrow(`"theirs" of ["s"] is the custom_id of ${theirs.id}`)
  // Nothing of a batch is written then.
  const batch = store.batch([
    { namespace: ['s'], key: 'new', value: { text: 'a pot' } },
    { namespace: ['s'], key: 'mine', value: null },
    { namespace: ['s'], key: 'theirs', value: { text: 'a pot' } },
  ])
  await expect(batch).rejects.toMatchObject({ status: 409, code: 'custom_id_taken' })
  expect((await store.search(['s'])).map(({ key }) => key)).toEqual(['mine'])
  await store.batch(['mine', 'theirs'].map((key) => ({ namespace: ['s'], key, value: null })))
  expect((await recollect.memory.list({ namespace: 's' })).data).toMatchObject([
    { id: theirs.id, version: 1, content: { text: 'a kettle' } },
  ])
  // The same key elsewhere is free.
  await store.put(['t'], 'theirs', { text: 'a pot' })
  expect(await store.get(['t'], 'theirs')).toMatchObject({ value: { text: 'a pot' } })
})

test('a batch over many namespaces and long keys finds what is there', async () => {
  const { store, recollect } = await newStore()
  const writes = Array.from({ length: 40 }, (_, at) => ({
    namespace: ['users', `${at}`],
    key: at % 2 ? 'profile' : `${at}${'日'.repeat(120)}`,
    value: { at },
  }))
  await store.batch(writes)
  await store.batch(writes)
  expect(await store.search(['users'], { limit: 100 })).toHaveLength(40)
  await recollect.memory.store({ content: 'a kettle', context: { namespace: 'users:40' }, custom_id: 'profile' })
  const more = { namespace: ['users', '40'], key: 'profile', value: { at: 40 } }
  await expect(store.batch([...writes, more])).rejects.toMatchObject({ code: 'custom_id_taken' })
  await store.batch(writes.map((write) => ({ ...write, value: null })))
  expect(await store.search(['users'], { limit: 100 })).toEqual([])
})

test('security 26: two users see nothing of each other’s', async () => {
  const [one, two] = [await newStore(), await newStore()]
  await one.store.put(['s'], 'k', { text: 'a kettle' })
  expect(await two.store.get(['s'], 'k')).toBeNull()
  expect(await two.store.search([])).toEqual([])
  expect(await two.store.listNamespaces()).toEqual([])
  const foreign = new RecollectStore({ recollect: two.recollect, projectId: one.user.projectId })
  await expect(foreign.put(['s'], 'k', { text: 'x' })).rejects.toMatchObject({ status: 404 })
  await expect(foreign.search(['s'])).rejects.toMatchObject({ status: 404 })
})

test('what the service refuses is an error, of one write and of a batch', async () => {
  const { store } = await newStore()
  const large = { text: 'x'.repeat(65_537) }
  await expect(store.put(['s'], 'k', large)).rejects.toMatchObject({ status: 422 })
  const batch = store.batch([
    { namespace: ['s'], key: 'small', value: { at: 1 } },
    { namespace: ['s'], key: 'large', value: large },
  ])
  await expect(batch).rejects.toMatchObject({ status: 422 })
})

test.each([
  ['an object', { a: { b: 1 } }],
  ['a list', { a: [1] }],
  ['an unknown operator', { a: { $like: 'x' } }],
  ['a comparison with an object', { a: { $gt: {} } }],
  ['a name with a full stop', { 'a.b': 1 }],
  ['an empty list', { a: { $in: [] } }],
])('a filter with %s is refused, and matches not all', async (_, filter) => {
  const { store } = await newStore()
  await expect(store.search(['s'], { filter })).rejects.toThrow(TypeError)
})

/** Values that metadata alone cannot hold. */
const LARGE: [string, Record<string, unknown>][] = [
  [
    'a file of 20 KB',
    { content: 'A line of a file.\n'.repeat(1_200), modified_at: '2026-01-01T00:00:00Z', lines: 1_200 },
  ],
  ['the longest text', { text: `${'kettle '.repeat(9_362)}xx` }],
  ['the longest text of emoji', { text: '🫖'.repeat(65_536) }],
  ['two files', { a: 'é'.repeat(20_000), b: '\n'.repeat(20_000), at: 1 }],
  ['many small fields', Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`field${at}`, `value ${at}`]))],
  [
    'many texts with long names',
    Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}`.padEnd(200, 'n'), 'é'.repeat(400)])),
  ],
  ['a large list', { rows: Array.from({ length: 3_000 }, (_, at) => ({ at })), name: 'rows' }],
  ['a NUL and half a character', { text: 'a\0b', half: '\ud83d', name: 'odd' }],
  ['a large integer', { id: 2 ** 60, name: 'big' }],
  ['a name that is reserved', JSON.parse('{"__proto__": {"a": 1}, "in": {"__proto__": 2}, "name": "odd"}')],
  ['many levels', { deep: JSON.parse(`${'['.repeat(30)}1${']'.repeat(30)}`), name: 'deep' }],
]

test.each(LARGE)('%s comes back as it was, by key, from a search and from a list', async (_, value) => {
  const { store } = await newStore()
  await store.put(['large'], 'k', value)
  expect((await store.get(['large'], 'k'))?.value).toEqual(value)
  expect((await store.search(['large']))[0]?.value).toEqual(value)
  await store.batch([
    { namespace: ['large'], key: 'k', value: { text: 'small again' } },
    { namespace: ['large'], key: 'other', value },
  ])
  expect((await store.get(['large'], 'k'))?.value).toEqual({ text: 'small again' })
  expect((await store.get(['large'], 'other'))?.value).toEqual(value)
})

test('the short fields of a large value are filtered by, and its texts are found', async () => {
  const { store } = await newStore({ mode: 'keyword' })
  const content = `${'filler '.repeat(4_000)}kettle`
  await store.put(['large'], 'one', { content, kind: 'note', title: 'pot' })
  await store.put(['large'], 'two', { content, kind: 'file' })
  const keysOf = (items: readonly { key: string }[]) => items.map(({ key }) => key).sort()
  expect(keysOf(await store.search(['large'], { filter: { kind: 'note' } }))).toEqual(['one'])
  expect(keysOf(await store.search(['large'], { query: 'kettle' }))).toEqual(['one', 'two'])
  expect(keysOf(await store.search(['large'], { query: 'pot' }))).toEqual(['one'])
  expect(keysOf(await store.search(['large'], { query: 'kettle', filter: { kind: 'file' } }))).toEqual(['two'])
})

test('a large value that is put without an index is found by no query', async () => {
  const { store } = await newStore({ mode: 'keyword' })
  const value = { content: 'kettle '.repeat(4_000) }
  await store.put(['large'], 'hidden', value, false)
  expect(await store.search(['large'], { query: 'kettle' })).toEqual([])
  expect((await store.search(['large']))[0]?.value).toEqual(value)
  await store.put(['large'], 'hidden', value)
  expect(await store.search(['large'], { query: 'kettle' })).toHaveLength(1)
})
