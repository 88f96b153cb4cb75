import { expect, test } from 'vitest'
import { SeenIds } from '../../src/client/seen.ts'

test('an id is new once, until so many others came that it is forgotten', () => {
  const seen = new SeenIds(2)
  expect([seen.add('a'), seen.add('a'), seen.add('b'), seen.add('a')]).toEqual([true, false, true, false])
  expect(seen.add('c')).toBe(true)
  expect(seen.add('a')).toBe(true)
})
