import type { BaseStore, SearchItem } from '@langchain/langgraph-checkpoint'
import { expect, test } from 'vitest'

/** What the items have in a field, in order. */
const valuesOf = (items: readonly SearchItem[], field: string): string[] =>
  items.map(({ value }) => String(value[field])).sort()

/** What every store of LangGraph does: each test has a store of its own, whose searches look into all fields. */
export function describeStore(newStore: () => Promise<BaseStore>): void {
  test('put, get, put again, delete', async () => {
    const store = await newStore()
    expect(await store.get(['users', 'ada'], 'drink')).toBeNull()
    await store.put(['users', 'ada'], 'drink', { text: 'tea', cups: 2, tags: ['hot'], milk: { kind: 'oat' } })
    const first = await store.get(['users', 'ada'], 'drink')
    expect(first).toMatchObject({
      key: 'drink',
      namespace: ['users', 'ada'],
      value: { text: 'tea', cups: 2, tags: ['hot'], milk: { kind: 'oat' } },
    })
    expect(first?.createdAt).toBeInstanceOf(Date)
    await store.put(['users', 'ada'], 'drink', { text: 'coffee' })
    const second = await store.get(['users', 'ada'], 'drink')
    expect(second?.value).toEqual({ text: 'coffee' })
    expect(second?.createdAt).toEqual(first?.createdAt)
    expect(await store.get(['users'], 'drink')).toBeNull()
    expect(await store.get(['users', 'ada', 'x'], 'drink')).toBeNull()
    await store.delete(['users', 'ada'], 'drink')
    expect(await store.get(['users', 'ada'], 'drink')).toBeNull()
    await store.delete(['users', 'ada'], 'drink')
  })

  test('labels and keys of any characters and any length stay apart, and come back as they were', async () => {
    const store = await newStore()
    const long = 'l'.repeat(200)
    const paths = [
      ['a', 'b'],
      ['a-b'],
      ['A', 'b'],
      ['ä', '日本', '🙂'],
      ['a b', '%3a/\\'],
      ['users', long],
      ['users', `${long}x`],
      ['users', long, 'deep', 'deeper', 'deepest'],
      [long],
      Array.from({ length: 20 }, (_, at) => `label${at}`),
    ]
    const keys = ['k', 'K', 'k.1', 'a:b', 'ключ', `${long}1`, `${long}2`]
    for (const [at, path] of paths.entries()) await store.put(path, 'k', { at })
    for (const [at, key] of keys.entries()) await store.put(['keys'], key, { at })
    for (const [at, path] of paths.entries()) {
      expect(await store.get(path, 'k')).toMatchObject({ value: { at }, namespace: path, key: 'k' })
    }
    for (const [at, key] of keys.entries()) {
      expect(await store.get(['keys'], key)).toMatchObject({ value: { at }, namespace: ['keys'], key })
    }
    const listed = await store.listNamespaces({ limit: 100 })
    expect(new Set(listed.map((path) => JSON.stringify(path)))).toEqual(
      new Set([...paths, ['keys']].map((path) => JSON.stringify(path))),
    )
    const below = await store.search(['users', long])
    expect(valuesOf(below, 'at')).toEqual(['5', '7'])
    expect((await store.search(['users', long, 'deep'])).map(({ value }) => value['at'])).toEqual([7])
    expect((await store.search([long])).map(({ value }) => value['at'])).toEqual([8])
    expect((await store.listNamespaces({ prefix: ['users', long], limit: 9 })).length).toBe(2)
  })

  test('a search reads a namespace and those below it, and none beside it', async () => {
    const store = await newStore()
    for (const path of [['docs'], ['docs', 'a'], ['docs', 'a', 'b'], ['docs2'], ['other', 'docs']])
      await store.put(path, 'k', { at: path.join('/') })
    const at = async (...path: string[]) => valuesOf(await store.search(path), 'at')
    expect(await at('docs')).toEqual(['docs', 'docs/a', 'docs/a/b'])
    expect(await at('docs', 'a')).toEqual(['docs/a', 'docs/a/b'])
    expect(await at('doc')).toEqual([])
    expect(await at()).toEqual(['docs', 'docs/a', 'docs/a/b', 'docs2', 'other/docs'])
  })

  test('a search filters by values and by comparisons', async () => {
    const store = await newStore()
    await store.batch(
      [1, 2, 3, 4].map((rank) => ({
        namespace: ['f'],
        key: `${rank}`,
        value: { rank, kind: rank % 2 ? 'odd' : 'even', done: rank > 2 },
      })),
    )
    const ranks = async (filter: Record<string, unknown>) =>
      valuesOf(await store.search(['f'], { filter }), 'rank').join('')
    expect(await ranks({ kind: 'odd' })).toEqual('13')
    expect(await ranks({ done: true })).toEqual('34')
    expect(await ranks({ rank: { $gt: 1, $lte: 3 } })).toEqual('23')
    expect(await ranks({ rank: { $gte: 3 }, kind: { $ne: 'odd' } })).toEqual('4')
    expect(await ranks({ rank: { $lt: 2 } })).toEqual('1')
    expect(await ranks({ kind: { $eq: 'even' } })).toEqual('24')
    expect(await ranks({ rank: { $in: [1, 4, 9] } })).toEqual('14')
    expect(await ranks({ rank: { $nin: [1, 4, 9] } })).toEqual('23')
    expect(await ranks({ rank: '1' })).toEqual('')
  })

  test('limit and offset give every item once', async () => {
    const store = await newStore()
    await store.batch(
      Array.from({ length: 25 }, (_, at) => ({ namespace: ['p', `${at % 3}`], key: `k${at}`, value: { at } })),
    )
    expect(await store.search(['p'])).toHaveLength(10)
    const pages = await Promise.all([0, 10, 20, 30].map((offset) => store.search(['p'], { limit: 10, offset })))
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5, 0])
    expect(new Set(pages.flat().map(({ key }) => key)).size).toBe(25)
  })

  test('a query finds the item that says it, with a score', async () => {
    const store = await newStore()
    await store.put(['q', 'a'], 'tea', { text: 'Ada drinks green tea at noon' })
    await store.put(['q', 'b'], 'car', { text: 'The old car needs new tyres' })
    const [first] = await store.search(['q'], { query: 'green tea', limit: 1 })
    expect(first).toMatchObject({ key: 'tea', namespace: ['q', 'a'], score: expect.any(Number) })
    const filtered = await store.search(['q', 'b'], { query: 'car tyres' })
    expect(filtered.map(({ key }) => key)).toEqual(['car'])
  })

  test('a batch answers in order, reads before it writes, and the last write of a key counts', async () => {
    const store = await newStore()
    await store.put(['b'], 'old', { at: 0 })
    const results = await store.batch([
      { namespace: ['b'], key: 'old' },
      { namespace: ['b'], key: 'new', value: { at: 1 } },
      { namespace: ['b'], key: 'new', value: { at: 2 } },
      { namespacePrefix: ['b'] },
      { namespace: ['b'], key: 'old', value: null },
      { matchConditions: [{ matchType: 'prefix', path: ['b'] }], limit: 10, offset: 0 },
    ])
    expect(results[0]).toMatchObject({ value: { at: 0 } })
    expect(results[3]).toMatchObject([{ key: 'old' }])
    expect(results[5]).toEqual([['b']])
    expect(await store.get(['b'], 'new')).toMatchObject({ value: { at: 2 } })
    expect(await store.get(['b'], 'old')).toBeNull()
  })

  test('a batch takes more writes than one call of the service', async () => {
    const store = await newStore()
    await store.batch(Array.from({ length: 120 }, (_, at) => ({ namespace: ['many'], key: `k${at}`, value: { at } })))
    expect(await store.search(['many'], { limit: 200 })).toHaveLength(120)
  })

  test('a limit of 0 asks for nothing, with a query and without', async () => {
    const store = await newStore()
    await store.put(['none'], 'k', { text: 'green tea' })
    expect(await store.search(['none'], { limit: 0 })).toEqual([])
    expect(await store.search(['none'], { query: 'tea', limit: 0 })).toEqual([])
  })

  test('namespaces are listed by prefix, suffix, wildcard and depth', async () => {
    const store = await newStore()
    const paths = [
      ['a', 'b', 'c'],
      ['a', 'b', 'd', 'e'],
      ['a', 'x', 'c'],
      ['f', 'b', 'c'],
    ]
    for (const path of paths) await store.put(path, 'k', { at: 1 })
    const listed = (options: Parameters<BaseStore['listNamespaces']>[0]) => store.listNamespaces(options)
    expect(await listed({ prefix: ['a', 'b'] })).toEqual([paths[0], paths[1]])
    expect(await listed({ suffix: ['c'] })).toEqual([paths[0], paths[2], paths[3]])
    expect(await listed({ prefix: ['a', '*', 'c'] })).toEqual([paths[0], paths[2]])
    expect(await listed({ prefix: ['a'], maxDepth: 2 })).toEqual([
      ['a', 'b'],
      ['a', 'x'],
    ])
    expect(await listed({ limit: 2, offset: 1 })).toEqual([paths[1], paths[2]])
    expect(await listed({ prefix: ['nowhere'] })).toEqual([])
  })

  test.each([
    ['an empty namespace', []],
    ['an empty label', ['a', '']],
    ['a label with a full stop', ['a.b']],
    ['the reserved label', ['langgraph', 'x']],
  ])('%s is refused', async (_, path) => {
    const store = await newStore()
    await expect(store.put(path, 'k', { at: 1 })).rejects.toThrow(/namespace/i)
  })
}
