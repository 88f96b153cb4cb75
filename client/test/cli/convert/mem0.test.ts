import { expect, test } from 'vitest'
import { fromMem0 } from '../../../src/cli/convert/mem0.ts'
import { linesOf as partsOf } from '../../../src/cli/convert/parts.ts'
import { NOW } from '../support/io.ts'

const linesOf = (value: unknown) =>
  fromMem0(typeof value === 'string' ? value : JSON.stringify(value), NOW).flatMap((one) =>
    'reason' in one ? [one.reason] : partsOf(one, null).map(({ line }) => JSON.parse(line)),
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
  context: { session_id: 'run-7', subject: 'arjun' },
  ttl: null,
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

test('a time without an offset is UTC; one of the future, or that cannot be read, stays in the metadata', () => {
  const times = (created_at: string, updated_at?: string) => {
    const [line] = linesOf([{ memory: 'x', created_at, updated_at }])
    return [line.created_at, line.updated_at]
  }
  expect(times('2025-03-01T10:00:00')).toEqual(['2025-03-01T10:00:00.000Z', undefined])
  expect(times('2025-03-01 10:00:00')).toEqual(['2025-03-01T10:00:00.000Z', undefined])
  expect(times('2031-01-01T00:00:00Z')).toEqual([undefined, undefined])
  expect(times('yesterday', '2025-01-01T00:00:00Z')).toEqual([undefined, undefined])
  expect(times('2025-03-01T10:00:00Z', '2025-02-01T10:00:00Z')).toEqual(['2025-03-01T10:00:00.000Z', undefined])
  const [line] = linesOf([{ memory: 'x', created_at: 'yesterday', updated_at: '2031-01-01T00:00:00Z' }])
  expect(line.content.metadata).toEqual({ created_at: 'yesterday', updated_at: '2031-01-01T00:00:00Z' })
})

test('a memory lives until the end of its expiration date in UTC; one that is over is left out', () => {
  expect(linesOf([{ memory: 'x', expiration_date: '2026-11-22' }])[0].ttl).toBe(12 * 3_600)
  expect(linesOf([{ memory: 'x', expiration_date: '2026-11-21' }])).toEqual(['it has expired'])
  expect(linesOf([{ memory: 'x', expiration_date: '2026-11-22T12:00:10Z' }])[0].ttl).toBe(10)
  expect(linesOf([{ memory: 'x', expiration_date: '2026-11-22T12:00:00Z' }])).toEqual(['it has expired'])
  for (const expiration_date of ['2099-01-01', 'never']) {
    const [line] = linesOf([{ memory: 'x', expiration_date }])
    expect([line.ttl, line.content.metadata]).toEqual([null, { expiration_date }])
  }
})

test('what has no text is left out, and the others stay', () => {
  expect(linesOf([{ id: '1' }, 7, null, { memory: '  ' }, { memory: 'x' }])).toEqual([
    ...Array.from({ length: 4 }, () => 'it has no text in "memory"'),
    {
      content: { text: 'x', metadata: {} },
      custom_id: expect.stringMatching(/^mem0:sha256:[0-9a-f]{32}$/),
      tags: [],
      ttl: null,
      context: { session_id: null },
    },
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

test('a memory without an id has one by its text and its owner, which a second import gives again', () => {
  const idsOf = (...records: object[]) => linesOf(records).map(({ custom_id }) => custom_id)
  const one = { memory: 'x', user_id: 'ada' }
  const [first, same, ...others] = idsOf(
    one,
    { ...one, agent_id: null, created_at: '2025-03-01T10:00:00Z', categories: ['food'] },
    { ...one, memory: 'y' },
    { ...one, user_id: 'bob' },
    { ...one, agent_id: 'cook' },
    { ...one, run_id: 'run-7' },
  )
  expect(same).toBe(first)
  expect(new Set([first, ...others]).size).toBe(5)
  expect(idsOf(one)).toEqual([first])
})

test('the user is the subject; one that the service would refuse is none, and a note says so', () => {
  const found = (user_id: unknown) => {
    const [one] = fromMem0(JSON.stringify([{ memory: 'x', user_id }]), NOW)
    return one && 'line' in one ? [one.line.context?.subject, one.note] : [one]
  }
  const longest = 'é'.normalize('NFD').repeat(256)
  for (const user of ['ada', 'ada lovelace', '\u{1F600}'.repeat(256), longest])
    expect(found(user)).toEqual([user, undefined])
  for (const user of [undefined, null, '', ' ']) expect(found(user)).toEqual([undefined, undefined])
  for (const user of ['x'.repeat(257), 'a\nb', 'a\u0000', '\ud800', 'a\u2028b'])
    expect(found(user)).toEqual([
      undefined,
      expect.stringContaining('its user_id is not 1 to 256 printable characters'),
    ])
})

test('categories that are no list or no texts are kept', () => {
  const [one, other] = linesOf([
    { memory: 'x', categories: 'food' },
    { memory: 'y', categories: [2024, { name: 'food' }] },
  ])
  expect(one.tags).toEqual(['food'])
  expect([other.tags, other.content.metadata]).toEqual([['2024'], { categories: [2024, { name: 'food' }] }])
})

test('a list beside the memories is named', () => {
  expect(fromMem0(JSON.stringify({ results: [RECORD], relations: [{ source: 'a' }] }), NOW).at(-1)).toEqual({
    from: 'relations',
    reason: 'no memories',
    kind: 'outside',
  })
})

test('a memory that is longer than an item becomes several items', () => {
  const memory = 'A sentence of a long page. '.repeat(3_000)
  const lines = linesOf([{ id: 'a', memory }, { memory }])
  expect(lines.map(({ custom_id, content }) => [custom_id, content.metadata])).toEqual([
    ['mem0:a#1', { part: 1, parts: 2 }],
    ['mem0:a#2', { part: 2, parts: 2 }],
    [expect.stringMatching(/^mem0:sha256:[0-9a-f]{32}#1$/), { part: 1, parts: 2 }],
    [expect.stringMatching(/^mem0:sha256:[0-9a-f]{32}#2$/), { part: 2, parts: 2 }],
  ])
  expect(
    lines
      .slice(0, 2)
      .map(({ content }) => content.text)
      .join(' '),
  ).toBe(memory.trim())
})

test('what is neither JSON nor JSON lines is refused as a whole', () => {
  expect(() => linesOf('{"memory": "x"}\nnot json\n')).toThrow('line 2')
})
