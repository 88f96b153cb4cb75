import { expect, test } from 'vitest'
import { isId, newId, systemRandom, timeOfId } from '../../../src/core/values/ids.ts'

test('an identifier is its type prefix and a 26-character ULID of the instant (contract §1)', () => {
  const id = newId('mem', 1_795_000_000_123, systemRandom)
  expect(id).toMatch(/^mem_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
  expect(timeOfId(id)).toBe(1_795_000_000_123)
})

test('identifiers of later milliseconds sort later, and no two of one millisecond are equal', () => {
  const ids = Array.from({ length: 1_000 }, () => newId('evt', 1_795_000_000_000, systemRandom))
  expect(new Set(ids).size).toBe(1_000)
  expect(newId('evt', 1_795_000_000_001, systemRandom) > (ids.sort().at(-1) ?? '')).toBe(true)
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
