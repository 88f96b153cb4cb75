import { toHex, utf8 } from '../../core/values/encoding.ts'

const BYTES = 32

/** The digest of no id, in hexadecimal. */
export const NO_DIGEST = '00'.repeat(BYTES)

/** Goes on with a digest: for each id in ascending order it becomes SHA-256(digest ‖ id), with the id as UTF-8. */
export async function digestOf(digest: string, ids: readonly string[]): Promise<string> {
  let bytes = Uint8Array.from({ length: BYTES }, (_byte, at) => Number.parseInt(digest.slice(2 * at, 2 * at + 2), 16))
  for (const id of ids.toSorted())
    bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from([...bytes, ...utf8(id)])))
  return toHex(bytes)
}
