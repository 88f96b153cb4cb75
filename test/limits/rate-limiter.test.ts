import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { RateLimiter } from '../../src/limits/index.ts'

let count = 0
/** The storage of a real object, fresh for each test. */
const withStorage = <T>(work: (sql: SqlStorage) => T): Promise<T> =>
  runInDurableObject(env.LIMITER.getByName(`book-${(count += 1)}`), (_, state) => work(state.storage.sql))

const key = { name: 'api-key', subject: 'key_1' } as const
const read = { name: 'read', subject: 'user' } as const
const login = { name: 'login', subject: '203.0.113.1' } as const

test('a charge takes a place in every window or in none', async () => {
  await withStorage((sql) => {
    const book = new RateLimiter(sql, 1)
    for (let n = 0; n < 5; n++) expect(book.charge([key, read], 0).admitted).toBe(true)
    const refused = book.charge([key, read], 1)
    expect(refused).toMatchObject({ admitted: false, retryAt: 1_000 })
    // The refusal took nothing of the user's 20.
    expect(book.charge([read], 1)).toMatchObject({ admitted: true, limits: [{ policy: 'read', remaining: 14 }] })
  })
})

test('a refusal names the instant at which the last of its windows is free', async () => {
  await withStorage((sql) => {
    const book = new RateLimiter(sql, 1)
    for (let n = 0; n < 5; n++) book.charge([login], n * 1_000)
    for (let n = 0; n < 5; n++) book.charge([key], 5_000)
    expect(book.charge([login, key], 5_001)).toMatchObject({ admitted: false, retryAt: 60_000 })
  })
})

test('windows of a minute and more outlive the object, shorter ones need not', async () => {
  await withStorage((sql) => {
    const before = new RateLimiter(sql, 1)
    for (let n = 0; n < 5; n++) before.charge([login, key], 10)
    const after = new RateLimiter(sql, 1)
    expect(after.charge([login], 20)).toMatchObject({ admitted: false, retryAt: 60_010 })
    expect(after.charge([key], 20).admitted).toBe(true)
    expect(after.charge([login], 60_010).admitted).toBe(true)
  })
})

test('a place given back is free, also after a restart', async () => {
  await withStorage((sql) => {
    const before = new RateLimiter(sql, 1)
    for (let n = 0; n < 4; n++) before.charge([login], n)
    const last = before.charge([login], 4)
    before.release(login, last.admitted ? last.acquiredAt : 0)
    const after = new RateLimiter(sql, 1)
    expect(after.charge([login], 5).admitted).toBe(true)
    expect(after.charge([login], 6).admitted).toBe(false)
  })
})

test('LIMITS_FACTOR multiplies every number', async () => {
  await withStorage((sql) => {
    const book = new RateLimiter(sql, 3)
    for (let n = 0; n < 15; n++) expect(book.charge([key], 0).admitted).toBe(true)
    expect(book.charge([key], 0).admitted).toBe(false)
  })
})

test('what is older than the longest window is forgotten, on disk too', async () => {
  await withStorage((sql) => {
    const book = new RateLimiter(sql, 1)
    book.charge([login], 0)
    book.charge([key], 3_600_000 + 60_001)
    expect(sql.exec('select * from admissions').toArray()).toEqual([])
  })
})

test('a limiter that is evicted between attempts keeps its count', async () => {
  const limiter = env.LIMITER.getByName('evicted')
  for (let n = 0; n < 5; n++) expect((await limiter.acquire('login', 'subject')).admitted).toBe(true)
  await evictDurableObject(limiter)
  expect((await limiter.acquire('login', 'subject')).admitted).toBe(false)
})
