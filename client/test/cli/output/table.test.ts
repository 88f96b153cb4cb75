import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { columnsOf } from '../../../src/cli/io.ts'
import { table, type Column } from '../../../src/cli/output/table.ts'

const plain = (_: string, text: string) => text
const columns: Column<{ n: number; text: string }>[] = [
  { title: 'N', value: ({ n }) => String(n), right: true },
  { title: 'TEXT', value: ({ text }) => text, rest: true },
]

test('columns are as wide as their texts, and numbers stand right', () => {
  const rows = [
    { n: 7, text: 'short' },
    { n: 120, text: 'a little longer' },
  ]
  expect(table(rows, columns, 80, plain)).toBe('  N  TEXT\n  7  short\n120  a little longer')
})

test('a text that the line cannot hold is cut, and wide characters count as two columns', () => {
  const [, line = ''] = table([{ n: 1, text: '日本語のとても長い文章です' }], columns, 20, plain).split('\n')
  expect(line).toBe('1  日本語のとても長…')
  const [, family = ''] = table([{ n: 1, text: '👩‍👩‍👧‍👦'.repeat(20) }], columns, 20, plain).split('\n')
  expect(family).toBe(`1  ${'👩‍👩‍👧‍👦'.repeat(8)}…`)
})

test('a narrow terminal still gets some of the text', () => {
  const [, line = ''] = table([{ n: 1, text: 'x'.repeat(50) }], columns, 5, plain).split('\n')
  expect(line).toBe(`1  ${'x'.repeat(11)}…`)
})

test('a text of several lines is one line', () => {
  expect(table([{ n: 1, text: 'one\n\ttwo\r\nthree' }], columns, 80, plain)).toContain('one two three')
})

test('a terminal that tells no size counts as one of 80 columns', () => {
  const widths = [{ columns: 120 }, { columns: 0 }, {}].map((size) => columnsOf(Object.assign(new PassThrough(), size)))
  expect(widths).toEqual([120, 80, 80])
})
