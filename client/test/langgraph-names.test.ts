/** @module-tag long */
import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { Recollect } from '../src/index.ts'
import { RecollectStore } from '../src/langgraph/index.ts'
import { travel } from '../../test/support/clock.ts'
import { newWriter } from '../../test/support/memory.ts'

const LONG = 'l'.repeat(70)
const D2 = 'ea25c7f16703f8163a69d4a703819f82'
const D3 = 'eae5c7e687e51adb58e1b5512a5fce8f'

/** Paths with the names that the store gave them before ids of users were namespaces, and what its items say of them. */
const OLDER: [path: string[], namespace: string, reserved: object][] = [
  [['users', 'Ada L'], 'users:Ada.20L', {}],
  [['plain', 'x'.repeat(40)], `plain:${'x'.repeat(40)}`, { d2: '2f324b0eb4a5900e9287e4674de2f298' }],
  [['users', LONG], `users:.h${D2}`, { d2: D2, namespace: ['users', LONG] }],
  [['users', LONG, 'deep'], `users:.h${D3}`, { d2: D2, d3: D3, namespace: ['users', LONG, 'deep'] }],
]

async function newStore() {
  const user = await newWriter()
  const recollect = new Recollect({
    baseUrl: 'http://recollect.test',
    credential: { sessionToken: user.headers['X-Session-Token'] ?? '' },
    fetch: (input, init) => exports.default.fetch(new Request(input, init)),
    sleep: async (ms) => travel(ms),
    maxRetries: 5,
  })
  return { recollect, store: new RecollectStore({ recollect }) }
}

/** A store whose items were written then, each with its path as value. */
async function olderStore() {
  const { recollect, store } = await newStore()
  for (const [path, namespace, reserved] of OLDER) {
    const metadata = { value: { path: path.join('/') }, langgraph: { v: 1, ...reserved } }
    await recollect.memory.store({
      content: { text: 'a blue kettle', metadata },
      context: { namespace },
      custom_id: 'k',
    })
  }
  return { recollect, store }
}

const pathsOf = (items: readonly { namespace: string[] }[]): string[] =>
  items.map(({ namespace }) => namespace.join('/')).sort()

const ALL = OLDER.map(([path]) => path.join('/')).sort()
const USERS = ALL.filter((path) => path.startsWith('users'))

test('items with older names are found by key, by path, by a query and in the list of namespaces', async () => {
  const { store } = await olderStore()
  for (const [path] of OLDER) {
    expect(await store.get(path, 'k')).toMatchObject({ value: { path: path.join('/') }, namespace: path })
    const own = await store.search(path)
    expect(pathsOf(own)).toContain(path.join('/'))
  }
  expect(pathsOf(await store.search([]))).toEqual(ALL)
  expect(pathsOf(await store.search(['users']))).toEqual(USERS)
  expect(pathsOf(await store.search(['users'], { query: 'kettle' }))).toEqual(USERS)
  expect(pathsOf(await store.search(['users', LONG]))).toEqual([`users/${LONG}`, `users/${LONG}/deep`])
  expect(pathsOf(await store.search(['users', 'Ada L'], { query: 'kettle' }))).toEqual(['users/Ada L'])
  const listed = await store.listNamespaces({ limit: 100 })
  expect(listed.map((path) => path.join('/')).sort()).toEqual(ALL)
  expect(await store.listNamespaces({ prefix: ['users', 'Ada L'] })).toEqual([['users', 'Ada L']])
})

test('what is put over an item with an older name replaces it there, and a deletion finds it', async () => {
  const { store, recollect } = await olderStore()
  for (const [path] of OLDER) {
    const before = await store.get(path, 'k')
    await store.put(path, 'k', { path: 'new' })
    expect(await store.get(path, 'k')).toMatchObject({ value: { path: 'new' }, createdAt: before?.createdAt })
  }
  await store.batch(OLDER.map(([namespace]) => ({ namespace, key: 'k', value: { path: 'newer' } })))
  expect((await store.search([])).map(({ value }) => value['path'])).toEqual(OLDER.map(() => 'newer'))
  await store.batch(OLDER.map(([namespace]) => ({ namespace, key: 'k', value: null })))
  expect(await store.search([])).toEqual([])
  expect((await recollect.memory.list({ namespace: '*' })).data).toEqual([])
})

test('items with older and with current names are one list, newest first, and one page', async () => {
  const { store } = await olderStore()
  travel(1_000)
  await store.put(['users', 'Ada L'], 'second', { path: 'current' })
  await store.put(['users', LONG], 'second', { path: 'current' })
  expect((await store.search(['users', 'Ada L'])).map(({ key }) => key)).toEqual(['second', 'k'])
  expect(await store.search(['users', 'Ada L'], { limit: 1 })).toMatchObject([{ key: 'second' }])
  expect(await store.search(['users', 'Ada L'], { limit: 1, offset: 1 })).toMatchObject([{ key: 'k' }])
  expect(pathsOf(await store.search(['users', LONG]))).toEqual([`users/${LONG}`, `users/${LONG}`, `users/${LONG}/deep`])
  expect(await store.listNamespaces({ prefix: ['users', 'Ada L'] })).toEqual([['users', 'Ada L']])
})

test('a label is escaped as an id is, and a path above 128 characters keeps its beginning', async () => {
  const { store, recollect } = await newStore()
  const long = ['users', 'x'.repeat(200)]
  await store.put(['users', 'auth0|5f7c', 'a=b é'], 'k', { at: 1 })
  await store.put(long, 'k', { at: 2 })
  const { data } = await recollect.memory.namespaces({ prefix: 'users' })
  expect(data.map(({ namespace }) => namespace)).toEqual([
    'users:auth0|5f7c:a=3Db=20=C3=A9',
    expect.stringMatching(/^users:x{98}=h[\w-]{22}$/),
  ])
  const [item] = (await recollect.memory.list({ namespace: data[1]?.namespace ?? '' })).data
  expect(item?.content.metadata).toMatchObject({ langgraph: { v: 1, namespace: long } })
  expect(await store.search(long)).toMatchObject([{ namespace: long, value: { at: 2 } }])
})

test('a key in another Unicode form is the same key', async () => {
  const { store } = await newStore()
  const [nfc, nfd] = ['caf\u00E9', 'cafe\u0301']
  await store.put(['users'], nfd, { at: 1 })
  await store.put(['users'], nfc, { at: 2 })
  expect(await store.get(['users'], nfd)).toMatchObject({ value: { at: 2 } })
  expect(await store.search(['users'])).toHaveLength(1)
  await store.delete(['users'], nfd)
  expect(await store.get(['users'], nfc)).toBeNull()
})
