import { expect, test, vi } from 'vitest'
import { hashPassword, verifyPassword } from '../../../src/auth/passwords/password.ts'
import { addSegments } from '../../../src/backends/embedded/word-pieces.ts'
import { pieceChunks } from '../../../src/backends/embedded/piece-chunks.ts'
import { withShortMarks } from '../../../src/core/values/short-marks.ts'
import { postingsOf } from '../../../src/memory/keyword/postings.ts'
import { system } from '../../support/world.ts'

const MARKS = '\u0315\u0300'
const LONG = `kettle ${MARKS.repeat(20_000)} tea`

test('a text keeps 30 marks of each character, and all else', () => {
  expect(withShortMarks(`a${MARKS.repeat(40)}b${MARKS}c`)).toBe(`a${MARKS.repeat(15)}b${MARKS}c`)
  for (const text of ['', 'kettle', 'e\u0301'.repeat(100), `a${MARKS.repeat(15)}`])
    expect(withShortMarks(text)).toBe(text)
})

/** The longest run of marks that was put in order, which takes quadratic time. */
async function longestRun(act: () => unknown): Promise<number> {
  const spy = vi.spyOn(String.prototype, 'normalize')
  await act()
  const given = spy.mock.contexts.map(String)
  spy.mockRestore()
  return Math.max(0, ...given.flatMap((text) => text.match(/\p{M}+/gu) ?? []).map((run) => run.length))
}

test('security 33: no long run of marks is put in order: of a text that is indexed or embedded, and of a password', async () => {
  expect(await longestRun(() => postingsOf(LONG, null, { has: () => false }))).toBeLessThanOrEqual(30)
  expect(await longestRun(() => addSegments(LONG, [], () => {}))).toBeLessThanOrEqual(30)
  expect(await longestRun(() => pieceChunks(LONG))).toBeLessThanOrEqual(30)
  const stored = await hashPassword(system, 'a password for a test')
  expect(await longestRun(() => verifyPassword(system, LONG, stored))).toBe(0)
})
