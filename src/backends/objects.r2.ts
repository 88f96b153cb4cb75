import { AppError, unavailable } from '../core/errors.ts'
import type { ObjectStore } from '../core/ports.ts'
import { within } from '../core/values/deadline.ts'
import { toHex } from '../core/values/encoding.ts'

/** Deadlines of one call to R2, in milliseconds; past them it counts as failed. */
const OBJECT_READ_DEADLINE_MS = 5_000
const OBJECT_WRITE_DEADLINE_MS = 15_000

/** The bucket of this name in the environment; null where none is bound. */
export function objectsIn(env: object, name: string): ObjectStore | null {
  const bucket: unknown = Reflect.get(env, name)
  return isBucket(bucket) ? r2Objects(bucket) : null
}

/** Objects of an R2 bucket. An error of R2 means "try again". */
export function r2Objects(bucket: R2Bucket): ObjectStore {
  return {
    put: (key, bytes, sha256) =>
      answered(OBJECT_WRITE_DEADLINE_MS, async () => {
        await bucket.put(key, bytes, { sha256, httpMetadata: { contentType: 'application/gzip' } })
      }),
    head: (key) =>
      answered(OBJECT_READ_DEADLINE_MS, async () => {
        const head = await bucket.head(key)
        if (head === null) return null
        const { sha256 } = head.checksums
        return { bytes: head.size, sha256: sha256 ? toHex(new Uint8Array(sha256)) : null }
      }),
    get: (key) =>
      answered(OBJECT_READ_DEADLINE_MS, async () => {
        const object = await bucket.get(key)
        return object && new Uint8Array(await object.arrayBuffer())
      }),
    list: (prefix, after) =>
      answered(OBJECT_READ_DEADLINE_MS, async () => {
        const { objects, truncated } = await bucket.list({ prefix, ...(after === '' ? {} : { startAfter: after }) })
        return {
          keys: objects.map(({ key, uploaded }) => ({ key, uploadedAt: uploaded.getTime() })),
          hasMore: truncated,
        }
      }),
    delete: (keys) => answered(OBJECT_WRITE_DEADLINE_MS, () => bucket.delete([...keys])),
  }
}

async function answered<T>(deadlineMs: number, call: () => Promise<T>): Promise<T> {
  try {
    return await within(deadlineMs, call(), () => unavailable('The object store'))
  } catch (error) {
    throw error instanceof AppError ? error : unavailable('The object store', error)
  }
}

const isBucket = (value: unknown): value is R2Bucket =>
  typeof value === 'object' && value !== null && 'head' in value && typeof value.head === 'function'
