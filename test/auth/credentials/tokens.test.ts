import { expect, test } from 'vitest'
import { TokenMint, newRoutingId } from '../../../src/auth/index.ts'
import { shardOf } from '../../../src/core/shards.ts'
import { sha256 } from '../../../src/core/values/hash.ts'
import type { KeyRing } from '../../../src/core/values/key-ring.ts'
import { systemRandom } from '../../../src/core/values/ids.ts'
import { TOKEN_PREFIXES } from '../../../src/core/values/token-prefix.ts'

const key = (id: string, byte: number) => ({ id, bytes: new Uint8Array(32).fill(byte) })
const ring: KeyRing = [key('t1', 1)]
const mint = new TokenMint(ring)
const routingId = newRoutingId('00', systemRandom)

test.for(TOKEN_PREFIXES)(
  'a token %s carries its prefix, a routing id and 160 random bits, and is parsed to the same hash',
  async (prefix) => {
    const { token, hash } = await mint.mint(prefix, routingId, systemRandom)
    expect(token).toMatch(new RegExp(`^${prefix}_${routingId}[0-9a-z]{40}$`))
    expect(hash).toBe(await sha256(token))
    expect(await mint.parse(token)).toEqual({ prefix, routingId, hash })
  },
)

test('no two tokens are alike, and a routing id begins with its shard', async () => {
  const tokens = await Promise.all(Array.from({ length: 50 }, () => mint.mint('rcs', routingId, systemRandom)))
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(50)
  expect(shardOf(routingId)).toBe('00')
  expect(routingId).toHaveLength(14)
})

test('security 25: a token with any one character changed is refused, a test key edited to live too', async () => {
  const { token } = await mint.mint('rck_test', routingId, systemRandom)
  expect(await mint.parse(token.replace('rck_test', 'rck_live'))).toBeNull()
  for (let at = 'rck_test_'.length; at < token.length; at++) {
    const other = token[at] === 'a' ? 'b' : 'a'
    expect(await mint.parse(token.slice(0, at) + other + token.slice(at + 1))).toBeNull()
  }
})

test.for([
  '',
  'rcs_',
  'x',
  'rcs_ü',
  'rcs_\0',
  `rcs_${'0'.repeat(54)}`,
  `rcs_${'i'.repeat(54)}`,
  `RCS_${'0'.repeat(54)}`,
])('what nobody made is no token: %j', async (token) => {
  expect(await mint.parse(token)).toBeNull()
})

test('a rotated token secret: old tokens still verify through the ring, until their key leaves it', async () => {
  const { token } = await mint.mint('rcs', routingId, systemRandom)
  const rotated = new TokenMint([key('t2', 2), ...ring])
  expect((await rotated.parse(token))?.routingId).toBe(routingId)
  const { token: younger } = await rotated.mint('rcs', routingId, systemRandom)
  expect(await mint.parse(younger)).toBeNull()
  expect(await new TokenMint([key('t2', 2)]).parse(token)).toBeNull()
})
