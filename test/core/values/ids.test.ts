import { expect, test } from 'vitest'
import { isId, newId, systemRandom, timeOfId } from '../../../src/core/values/ids.ts'

test('an identifier is its type prefix and a 26-character ULID of the instant (contract §1)', () => {
  const id = newId('mem', 1_795_000_000_123, systemRandom)
  expect(id).toMatch(/^mem_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
  expect(timeOfId(id)).toBe(1_795_000_000_123)
})

test('identifiers sort in the order in which they were made, within a millisecond too', () => {
  const ids = Array.from({ length: 2_000 }, (_, n) =>
    newId(n % 2 ? 'evt' : 'mem', 1_795_000_000_000 + Math.floor(n / 1_000), systemRandom),
  )
  expect(new Set(ids).size).toBe(2_000)
  const parts = ids.map((id) => id.slice(4))
  expect(parts.toSorted()).toEqual(parts)
})

test('a hundred thousand identifiers of one millisecond sort so, wherever they start', () => {
  const at = 1_795_000_000_500
  const ids = [newId('mem', at, (bytes) => new Uint8Array(bytes).fill(255))]
  while (ids.length < 100_000) ids.push(newId('mem', at, systemRandom))
  expect(ids.findIndex((id, n) => n > 0 && id <= ids[n - 1]!)).toBe(-1)
})

test('an identifier bears its own instant, also after the clock was set back', () => {
  const later = newId('mem', 1_795_000_002_000, systemRandom)
  const earlier = newId('mem', 1_795_000_001_000, systemRandom)
  expect([timeOfId(later), timeOfId(earlier)]).toEqual([1_795_000_002_000, 1_795_000_001_000])
  expect(earlier < later).toBe(true)
})

test('what follows an identifier cannot be told from it: 60 random bits are drawn for each', () => {
  const tails = Array.from({ length: 1_000 }, () => newId('mem', 1_795_000_000_000, systemRandom).slice(-12))
  expect(new Set(tails).size).toBe(1_000)
  for (let at = 0; at < 12; at += 1) expect(new Set(tails.map((tail) => tail[at])).size).toBe(32)
})

test.each([
  ['mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG', true],
  ['prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG', false],
  ['mem_01k8e3z4t7q9v6n2m5b8c1d0fg', false],
  ['mem_81K8E3Z4T7Q9V6N2M5B8C1D0FG', false],
  ['mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG ', false],
  ['', false],
])('isId("mem", %j) is %s', (value, expected) => {
  expect(isId('mem', value)).toBe(expected)
})
