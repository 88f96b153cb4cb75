import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dot, quantize } from '../../src/backends/int8.ts'

test('a vector in bytes is off by half a step of its largest value at most', () => {
  fc.assert(
    fc.property(fc.float32Array({ minLength: 1, maxLength: 64, min: -1, max: 1, noNaN: true }), (values) => {
      const { bytes, scale } = quantize(values)
      expect(bytes).toHaveLength(values.length)
      const worst = Math.max(...values.map((value, at) => Math.abs(value - (bytes[at] ?? NaN) * scale)))
      expect(worst).toBeLessThanOrEqual(scale / 2 + 1e-6)
    }),
  )
})

test('nothing is nothing', () => {
  expect(quantize(new Float32Array(3))).toEqual({ bytes: new Int8Array(3), scale: 1 })
})

test('the dot product is the plain sum, wherever in a page the other vector begins', () => {
  const bytes = (length: number) => fc.int8Array({ minLength: length, maxLength: length })
  const input = fc
    .integer({ min: 1, max: 97 })
    .chain((length) => fc.tuple(bytes(length), bytes(3 * length), fc.constantFrom(0, length, 2 * length)))
  fc.assert(
    fc.property(input, ([a, page, from]) => {
      const plain = a.reduce((sum, value, at) => sum + value * (page[from + at] ?? 0), 0)
      expect(dot(a, page, from)).toBe(plain)
    }),
  )
})

test('1,536 dimensions of the largest values do not overflow', () => {
  const largest = new Int8Array(1_536).fill(127)
  expect(dot(largest, largest, 0)).toBe(127 * 127 * 1_536)
})
