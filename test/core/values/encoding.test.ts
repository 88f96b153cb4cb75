import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64Url, toBase32, toBase64Url, toHex, utf8 } from '../../../src/core/values/encoding.ts'

test('base64url gives back what it took, without padding or characters that URLs escape', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const text = toBase64Url(bytes)
      expect(text).toMatch(/^[A-Za-z0-9_-]*$/)
      expect(fromBase64Url(text)).toEqual(bytes)
    }),
  )
})

test('what is not base64 is null, not an exception', () => {
  expect(fromBase64Url('a b*')).toBeNull()
})

test.each([
  ['', ''],
  ['f', 'cr'],
  ['fo', 'csqg'],
  ['foo', 'csqpy'],
  ['foobar', 'csqpyrk1e8'],
])('base32 of %j is %j (Crockford, lower case)', (text, expected) => {
  expect(toBase32(utf8(text))).toBe(expected)
})

test('hexadecimal keeps leading zeros', () => {
  expect(toHex(new Uint8Array([0, 15, 255]))).toBe('000fff')
})
