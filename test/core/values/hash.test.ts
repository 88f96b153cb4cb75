import { expect, test } from 'vitest'
import { toHex, utf8 } from '../../../src/core/values/encoding.ts'
import { hmacSha256, importHmacKey, sha256, timingSafeEqual } from '../../../src/core/values/hash.ts'

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
