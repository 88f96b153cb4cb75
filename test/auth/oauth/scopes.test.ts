import { expect, test } from 'vitest'
import { grantableScopes, OPEN_SCOPES, parseScopes, SCOPE_TEXTS } from '../../../src/auth/oauth/scopes.ts'
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

test.each([
  ['read:memory openid profile email', ['read:memory']],
  ['read:memory admin:workspace', ['read:memory']],
  ['write:memory+read:memory', ['read:memory', 'write:memory']],
  ['openid profile email', []],
  ['openid+address+phone', []],
  ['openid groups', null],
  ['admin:workspace', null],
  ['offline_access', []],
  ['offline_access openid', []],
  [undefined, []],
  ['', []],
])('an application without an owner that asks for %j gets %j', (text, scopes) => {
  expect(grantableScopes(text, OPEN_SCOPES)).toEqual(scopes)
})
