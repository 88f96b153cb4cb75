import { expect, test } from 'vitest'
import { parameter, resourceParameter } from '../../../src/auth/oauth/parameters.ts'

test('an empty parameter counts as absent; one that is sent twice or is too long is refused', () => {
  const scope = parameter('The scope.', 5)
  expect(scope.parse('a b')).toBe('a b')
  expect([scope.parse(''), scope.parse(undefined)]).toEqual([undefined, undefined])
  expect([['a', 'b'], 'longer', 1, null].map((value) => scope.safeParse(value).success)).toEqual(Array(4).fill(false))
})

test('resource may come up to eight times', () => {
  expect(resourceParameter.parse(undefined)).toEqual([])
  expect(resourceParameter.parse('https://a.test')).toEqual(['https://a.test'])
  expect(resourceParameter.parse(['https://a.test', '', 'https://b.test'])).toEqual([
    'https://a.test',
    'https://b.test',
  ])
  expect(resourceParameter.safeParse(Array(9).fill('https://a.test')).success).toBe(false)
})
