import { expect, test } from 'vitest'
import { RecentIds } from '../../src/stream/recent-ids.ts'

test('an id is new once, and again after as many other ids as are kept', () => {
  const recent = new RecentIds(2)
  expect([recent.add('a'), recent.add('a'), recent.add('b'), recent.add('a')]).toEqual([true, false, true, false])
  expect(recent.add('c')).toBe(true)
  expect(recent.add('a')).toBe(true)
})
