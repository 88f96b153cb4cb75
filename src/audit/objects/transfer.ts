import type { System } from '../../core/context.ts'
import { isAppError, unavailable } from '../../core/errors.ts'
import type { ObjectStore } from '../../core/ports.ts'
import { CorruptObject, unpack, type PackedObject, type PageOfObject } from './format.ts'

/** Puts an object and then asks the store for its size and hash. Throws where these differ. */
export async function putObject(objects: ObjectStore, { index, body, sha256 }: PackedObject): Promise<void> {
  await objects.put(index.key, body, sha256)
  const head = await objects.head(index.key)
  if (head?.bytes === body.byteLength && head.sha256 === sha256) return
  throw new CorruptObject(
    `${index.key} was put with ${body.byteLength} bytes, and the store has ${head ? `${head.bytes} bytes of ${head.sha256}` : 'none'}`,
  )
}

/**
 * What `read` makes of the pages of a tenant's object. Throws `dependency_unavailable` where it cannot be had whole: it is not
 * there, it is not what was stored, or no bucket is bound. Only the log says which.
 */
export async function readObject<T>(
  system: Pick<System, 'auditObjects' | 'log'>,
  tenantId: string,
  key: string,
  read: (pages: Iterable<PageOfObject>) => T,
): Promise<T> {
  try {
    if (system.auditObjects === null) throw new Error('no bucket is bound')
    const body = await system.auditObjects.get(key)
    if (body === null) throw new CorruptObject(`${key} is not in the bucket`)
    return read(await unpack(key, tenantId, body))
  } catch (error) {
    system.log.error({ event: 'audit.object_unreadable', alert: error instanceof CorruptObject, key }, error)
    throw isAppError(error) ? error : unavailable('The audit log of that time', error)
  }
}
