import { env } from 'cloudflare:workers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { objectsIn, r2Objects } from '../../src/backends/objects.r2.ts'
import { toHex, utf8 } from '../../src/core/values/encoding.ts'

const objects = r2Objects(env.TEST_BUCKET)
const hashOf = async (bytes: Uint8Array<ArrayBuffer>) =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
const newKey = () => `test/${crypto.randomUUID()}`

test('an object comes back as it was put, with its size and hash, and replaces one of its key', async () => {
  const key = newKey()
  expect([await objects.head(key), await objects.get(key)]).toEqual([null, null])
  for (const text of ['one', 'another', '']) {
    const bytes = utf8(text)
    const sha256 = await hashOf(bytes)
    await objects.put(key, bytes, sha256)
    expect(await objects.get(key)).toEqual(bytes)
    expect(await objects.head(key)).toEqual({ bytes: bytes.byteLength, sha256 })
  }
  await objects.delete([key, newKey()])
  expect(await objects.get(key)).toBeNull()
})

test('bytes that are not those of the hash are refused, and nothing is stored', async () => {
  const key = newKey()
  await expect(objects.put(key, utf8('one'), await hashOf(utf8('two')))).rejects.toMatchObject({
    code: 'dependency_unavailable',
  })
  expect(await objects.head(key)).toBeNull()
})

test('a thousand keys are erased in one call', async () => {
  const keys = Array.from({ length: 1_000 }, newKey)
  const bytes = utf8('x')
  const sha256 = await hashOf(bytes)
  for (const key of keys.slice(0, 3)) await objects.put(key, bytes, sha256)
  await objects.delete(keys)
  expect(await Promise.all(keys.slice(0, 3).map((key) => objects.head(key)))).toEqual([null, null, null])
})

test('keys that begin alike are listed in their order, from the first one on or behind one of them', async () => {
  const prefix = `${newKey()}/`
  expect(await objects.list(prefix, '')).toEqual({ keys: [], hasMore: false })
  for (const key of ['b', 'a', 'c']) await objects.put(`${prefix}${key}`, utf8(key), await hashOf(utf8(key)))
  const { keys, hasMore } = await objects.list(prefix, '')
  expect([keys.map(({ key }) => key), hasMore]).toEqual([['a', 'b', 'c'].map((key) => prefix + key), false])
  for (const { uploadedAt } of keys) expect(Math.abs(Date.now() - uploadedAt)).toBeLessThan(3_600_000)
  expect((await objects.list(prefix, `${prefix}a`)).keys.map(({ key }) => key)).toEqual([`${prefix}b`, `${prefix}c`])
})

test.each(['get', 'head', 'list', 'put', 'delete'] as const)(
  '%s that fails or does not answer in time is 503',
  async (call) => {
    const asked = {
      get: (by: typeof objects) => by.get('k'),
      head: (by: typeof objects) => by.head('k'),
      list: (by: typeof objects) => by.list('k', ''),
      put: (by: typeof objects) => by.put('k', utf8(''), ''),
      delete: (by: typeof objects) => by.delete(['k']),
    }[call]
    const bucket = (answer: () => Promise<never>) => ({ [call]: answer }) as unknown as R2Bucket
    const failing = r2Objects(bucket(() => Promise.reject(new Error('get: We encountered an internal error. (10001)'))))
    await expect(asked(failing)).rejects.toMatchObject({ code: 'dependency_unavailable' })
    const timer = vi.spyOn(globalThis, 'setTimeout').mockImplementation((late) => {
      queueMicrotask(late)
      return 0 as never
    })
    onTestFinished(() => timer.mockRestore())
    await expect(asked(r2Objects(bucket(() => new Promise(() => {}))))).rejects.toMatchObject({
      code: 'dependency_unavailable',
    })
    expect(timer.mock.calls.map(([, ms]) => ms)).toEqual([call === 'put' || call === 'delete' ? 15_000 : 5_000])
  },
)

test('a bucket is found by its name, and nothing else is taken for one', () => {
  expect(objectsIn({ AUDIT_BUCKET: env.TEST_BUCKET }, 'AUDIT_BUCKET')).not.toBeNull()
  for (const value of [undefined, null, '', 'name', {}, 7])
    expect(objectsIn({ AUDIT_BUCKET: value }, 'AUDIT_BUCKET')).toBeNull()
})
