import type { RequestContext } from '../../core/context.ts'
import { toBase64Url, utf8 } from '../../core/values/encoding.ts'
import { hmacSha256, importHmacKey } from '../../core/values/hash.ts'
import { addressSubject } from '../../limits/index.ts'

/**
 * The client's network as the sessions of a user store it: hashed with the user, under each data key, newest first.
 * Without the key nobody finds the address by trying them all.
 */
export const networkHashes = (ctx: RequestContext, routingId: string): Promise<string[]> =>
  Promise.all(
    ctx.dataKeys.map(async ({ bytes }) => {
      const message = utf8(`network of a login\n${routingId}\n${addressSubject(ctx.client.ip)}`)
      return toBase64Url((await hmacSha256(await importHmacKey(bytes), message)).subarray(0, 16))
    }),
  )
