import { expect, test } from 'vitest'
import { z } from 'zod'
import { decodeCursor, encodeCursor, PageQuery, toPage } from '../../../src/core/http/cursor.ts'
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
  const page = (rows: number[]) => toPage(rows, 2, (row) => [row], String)
  expect(page([])).toEqual({ data: [], has_more: false, next_cursor: null })
  expect(page([3, 2])).toEqual({ data: ['3', '2'], has_more: false, next_cursor: null })
  expect(page([3, 2, 1])).toEqual({ data: ['3', '2'], has_more: true, next_cursor: encodeCursor([2]) })
})

test('limit is 1 to 100 and 20 by default (contract §1)', () => {
  expect(PageQuery.parse({}).limit).toBe(20)
  for (const limit of ['0', '101', '1.5', 'x', '']) expect(PageQuery.safeParse({ limit }).success).toBe(false)
})
