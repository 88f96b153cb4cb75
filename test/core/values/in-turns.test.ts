import { expect, test } from 'vitest'
import { inTurns } from '../../../src/core/values/in-turns.ts'

const tenant = (one: string) => one.slice(0, 1)
const author = (one: string) => one.slice(0, 2)

test.each([
  { list: '', turns: '' },
  { list: 'Aa1', turns: 'Aa1' },
  { list: 'Aa1 Aa2 Aa3 Ba1', turns: 'Aa1 Ba1 Aa2 Aa3' },
  { list: 'Ba1 Aa1 Aa2 Ba2 Ca1', turns: 'Ba1 Aa1 Ca1 Ba2 Aa2' },
  // The tenant with two authors has no more turns than the one with one.
  { list: 'Aa1 Aa2 Aa3 Ab1 Ba1 Ba2 Ba3', turns: 'Aa1 Ba1 Ab1 Ba2 Aa2 Ba3 Aa3' },
])('$list taken in turns by tenants, and by the authors of each: $turns', ({ list, turns }) => {
  const split = (text: string) => text.split(' ').filter((one) => one !== '')
  expect(inTurns(split(list), tenant, author)).toEqual(split(turns))
})

test('without a party the order stays', () => {
  expect(inTurns(['b', 'a'])).toEqual(['b', 'a'])
})
