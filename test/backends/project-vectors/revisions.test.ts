import { expect, test } from 'vitest'
import { rememberRevision, settledRevision } from '../../../src/backends/project-vectors/revisions.ts'
import { system } from '../../support/world.ts'

test('a revision is settled where two searches in a row were told the same, within a minute', () => {
  const project = system.newId('prj')
  expect(settledRevision(project, 0)).toBeNull()
  for (const [revision, at, settled] of [
    [1, 0, null],
    [1, 59_999, 1],
    [1, 119_999, null],
    [1, 120_000, 1],
    [2, 120_001, null],
    [1, 120_002, null],
    [1, 120_003, 1],
  ] as const) {
    rememberRevision(project, revision, at)
    expect(settledRevision(project, at)).toBe(settled)
  }
  expect(settledRevision(project, 120_004)).toBe(1)
  expect(settledRevision(project, 180_003)).toBeNull()
})

test('of very many projects only the last ones are remembered', () => {
  const first = system.newId('prj')
  for (const at of [0, 1]) rememberRevision(first, 1, at)
  expect(settledRevision(first, 1)).toBe(1)
  for (let nth = 0; nth < 10_000; nth += 1) rememberRevision(`prj_many_${nth}`, 1, 1)
  expect(settledRevision(first, 1)).toBeNull()
})
