import { expect, test } from 'vitest'
import { areOwnResources, parameter, resourceParameter } from '../../../src/auth/oauth/parameters.ts'

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

test.each([
  [[], true],
  [['https://recollect.test'], true],
  [['https://recollect.test/', 'https://recollect.test/api?x=1'], true],
  [['https://recollect.test', 'https://evil.test'], false],
  [['http://recollect.test'], false],
  [['https://recollect.test:8443'], false],
  [['https://recollect.test.evil.test'], false],
  [['https://recollect.test/#part'], false],
  [['/api'], false],
])('resources %j are served here: %s', (resources, ours) => {
  expect(areOwnResources(resources, 'https://recollect.test')).toBe(ours)
})
