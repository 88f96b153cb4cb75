import { expect, test } from 'vitest'
import { decide, type Decision, type MemberChange } from '../../../src/identity/members/rules.ts'

const base: MemberChange = { actor: 'owner', self: false, current: 'editor', next: 'viewer', service: false, owners: 2 }

test.for<[Partial<MemberChange>, Decision]>([
  [{}, 'allowed'],
  [{ actor: 'admin' }, 'allowed'],
  [{ actor: 'admin', next: 'admin' }, 'allowed'],
  [{ actor: 'admin', next: 'owner' }, 'owners_only'],
  [{ actor: 'admin', current: 'owner' }, 'owners_only'],
  [{ actor: 'admin', current: 'owner', next: null }, 'owners_only'],
  [{ actor: 'editor' }, 'not_managed'],
  [{ actor: 'viewer', next: null }, 'not_managed'],
  [{ actor: 'editor', self: true, current: 'editor', next: 'admin' }, 'not_managed'],
  [{ actor: 'admin', self: true, current: 'admin', next: 'owner' }, 'owners_only'],
  [{ actor: 'viewer', self: true, current: 'viewer', next: null }, 'allowed'],
  [{ actor: 'editor', self: true, current: 'editor', next: 'viewer' }, 'allowed'],
  [{ current: 'owner', owners: 2 }, 'allowed'],
  [{ current: 'owner', owners: 1 }, 'last_owner'],
  [{ current: 'owner', next: null, self: true, owners: 1 }, 'last_owner'],
  [{ current: 'owner', next: 'owner', self: true, owners: 1 }, 'allowed'],
  [{ service: true, next: 'admin' }, 'service_role'],
  [{ service: true, next: 'owner' }, 'service_role'],
  [{ service: true, next: 'viewer' }, 'allowed'],
  [{ service: true, next: null }, 'allowed'],
])('%o → %s', ([change, decision]) => {
  expect(decide({ ...base, ...change })).toBe(decision)
})
