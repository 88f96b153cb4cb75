import { expect, test } from 'vitest'
import { readQuestion } from '../../../src/cli/eval/question.ts'

const read = (line: unknown, context = {}) =>
  readQuestion('line 7', typeof line === 'string' ? line : JSON.stringify(line), context)

test('a line has its own context, else that of the options', () => {
  const line = { query: 'tea', expected: ['a', 'b', 'a'] }
  expect(read(line, { namespace: 'n' })).toEqual({
    from: 'line 7',
    query: 'tea',
    expected: ['a', 'b'],
    context: { namespace: 'n' },
    filters: undefined,
    reference_date: undefined,
  })
  const own = {
    ...line,
    context: { project_id: 'prj_1' },
    filters: { tags: ['x'] },
    reference_date: '2026-01-31T10:00:00+01:00',
  }
  const { context, filters, reference_date } = own
  expect(read(own, { namespace: 'n' })).toMatchObject({ context, filters, reference_date })
})

test.each([
  ['{"query": "tea"', 'it is not a JSON object'],
  ['["tea"]', 'it is not a JSON object'],
  [{ query: 'tea', expected: [], reference_date: 7 }, 'reference_date must be a text'],
  [{ query: 'tea', expect: [] }, 'unknown field "expect"'],
  [{ query: ' ', expected: [] }, 'query must be a text'],
  [{ query: 7, expected: [] }, 'query must be a text'],
  [{ query: 'tea' }, 'expected must be a list'],
  [{ query: 'tea', expected: 'a' }, 'expected must be a list'],
  [{ query: 'tea', expected: [1] }, 'expected must be a list'],
  [{ query: 'tea', expected: [''] }, 'expected must be a list'],
  [{ query: 'tea', expected: [], context: null }, 'context must be an object'],
  [{ query: 'tea', expected: [], filters: [] }, 'filters must be an object'],
  ['{"query": "tea", "expected": [], "filters": {"metadata.id": 12345678901234567}}', 'do not keep 12345678901234567'],
])('%j is an error of its line', (line, message) => {
  expect(read(line)).toEqual({ from: 'line 7', message: expect.stringContaining(message) })
})
