import { BoundedMap } from '../../core/values/bounded-map.ts'
import { toBase32, utf8 } from '../../core/values/encoding.ts'
import { hmacSha256, importHmacKey, sha256, timingSafeEqual } from '../../core/values/hash.ts'
import type { KeyRing } from '../../core/values/key-ring.ts'
import type { Random } from '../../core/values/ids.ts'
import type { MintedToken, ParsedToken, Tokens } from '../../core/ports.ts'
import { TOKEN_PREFIXES, type TokenPrefix } from '../../core/values/token-prefix.ts'

export const ROUTING_ID_LENGTH = 14
const SECRET_BYTES = 20
const CHECKSUM_BYTES = 5
const MAX_PARSED = 5_000
const SHAPE = new RegExp(
  `^(${TOKEN_PREFIXES.join('|')})_([0-9a-hjkmnp-tv-z]{14})([0-9a-hjkmnp-tv-z]{32})([0-9a-hjkmnp-tv-z]{8})$`,
)

/**
 * Makes and reads tokens: a prefix, the routing id of the owner's hub, 160 random bits, and a keyed checksum of these.
 * The checksum refuses a made-up or mistyped token at the edge, without a look-up.
 */
export class TokenMint implements Tokens {
  readonly #keys: Promise<CryptoKey>[]
  /** Tokens whose checksum was right before. It says nothing about their revocation. */
  readonly #parsed = new BoundedMap<string, ParsedToken>(MAX_PARSED)

  constructor(ring: KeyRing) {
    this.#keys = ring.map((key) => importHmacKey(key.bytes))
  }

  async mint(prefix: TokenPrefix, routingId: string, random: Random): Promise<MintedToken> {
    const [current] = this.#keys
    if (!current) throw new Error('a key ring is never empty')
    return mintWith(await current, bodyOf(prefix, routingId, random))
  }

  async mintWithEachKey(prefix: TokenPrefix, routingId: string, random: Random): Promise<MintedToken[]> {
    const body = bodyOf(prefix, routingId, random)
    return Promise.all(this.#keys.map(async (key) => mintWith(await key, body)))
  }

  /** Null for every token that this service did not make. */
  async parse(token: string): Promise<ParsedToken | null> {
    const before = this.#parsed.get(token)
    if (before) return before
    const match = SHAPE.exec(token)
    if (!match) return null
    const [, prefix = '', routingId = '', , sum = ''] = match
    const body = token.slice(0, -sum.length)
    for (const key of this.#keys) {
      if (timingSafeEqual(utf8(await checksum(await key, body)), utf8(sum))) {
        const parsed = { prefix: prefix as TokenPrefix, routingId, hash: await sha256(token) }
        this.#parsed.set(token, parsed)
        return parsed
      }
    }
    return null
  }
}

const bodyOf = (prefix: TokenPrefix, routingId: string, random: Random): string =>
  `${prefix}_${routingId}${toBase32(random(SECRET_BYTES))}`

async function mintWith(key: CryptoKey, body: string): Promise<MintedToken> {
  const token = body + (await checksum(key, body))
  return { token, hash: await sha256(token) }
}

const checksum = async (key: CryptoKey, body: string): Promise<string> =>
  toBase32((await hmacSha256(key, utf8(body))).subarray(0, CHECKSUM_BYTES))

/** A routing id: the shard of the owner's tenant, then 60 random bits. It tells nothing of the user's id. */
export const newRoutingId = (shard: string, random: Random): string =>
  shard + toBase32(random(8)).slice(0, ROUTING_ID_LENGTH - shard.length)
