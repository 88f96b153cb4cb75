import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dotProducts } from '../../../src/backends/project-vectors/dot-products.ts'
import { PAGE_SLOTS } from '../../../src/backends/project-vectors/page.ts'

/** The same, written plainly. */
function plainDotProducts(query: Int8Array, vectors: Int8Array): number[] {
  const sums: number[] = []
  for (let from = 0; from < vectors.length; from += query.length) {
    sums.push(query.reduce((sum, value, at) => sum + value * (vectors[from + at] ?? NaN), 0))
  }
  return sums
}

const bytes = (length: number) =>
  fc.oneof(
    fc.int8Array({ minLength: length, maxLength: length }),
    fc.constantFrom(-128, -127, 127).map((extreme) => new Int8Array(length).fill(extreme)),
  )

test('each is the plain sum, for any dimension, number of vectors and earlier content of the memory', () => {
  const input = fc
    .tuple(fc.integer({ min: 1, max: 100 }), fc.nat(PAGE_SLOTS))
    .chain(([dimension, count]) => fc.tuple(bytes(dimension), bytes(count * dimension)))
  fc.assert(
    fc.property(input, ([query, vectors]) => {
      expect([...dotProducts(query, vectors)]).toEqual(plainDotProducts(query, vectors))
    }),
  )
})

test.for([768, 1_024, 1_536, 3_072, 4_099, 768])('a page of the largest values in %i dimensions', (dimension) => {
  for (const value of [-128, -127, 127]) {
    const query = new Int8Array(dimension).fill(value)
    const vectors = new Int8Array(PAGE_SLOTS * dimension).fill(-128)
    vectors.fill(127, 0, dimension)
    const far = Array.from({ length: PAGE_SLOTS - 1 }, () => -128 * value * dimension)
    expect([...dotProducts(query, vectors)]).toEqual([127 * value * dimension, ...far])
  }
})

test('the last vector may end where the memory ends', () => {
  // 4 bytes for the sum, the query with 4 bytes of padding, the vector: 512 KiB, more than any page needs.
  const ones = new Int8Array(262_140).fill(1)
  expect([...dotProducts(ones, ones)]).toEqual([262_140])
})

test('no vectors, no sums', () => {
  expect(dotProducts(new Int8Array(768).fill(1), new Int8Array(0))).toHaveLength(0)
})
