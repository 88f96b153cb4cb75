import type { System } from '../../core/context.ts'
import { toBase64Url, utf8 } from '../../core/values/encoding.ts'
import { hmacSha256, importHmacKey } from '../../core/values/hash.ts'
import type { RingKey } from '../../core/values/key-ring.ts'
import type { ErasureKind } from './table.ts'

/** The name of an erasure, which a receipt proves to those who know it and tells to nobody else. */
interface Named {
  tenantId: string
  kind: ErasureKind
  name: string
}

/** HMAC-SHA-256 of a name under the newest of `DATA_KEYS`: `key id.base64url`. */
export const nameHmac = ({ dataKeys: [newest] }: Pick<System, 'dataKeys'>, named: Named): Promise<string> =>
  hmacUnder(newest).then((hmacOf) => hmacOf(named))

/** Tells whether a name is that of an HMAC, under the key of the ring that made it. The key is made ready once. */
export async function nameMatcher(
  { dataKeys }: Pick<System, 'dataKeys'>,
  hmac: string,
): Promise<(named: Named) => Promise<boolean>> {
  const key = dataKeys.find(({ id }) => id === hmac.slice(0, hmac.indexOf('.')))
  if (!key) return () => Promise.resolve(false)
  const hmacOf = await hmacUnder(key)
  return async (named) => (await hmacOf(named)) === hmac
}

async function hmacUnder({ id, bytes }: RingKey): Promise<(named: Named) => Promise<string>> {
  const key = await importHmacKey(await subkeyOf(bytes))
  return async ({ tenantId, kind, name }) =>
    `${id}.${toBase64Url(await hmacSha256(key, utf8(JSON.stringify([tenantId, kind, name]))))}`
}

/** A key of its own: the ring's key seals too. */
async function subkeyOf(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return hmacSha256(await importHmacKey(bytes), utf8('recollect erasure'))
}
