import { expect, test } from 'vitest'
import { didYouMean, nearName } from '../../../src/core/values/near-name.ts'

const KNOWN = ['tags', 'ttl', 'content', 'context']

test.each([
  ['tag', 'tags'],
  ['tagz', 'tags'],
  ['Content', 'content'],
  ['contnt', 'content'],
  ['conetnt', 'content'],
  ['contex', 'context'],
])('%s means %s', (name, meant) => expect(nearName(name, KNOWN)).toBe(meant))

test.each(['', 'x', 'to', 'metadata', 'tt', 'c'.repeat(100_000)])('a name like none means none: %s', (name) => {
  expect(nearName(name, KNOWN)).toBeNull()
  expect(didYouMean(name, KNOWN)).toBe('')
})
