import { expect, test } from 'vitest'
import { toBase64Url, toHex, utf8 } from '../../../src/core/values/encoding.ts'
import { hmacSha256, importHmacKey, parseKeyRing, sha256, timingSafeEqual } from '../../../src/core/values/hash.ts'

test('sha256 and HMAC-SHA-256 give the published vectors (FIPS 180-2; RFC 4231 case 2)', async () => {
  expect(await sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  const mac = await hmacSha256(await importHmacKey(utf8('Jefe')), utf8('what do ya want for nothing?'))
  expect(toHex(mac)).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
})

test('timingSafeEqual compares content and length', () => {
  expect(timingSafeEqual(utf8('same'), utf8('same'))).toBe(true)
  expect(timingSafeEqual(utf8('same'), utf8('sama'))).toBe(false)
  expect(timingSafeEqual(utf8('same'), utf8('same!'))).toBe(false)
})

test('a key ring keeps its order, so that the first key makes and all verify', () => {
  const key = (fill: number) => toBase64Url(new Uint8Array(32).fill(fill))
  expect(parseKeyRing('RING', `k2:${key(2)}, k1:${key(1)}`).map(({ id }) => id)).toEqual(['k2', 'k1'])
})

test.each(['', 'k1', 'k1:c2hvcnQ', 'K 1:AAAA', `k1:${'*'.repeat(43)}`])(
  'a malformed ring %j stops the start',
  (ring) => {
    expect(() => parseKeyRing('RING', ring)).toThrow(/RING must be/)
  },
)
