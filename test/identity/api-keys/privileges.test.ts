import { expect, test } from 'vitest'
import { escalation, type Privileges } from '../../../src/identity/api-keys/privileges.ts'
import type { KeyPermission } from '../../../src/core/context.ts'

const own = (permissions: KeyPermission[] | null): Privileges => ({
  environment: 'live',
  scopes: ['read:memory', 'write:memory', 'admin:workspace'],
  permissions,
  expiresAt: 1_000,
})
const wanted = (changes: Partial<Privileges> = {}): Privileges => ({
  environment: 'live',
  scopes: ['read:memory'],
  permissions: null,
  expiresAt: 1_000,
  ...changes,
})
const p = (project_id: string, access: 'read' | 'write', namespaces?: string[]): KeyPermission => ({
  project_id,
  access,
  namespaces,
})

test.for<[string, KeyPermission[] | null, Partial<Privileges>, boolean]>([
  ['fewer scopes', null, {}, true],
  ['a scope that the maker lacks', null, { scopes: ['read:audit'] }, false],
  ['the right to manage keys', null, { scopes: ['admin:workspace'] }, false],
  ['an earlier end', null, { expiresAt: 999 }, true],
  ['a later end', null, { expiresAt: 1_001 }, false],
  ['no end', null, { expiresAt: null }, false],
  ['some projects out of all', null, { permissions: [p('a', 'write')] }, true],
  ['all projects out of some', [p('a', 'write')], {}, false],
  ['the same project', [p('a', 'write')], { permissions: [p('a', 'write')] }, true],
  ['reading where the maker writes', [p('a', 'write')], { permissions: [p('a', 'read')] }, true],
  ['writing where the maker reads', [p('a', 'read')], { permissions: [p('a', 'write')] }, false],
  ['another project', [p('a', 'write')], { permissions: [p('a', 'read'), p('b', 'read')] }, false],
  ['a namespace out of all', [p('a', 'write')], { permissions: [p('a', 'read', ['x'])] }, true],
  ['a namespace out of two', [p('a', 'write', ['x', 'y'])], { permissions: [p('a', 'read', ['x'])] }, true],
  ['another namespace', [p('a', 'write', ['x'])], { permissions: [p('a', 'read', ['x', 'y'])] }, false],
  ['all namespaces out of one', [p('a', 'write', ['x'])], { permissions: [p('a', 'read')] }, false],
])('a key asks for %s', ([, permissions, changes, allowed]) => {
  expect(escalation(own(permissions), wanted(changes)) === null).toBe(allowed)
})

test('a test key makes test keys only', () => {
  const testKey: Privileges = { ...own(null), environment: 'test' }
  expect(escalation(testKey, wanted())).not.toBeNull()
  expect(escalation(testKey, wanted({ environment: 'test' }))).toBeNull()
})
