import { utf8 } from '../../core/values/encoding.ts'
import { timingSafeEqual } from '../../core/values/hash.ts'
import type { WrittenKeyRing } from '../../core/values/key-ring.ts'

/** Where operator paths begin. */
export const OPERATOR_PATH = '/v1/operator'
export const OPERATOR_REALM = 'operator'

/**
 * The id of the operator key that an `Authorization` header carries, or null. Digests are compared, of every key of the
 * ring, so that the time tells neither how much of a key is right nor which one it is.
 * A key has one spelling, that of the ring: base64 decodes several texts to the same bytes.
 */
export async function operatorOf(ring: WrittenKeyRing | null, authorization: string): Promise<string | null> {
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
  const presented = await digest(token)
  let operator: string | null = null
  for (const key of ring ?? []) {
    const same = timingSafeEqual(presented, await digest(key.text))
    operator = same ? key.id : operator
  }
  return operator
}

const digest = async (text: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text)))
