import { expect, test } from 'vitest'
import { defaultProjectOf } from '../../../src/auth/credentials/default-project.ts'
import type { KeyPermission } from '../../../src/core/context.ts'

const row = { default_project_id: 'prj_own' }
const to = (project_id: string): KeyPermission => ({ project_id, access: 'write' })

test.each([
  ['without permissions has that of its user', null, 'prj_own'],
  ['with an empty list has that of its user', [], 'prj_own'],
  ['for one project has that one', [to('prj_a')], 'prj_a'],
  ['for two projects has that of its user', [to('prj_a'), to('prj_b')], 'prj_own'],
])('contract §3: a key %s', (_, permissions, project) => {
  expect(defaultProjectOf(row, permissions)).toBe(project)
})

test('a user without a default project gets none, and a limited key has its own all the same', () => {
  expect(defaultProjectOf({ default_project_id: null }, null)).toBeNull()
  expect(defaultProjectOf({ default_project_id: null }, [to('prj_a')])).toBe('prj_a')
})
