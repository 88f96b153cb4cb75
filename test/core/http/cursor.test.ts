import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  decodeCursor,
  encodeCursor,
  listOrder,
  newestFirst,
  oldestFirst,
  PageQuery,
} from '../../../src/core/http/cursor.ts'
import { toBase64Url, utf8 } from '../../../src/core/values/encoding.ts'

const Position = z.tuple([z.number(), z.string()])

test('a cursor gives back its position', () => {
  expect(decodeCursor(Position, encodeCursor([12, 'prj_x']))).toEqual([12, 'prj_x'])
})

test.each([
  '',
  '*',
  'AAAA',
  toBase64Url(utf8('[1]')),
  toBase64Url(utf8('{"a":1}')),
  toBase64Url(utf8('["1\' or 1",1]')),
  '____',
])('security 28, 31: a tampered cursor %j is a 422', (cursor) => {
  expect(() => decodeCursor(Position, cursor)).toThrow(expect.objectContaining({ code: 'validation_failed' }))
})

test('a page shows `limit` rows and says whether there are more', () => {
  const descending = listOrder(z.tuple([z.number()]), [Number.MAX_SAFE_INTEGER], (row: number) => [row])
  const page = (rows: number[]) => descending.page(rows, { limit: 2 }, String)
  expect(page([])).toEqual({ data: [], has_more: false, next_cursor: null })
  expect(page([3, 2])).toEqual({ data: ['3', '2'], has_more: false, next_cursor: null })
  expect(page([3, 2, 1])).toEqual({ data: ['3', '2'], has_more: true, next_cursor: encodeCursor([2]) })
})

test('a page begins after the row that the cursor names, and without one before the first row', () => {
  expect(newestFirst.after({})).toEqual([Number.MAX_SAFE_INTEGER, ''])
  expect(oldestFirst.after({})).toEqual([0, ''])
  const rows = [1, 2].map((at) => ({ created_at: at, id: `prj_${at}` }))
  const { next_cursor } = oldestFirst.page(rows, { limit: 1 }, (row) => row.id)
  expect(oldestFirst.after({ cursor: next_cursor ?? '' })).toEqual([1, 'prj_1'])
})

test('limit is 1 to 100 and 20 by default (contract §1)', () => {
  expect(PageQuery.parse({}).limit).toBe(20)
  for (const limit of ['0', '101', '1.5', 'x', '']) expect(PageQuery.safeParse({ limit }).success).toBe(false)
})
