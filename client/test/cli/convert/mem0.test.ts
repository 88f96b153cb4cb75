import { expect, test } from 'vitest'
import { fromMem0 } from '../../../src/cli/convert/mem0.ts'
import { NOW } from '../support/io.ts'

const linesOf = (value: unknown) =>
  fromMem0(typeof value === 'string' ? value : JSON.stringify(value), NOW).map((one) =>
    'line' in one ? JSON.parse(one.line) : one.skipped,
  )

const RECORD = {
  id: 'a1b2',
  memory: 'Arjun prefers morning meetings.',
  user_id: 'arjun',
  agent_id: null,
  run_id: 'run-7',
  metadata: { type: 'preference' },
  categories: ['meetings', 'preferences'],
  created_at: '2025-03-01T10:00:00.123456-08:00',
  updated_at: '2025-03-02T10:00:00-08:00',
}

const LINE = {
  content: { text: 'Arjun prefers morning meetings.', metadata: { type: 'preference', user_id: 'arjun' } },
  custom_id: 'mem0:a1b2',
  created_at: '2025-03-01T18:00:00.123Z',
  updated_at: '2025-03-02T18:00:00.000Z',
  tags: ['meetings', 'preferences'],
  context: { session_id: 'run-7' },
}

test('a memory with all that it has', () => {
  expect(linesOf([RECORD])).toEqual([LINE])
})

test.each([
  ['an array', [RECORD]],
  ['a page of get_all', { count: 1, next: null, previous: null, results: [RECORD] }],
  ['the open-source version', { results: [RECORD], relations: [] }],
  ['an export with a list of memories', { memories: [RECORD] }],
  ['pages as JSON lines', `${JSON.stringify({ results: [RECORD] })}\n${JSON.stringify({ results: [] })}\n`],
  ['records as JSON lines', `${JSON.stringify(RECORD)}\n\n`],
])('%s', (_, value) => {
  expect(linesOf(value)).toEqual([LINE])
})

test('a time without an offset is UTC; one of the future, or that cannot be read, is left out', () => {
  const times = (created_at: string, updated_at?: string) => {
    const [line] = linesOf([{ memory: 'x', created_at, updated_at }])
    return [line.created_at, line.updated_at]
  }
  expect(times('2025-03-01T10:00:00')).toEqual(['2025-03-01T10:00:00.000Z', undefined])
  expect(times('2025-03-01 10:00:00')).toEqual(['2025-03-01T10:00:00.000Z', undefined])
  expect(times('2031-01-01T00:00:00Z')).toEqual([undefined, undefined])
  expect(times('yesterday', '2025-01-01T00:00:00Z')).toEqual([undefined, undefined])
  expect(times('2025-03-01T10:00:00Z', '2025-02-01T10:00:00Z')).toEqual(['2025-03-01T10:00:00.000Z', undefined])
})

test('a memory lives until the end of its expiration date in UTC; one that is over is left out', () => {
  expect(linesOf([{ memory: 'x', expiration_date: '2026-11-22' }])[0].ttl).toBe(12 * 3_600)
  expect(linesOf([{ memory: 'x', expiration_date: '2026-11-21' }])).toEqual(['it has expired'])
  expect(linesOf([{ memory: 'x', expiration_date: '2099-01-01' }])[0]).not.toHaveProperty('ttl')
  expect(linesOf([{ memory: 'x', expiration_date: 'never' }])[0]).not.toHaveProperty('ttl')
})

test('what has no text is left out, and the others stay', () => {
  expect(linesOf([{ id: '1' }, 7, null, { memory: '  ' }, { memory: 'x' }])).toEqual([
    ...Array.from({ length: 4 }, () => 'it has no text in "memory"'),
    { content: { text: 'x', metadata: {} }, tags: [] },
  ])
})

test('ids and categories stay within the bounds of an item, and two long ids stay two', () => {
  const long = 'x'.repeat(200)
  const [one, other] = linesOf([
    { memory: 'x', id: `${long}1`, categories: Array.from({ length: 40 }, (_, n) => `${n}${long}`) },
    { memory: 'y', id: `${long}2` },
  ])
  expect(one.custom_id).toHaveLength(128)
  expect(other.custom_id).not.toBe(one.custom_id)
  expect(one.tags).toHaveLength(32)
  expect(Math.max(...one.tags.map((tag: string) => tag.length))).toBe(64)
})

test('what is neither JSON nor JSON lines is refused as a whole', () => {
  expect(() => linesOf('{"memory": "x"}\nnot json\n')).toThrow('line 2')
})
