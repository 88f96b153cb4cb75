import { expect, test } from 'vitest'
import { parseScopes, SCOPE_TEXTS } from '../../../src/auth/oauth/scopes.ts'
import { SCOPES } from '../../../src/core/context.ts'

test.each([
  ['read:memory write:memory', ['read:memory', 'write:memory']],
  ['write:memory+read:memory', ['read:memory', 'write:memory']],
  ['  read:memory   read:memory ', ['read:memory']],
  ['read:memory offline_access', ['read:memory']],
  ['', []],
  [undefined, []],
  ['read:everything', null],
  ['read:memory,write:memory', null],
  ['READ:MEMORY', null],
])('%j', (text, scopes) => {
  expect(parseScopes(text)).toEqual(scopes)
})

test('every scope has its text for the consent page', () => {
  expect(Object.keys(SCOPE_TEXTS)).toEqual([...SCOPES])
})
