import { expect, test } from 'vitest'
import { exactJson } from '../../../src/cli/convert/integers.ts'
import { frontMatterOf } from '../../../src/cli/convert/front-matter.ts'

const read = (...lines: string[]) => frontMatterOf(`---\n${lines.join('\n')}\n---\nText`)

test.each([
  ['Jekyll', '2024-05-01 10:00:00 +0200', '2024-05-01T08:00:00.000Z'],
  ['Hexo', '2024/05/01 10:00:00', '2024-05-01T10:00:00.000Z'],
  ['Hugo', '2024-05-01T10:00:00.5-03:30', '2024-05-01T13:30:00.500Z'],
  ['Obsidian', '2024-05-01', '2024-05-01T00:00:00.000Z'],
  ['words', 'May 3, 2024', '2024-05-03T00:00:00.000Z'],
])('the date of %s', (_, date, instant) => {
  const { fields, metadata } = read('title: T', `date: ${date}`)
  expect(fields.occurred_at).toBe(instant)
  expect(metadata).toEqual({ title: 'T' })
})

test.each(['03/04/2024', '2024-02-30', 'Friday', 'May 3', '2024', 'around May 3, 2024', '[2024-05-01]'])(
  'a date that is none, or has two readings, stays in the metadata: %s',
  (date) => {
    const { fields, metadata } = read(`date: ${date}`)
    expect(fields.occurred_at).toBe(null)
    expect(exactJson('a', metadata['date'])).toContain(date.replace(/[[\]]/g, ''))
  },
)

test('the second of two dates is not lost', () => {
  expect(read('date: 2024-05-01', 'created: 2024-01-01')).toMatchObject({
    fields: { occurred_at: '2024-05-01T00:00:00.000Z' },
    metadata: { created: '2024-01-01' },
  })
  expect(read('date: soon', 'created: 2024-01-01')).toMatchObject({
    fields: { occurred_at: '2024-01-01T00:00:00.000Z' },
    metadata: { date: 'soon' },
  })
})

test.each([
  ['[2024, 1.10, true, "#hot", null]', ['2024', '1.10', 'true', 'hot']],
  ['2024', ['2024']],
  ['"[alpha, beta]"', ['alpha', 'beta']],
  ['machine learning, food', ['machine learning', 'food']],
  ['drinks cold', ['drinks', 'cold']],
  ['', []],
])('tags: %s', (text, tags) => {
  const { fields, metadata } = read(`tags: ${text}`)
  expect(fields.tags).toEqual(tags)
  expect(metadata).toEqual({})
})

test.each([
  ['{a: 1}', []],
  ['[{a: 1}, b]', ['b']],
  [`[${'x'.repeat(70)}]`, ['x'.repeat(64)]],
  [JSON.stringify(Array.from({ length: 33 }, (_, n) => `t${n}`)), Array.from({ length: 32 }, (_, n) => `t${n}`)],
])('tags that an item cannot have stay in the metadata: %s', (text, tags) => {
  const { fields, metadata } = read(`tags: ${text}`)
  expect(fields.tags).toEqual(tags)
  expect(metadata).toHaveProperty('tags')
})

test('a number that JSON would change is kept as it stands there, or named where it becomes a line', () => {
  const { metadata } = read('id: 12345678901234567890', 'top: .inf', 'n: 7')
  expect(() => exactJson('a.md', metadata)).toThrow('a.md: "id"')
  expect(JSON.parse(exactJson('a.md', metadata, true))).toEqual({ id: '12345678901234567890', top: 'Infinity', n: 7 })
})

test('front matter of another kind stays in the text, and is named', () => {
  const toml = '+++\ntitle = "T"\n+++\nText'
  expect(frontMatterOf(toml)).toMatchObject({ text: toml, note: expect.stringContaining('TOML') })
  expect(read('title: Plan: the big one', 'tags: [alpha]')).toMatchObject({
    text: expect.stringContaining('Plan: the big one'),
    note: expect.stringContaining('line 2'),
  })
  // A text between two lines is no front matter.
  expect(read('A motto')).toEqual({
    text: '---\nA motto\n---\nText',
    fields: { tags: [], occurred_at: null },
    metadata: {},
  })
})
