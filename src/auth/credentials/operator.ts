import { fromBase64Url } from '../../core/values/encoding.ts'
import { timingSafeEqual, type KeyRing } from '../../core/values/hash.ts'

/** Where operator paths begin. */
export const OPERATOR_PATH = '/v1/operator'
export const OPERATOR_REALM = 'operator'

/**
 * The id of the operator key that an `Authorization` header carries, or null. Digests are compared, of every key of the
 * ring, so that the time tells neither how much of a key is right nor which one it is.
 */
export async function operatorOf(ring: KeyRing | null, authorization: string): Promise<string | null> {
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
  const presented = await digest(fromBase64Url(token) ?? new Uint8Array())
  let operator: string | null = null
  for (const key of ring ?? []) {
    const same = timingSafeEqual(presented, await digest(key.bytes))
    operator = same ? key.id : operator
  }
  return operator
}

const digest = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
