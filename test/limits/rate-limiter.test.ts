import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { RateLimiter } from '../../src/limits/index.ts'

/** The storage of a real object, fresh for each test. */
const withStorage = <T>(work: (sql: SqlStorage) => T): Promise<T> =>
  runInDurableObject(env.LIMITER.getByName(crypto.randomUUID()), (_, state) => work(state.storage.sql))

const key = { name: 'api-key', subject: 'key_1' } as const
const read = { name: 'read', subject: 'user' } as const
const login = { name: 'login', subject: '203.0.113.1' } as const

test('a call acquires all of its permits or none', async () => {
  await withStorage((sql) => {
    const limiter = new RateLimiter(sql, 1)
    for (let n = 0; n < 5; n++) expect(limiter.acquire([key, read], 0).admitted).toBe(true)
    const refused = limiter.acquire([key, read], 1)
    expect(refused).toMatchObject({ admitted: false, retryAt: 1_000 })
    // The refusal acquired none of the user's 20.
    expect(limiter.acquire([read], 1)).toMatchObject({ admitted: true, limits: [{ policy: 'read', remaining: 14 }] })
  })
})

test('a permit that is named several times is so many permits of one window, and all or none of them', async () => {
  await withStorage((sql) => {
    const limiter = new RateLimiter(sql, 1)
    const four = [read, read, read, read]
    for (let n = 0; n < 4; n++) limiter.acquire(four, n)
    expect(limiter.acquire([read], 4).limits).toMatchObject([{ policy: 'read', remaining: 3 }])
    expect(limiter.acquire(four, 5)).toMatchObject({ admitted: false, retryAt: 1_000, limits: [{ remaining: 3 }] })
    expect(limiter.acquire([read, read, read], 5)).toMatchObject({ admitted: true, limits: [{ remaining: 0 }] })
  })
})

test('a refusal names the instant at which all permits are available', async () => {
  await withStorage((sql) => {
    const limiter = new RateLimiter(sql, 1)
    for (let n = 0; n < 5; n++) limiter.acquire([login], n * 1_000)
    for (let n = 0; n < 5; n++) limiter.acquire([key], 5_000)
    expect(limiter.acquire([login, key], 5_001)).toMatchObject({ admitted: false, retryAt: 60_000 })
  })
})

test('windows of a minute and more outlive a restart, shorter ones need not', async () => {
  await withStorage((sql) => {
    const before = new RateLimiter(sql, 1)
    for (let n = 0; n < 5; n++) before.acquire([login, key], 10)
    const after = new RateLimiter(sql, 1)
    expect(after.acquire([login], 20)).toMatchObject({ admitted: false, retryAt: 60_010 })
    expect(after.acquire([key], 20).admitted).toBe(true)
    expect(after.acquire([login], 60_010).admitted).toBe(true)
  })
})

test('a released permit is available, also after a restart', async () => {
  await withStorage((sql) => {
    const before = new RateLimiter(sql, 1)
    for (let n = 0; n < 4; n++) before.acquire([login], n)
    const last = before.acquire([login], 4)
    before.release(login, last.admitted ? last.acquiredAt : 0)
    const after = new RateLimiter(sql, 1)
    expect(after.acquire([login], 5).admitted).toBe(true)
    expect(after.acquire([login], 6).admitted).toBe(false)
  })
})

test('LIMITS_FACTOR multiplies every limit', async () => {
  await withStorage((sql) => {
    const limiter = new RateLimiter(sql, 3)
    for (let n = 0; n < 15; n++) expect(limiter.acquire([key], 0).admitted).toBe(true)
    expect(limiter.acquire([key], 0).admitted).toBe(false)
  })
})

test('permits older than the longest window are deleted, on disk too', async () => {
  await withStorage((sql) => {
    const limiter = new RateLimiter(sql, 1)
    limiter.acquire([login], 0)
    limiter.acquire([key], 3_600_000 + 60_001)
    expect(sql.exec('select * from admissions').toArray()).toEqual([])
  })
})

test('a limiter that is evicted between attempts keeps its permits', async () => {
  const limiter = env.LIMITER.getByName(crypto.randomUUID())
  for (let n = 0; n < 5; n++) expect((await limiter.acquire(['login'], 'subject')).admitted).toBe(true)
  await evictDurableObject(limiter)
  expect((await limiter.acquire(['login'], 'subject')).admitted).toBe(false)
})

test('a limit may change between two calls: the permits that are held count on', async () => {
  await withStorage((sql) => {
    let limit = 5
    const limiter = new RateLimiter(sql, 1, () => ({ limit, windowMs: 60_000, per: 'user' }))
    const publish = { name: 'events.publish', subject: 'user' } as const
    for (let n = 0; n < 5; n++) expect(limiter.acquire([publish], n).admitted).toBe(true)
    limit = 7
    for (let n = 5; n < 7; n++) expect(limiter.acquire([publish], n).admitted).toBe(true)
    limit = 2
    // Five of the seven must expire before one fits.
    expect(limiter.acquire([publish], 10)).toMatchObject({
      admitted: false,
      retryAt: 60_005,
      limits: [{ limit: 2, remaining: 0 }],
    })
    expect(limiter.acquire([publish], 60_005).admitted).toBe(true)
  })
})

test('a large limit of a minute leaves its permits of a minute on disk, and not those of an hour', async () => {
  await withStorage((sql) => {
    const limiter = new RateLimiter(sql, 1, () => ({ limit: 60_000, windowMs: 60_000, per: 'user' }))
    const publish = { name: 'events.publish', subject: 'user' } as const
    for (let minute = 0; minute < 10; minute++)
      for (let n = 0; n < 100; n++) limiter.acquire([publish], minute * 60_001 + n)
    const [row] = sql.exec<{ held: number }>('select count(*) as held from admissions').toArray()
    expect(row?.held).toBeLessThanOrEqual(200)
  })
})
