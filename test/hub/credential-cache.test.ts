import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Credential } from '../../src/auth/index.ts'
import type { CredentialKind } from '../../src/core/context.ts'
import type { Denial } from '../../src/core/ports.ts'
import { CredentialCache } from '../../src/hub/credential-cache.ts'

let count = 0
const withStorage = <T>(work: (sql: SqlStorage) => Promise<T> | T): Promise<T> =>
  runInDurableObject(env.LIMITER.getByName(`credentials-${(count += 1)}`), (_, state) => work(state.storage.sql))

const credential = (
  changes: Partial<Credential> & { id?: string; kind?: CredentialKind; grantId?: string | null } = {},
): Credential => ({
  expiresAt: changes.expiresAt ?? null,
  resource: null,
  principal: {
    userId: 'usr_1',
    tenantId: 'ten_1',
    routingId: '00abc',
    kind: 'person',
    credential: {
      kind: changes.kind ?? 'key',
      id: changes.id ?? 'key_1',
      environment: null,
      appId: null,
      grantId: changes.grantId ?? null,
    },
    scopes: [],
    permissions: null,
    defaultProjectId: null,
  },
})

const at = (now: number) => () => now

test('fifty cold calls at once read the credential once, and later ones not at all', async () => {
  await withStorage(async (sql) => {
    const cache = new CredentialCache(sql)
    let reads = 0
    const load = async () => {
      reads += 1
      await Promise.resolve()
      return credential()
    }
    const found = await Promise.all(Array.from({ length: 50 }, () => cache.find('hash', load, at(200))))
    expect(found.every((one) => one.status === 'alive')).toBe(true)
    await cache.find('hash', load, at(200))
    expect(reads).toBe(1)
  })
})

test('a token that was not found is read again: a key that is made a moment later works', async () => {
  await withStorage(async (sql) => {
    const cache = new CredentialCache(sql)
    expect(await cache.find('hash', async () => null, at(200))).toEqual({ status: 'unknown' })
    expect((await cache.find('hash', async () => credential(), at(200))).status).toBe('alive')
  })
})

test('a read that fails is not remembered', async () => {
  await withStorage(async (sql) => {
    const cache = new CredentialCache(sql)
    const failing = cache.find('hash', () => Promise.reject(new Error('D1')), at(200))
    await expect(failing).rejects.toThrow('D1')
    expect((await cache.find('hash', async () => credential(), at(200))).status).toBe('alive')
  })
})

test('a read in flight while the credential is revoked cannot bring it back, neither now nor later', async () => {
  await withStorage(async (sql) => {
    const cache = new CredentialCache(sql)
    const read = Promise.withResolvers<Credential>()
    const pending = cache.find('hash', () => read.promise, at(200))
    cache.deny({ ids: ['key_1'] }, 200)
    // The stale row, as D1 had it before the revocation was committed.
    read.resolve(credential())
    expect(await pending).toEqual({ status: 'revoked' })
    expect(await cache.find('hash', async () => credential(), at(201))).toEqual({ status: 'revoked' })
  })
})

test('a denial outlives the object', async () => {
  await withStorage(async (sql) => {
    new CredentialCache(sql).deny({ ids: ['key_1'] }, 200)
    const cache = new CredentialCache(sql)
    expect((await cache.find('a', async () => credential(), at(300))).status).toBe('revoked')
  })
})

test('a denial of a day ago can be forgotten, and its credential leaves the cache; the others stay denied', async () => {
  await withStorage(async (sql) => {
    const day = 86_400_000
    const cache = new CredentialCache(sql)
    const mine = credential({ id: 'tok_1', kind: 'access', grantId: 'grt_1' })
    expect((await cache.find('hash', async () => mine, at(100))).status).toBe('alive')
    cache.deny({ ids: ['grt_1', 'key_1'] }, 200)
    cache.deny({ ids: ['key_2'] }, 201)
    expect(cache.longDenied(199 + day)).toEqual([])
    expect(cache.longDenied(200 + day)).toEqual(['grt_1', 'key_1'])
    cache.forget(new Set(['grt_1']))
    expect(await cache.find('hash', async () => null, at(200 + day))).toEqual({ status: 'unknown' })
    const again = new CredentialCache(sql)
    expect(again.longDenied(201 + day)).toEqual(['key_1', 'key_2'])
    expect((await again.find('a', async () => credential(), at(201 + day))).status).toBe('revoked')
  })
})

test.for<[string, Denial, Parameters<typeof credential>[0], number, 'alive' | 'revoked' | 'expired']>([
  ['another id', { ids: ['key_2'] }, {}, 300, 'alive'],
  ['its grant', { ids: ['grt_1'] }, { grantId: 'grt_1', kind: 'access', id: 'tok_1' }, 300, 'revoked'],
  ['a later instant, before it', { ids: ['key_1'], from: 400 }, {}, 399, 'alive'],
  ['a later instant, at it', { ids: ['key_1'], from: 400 }, {}, 400, 'revoked'],
  ['nothing, at its expiry', { ids: [] }, { expiresAt: 300 }, 300, 'expired'],
  ['nothing, before its expiry', { ids: [] }, { expiresAt: 300 }, 299, 'alive'],
])('denied: %s', async ([, denial, changes, now, status]) => {
  await withStorage(async (sql) => {
    const cache = new CredentialCache(sql)
    cache.deny(denial, 200)
    expect((await cache.find('hash', async () => credential(changes), at(now))).status).toBe(status)
  })
})

test('whatever is denied in whatever order stays denied: the earliest instant counts, also after restarts', async () => {
  const denials = fc.array(
    fc.record({ id: fc.constantFrom('key_1', 'key_2', 'key_3'), from: fc.integer({ min: 0, max: 1_000 }) }),
    { maxLength: 20 },
  )
  await withStorage(async (sql) => {
    await fc.assert(
      fc.asyncProperty(denials, fc.integer({ min: 0, max: 1_000 }), fc.nat(20), async (list, now, restartAt) => {
        sql.exec('drop table if exists denied_ids')
        let cache = new CredentialCache(sql)
        const earliest = new Map<string, number>()
        for (const [index, { id, from }] of list.entries()) {
          if (index === restartAt) cache = new CredentialCache(sql)
          cache.deny({ ids: [id], from }, 0)
          earliest.set(id, Math.min(from, earliest.get(id) ?? from))
        }
        for (const id of ['key_1', 'key_2', 'key_3']) {
          const found = await cache.find(id, async () => credential({ id }), at(now))
          expect(found.status).toBe((earliest.get(id) ?? Infinity) <= now ? 'revoked' : 'alive')
        }
      }),
      { numRuns: 100 },
    )
  })
})
