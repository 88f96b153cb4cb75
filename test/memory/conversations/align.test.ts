import fc from 'fast-check'
import { expect, test } from 'vitest'
import { align } from '../../../src/memory/conversations/align.ts'

const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 7 })

/** Every common subsequence, as places in `sent` and `stored`. */
function common(sent: readonly string[], stored: readonly string[], from = [0, 0]): [number, number][][] {
  const [i = 0, j = 0] = from
  const found: [number, number][][] = [[]]
  for (let a = i; a < sent.length; a++)
    for (let b = j; b < stored.length; b++)
      if (sent[a] === stored[b])
        found.push(...common(sent, stored, [a + 1, b + 1]).map((rest): [number, number][] => [[a, b], ...rest]))
  return found
}

test('it is a longest common subsequence, of several the one that ends first in what is sent', () => {
  fc.assert(
    fc.property(words, words, (sent, stored) => {
      const places = align(sent, stored)
      const pairs = [...places.entries()].flatMap(([i, j]) => (j === null ? [] : [[i, j] as const]))
      for (const [n, [i, j]] of pairs.entries()) {
        expect(sent[i]).toBe(stored[j])
        expect(j).toBeGreaterThan(pairs[n - 1]?.[1] ?? -1)
      }
      const all = common(sent, stored)
      const longest = Math.max(...all.map(({ length }) => length))
      expect(pairs).toHaveLength(longest)
      const ends = all.filter(({ length }) => length === longest).map((one) => one.at(-1)?.[0] ?? -1)
      expect(pairs.at(-1)?.[0] ?? -1).toBe(Math.min(...ends))
    }),
  )
})

test('equal texts match the newest that is stored', () => {
  expect(align(['yes'], ['yes', 'no', 'yes'])).toEqual([2])
})
