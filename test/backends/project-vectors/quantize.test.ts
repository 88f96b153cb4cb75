import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quantize } from '../../../src/backends/project-vectors/quantize.ts'

test('a quantised value is off by half a step at most', () => {
  fc.assert(
    fc.property(fc.float32Array({ minLength: 1, maxLength: 64, min: -1, max: 1, noNaN: true }), (values) => {
      const { bytes, scale } = quantize(values)
      expect(bytes).toHaveLength(values.length)
      const worst = Math.max(...values.map((value, at) => Math.abs(value - (bytes[at] ?? NaN) * scale)))
      expect(worst).toBeLessThanOrEqual(scale / 2 + 1e-6)
    }),
  )
})

test('a vector of zeros stays one', () => {
  expect(quantize(new Float32Array(3))).toEqual({ bytes: new Int8Array(3), scale: 1 })
})
