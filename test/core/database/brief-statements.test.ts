import { expect, test } from 'vitest'
import { BriefStatements } from '../../../src/core/database/brief-statements.ts'

const result = (rowsRead: number, results: unknown[] = []): D1Result =>
  ({ results, success: true, meta: { rows_read: rowsRead } }) as unknown as D1Result

test('a statement may share its round trip where the last one of its key was brief', () => {
  const statements = new BriefStatements()
  expect(statements.mayShare('a')).toBe(false)
  statements.remember('a', result(20_000))
  expect([statements.mayShare('a'), statements.mayShare('b')]).toEqual([true, false])
  statements.remember('a', result(20_001))
  expect(statements.mayShare('a')).toBe(false)
})

test('what it answers counts by the texts of all rows', () => {
  const statements = new BriefStatements()
  const half = 'x'.repeat(32_768)
  statements.remember(
    'a',
    result(2, [
      { id: half, n: 1_000_000 },
      { id: half, n: null },
    ]),
  )
  expect(statements.mayShare('a')).toBe(true)
  statements.remember('a', result(2, [{ id: half }, { id: half, tag: 'x' }]))
  expect(statements.mayShare('a')).toBe(false)
})

test('it remembers the 10,000 keys of the newest statements', () => {
  const statements = new BriefStatements()
  for (let n = 0; n <= 10_000; n += 1) statements.remember(`key ${n}`, result(1))
  expect(['key 0', 'key 1', 'key 10000'].map((key) => statements.mayShare(key))).toEqual([false, true, true])
})

test('the first statement of a key is not heavy; those are that come before its answer, and behind one that was not brief', () => {
  const statements = new BriefStatements()
  expect(['a', 'a', 'b', 'a'].map((key) => statements.beginsHeavy(key))).toEqual([false, true, false, true])
  statements.remember('a', result(1))
  statements.remember('b', result(20_001))
  expect(['a', 'b'].map((key) => statements.beginsHeavy(key))).toEqual([false, true])
  expect(['a', 'b', 'c'].map((key) => statements.mayShare(key))).toEqual([true, false, false])
})
