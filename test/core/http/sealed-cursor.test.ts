import { expect, test } from 'vitest'
import { z } from 'zod'
import { encodeCursor } from '../../../src/core/http/cursor.ts'
import { SealedPageQuery, sealedOrder } from '../../../src/core/http/sealed-cursor.ts'
import { systemRandom } from '../../../src/core/values/ids.ts'
import { decodedCursor } from '../../support/decoded-cursor.ts'
import { ringOf } from '../../support/key-ring.ts'

const systemOf = (...ids: string[]) => ({
  dataKeys: ringOf(ids.map((id) => `${id}:${btoa(id.padEnd(32, '.'))}`).join(',')),
  random: systemRandom,
})
const orderOf = (list: string) =>
  sealedOrder(list, z.tuple([z.string(), z.number()]), ['', 0], (name: string): [string, number] => [name, 1])
const names = orderOf('names')
const asIs = (name: string): string => name

async function cursorOf(stop: [string, number], system = systemOf('a')): Promise<string> {
  const { next_cursor } = await names(system, 'prj_1').page([], { limit: 2 }, asIs, stop)
  return next_cursor ?? ''
}

test('a page ends behind its last row, or where the look at the list stopped', async () => {
  const order = names(systemOf('a'), 'prj_1')
  const page = (rows: string[], stop: [string, number] | null) => order.page(rows, { limit: 2 }, asIs, stop)
  expect(await page(['a', 'b'], null)).toEqual({ data: ['a', 'b'], has_more: false, next_cursor: null })
  const full = await page(['a', 'b', 'c'], ['z', 9])
  expect(full).toMatchObject({ data: ['a', 'b'], has_more: true })
  expect(await order.after({ cursor: full.next_cursor ?? '' })).toEqual(['b', 1])
  const stopped = await page(['a'], ['z', 9])
  expect(stopped).toMatchObject({ data: ['a'], has_more: true })
  expect(await order.after({ cursor: stopped.next_cursor ?? '' })).toEqual(['z', 9])
  expect(await order.after({})).toEqual(['', 0])
})

test('security 28: a cursor tells no name, nor how long it is', async () => {
  const cursors = await Promise.all(['grace', 'somebody else'].map((name) => cursorOf([name, 1])))
  for (const cursor of cursors) expect(decodedCursor(cursor)).not.toMatch(/grace|somebody/)
  expect(new Set(cursors.map(({ length }) => length)).size).toBe(1)
})

test('another isolate opens a cursor, also after the keys were rotated', async () => {
  const cursor = await cursorOf(['ü', 7])
  expect(await names(systemOf('a'), 'prj_1').after({ cursor })).toEqual(['ü', 7])
  expect(await names(systemOf('b', 'a'), 'prj_1').after({ cursor })).toEqual(['ü', 7])
})

test('security 31: a cursor that was damaged, is plain, or is of other keys, another list or project is refused', async () => {
  const system = systemOf('a')
  const cursor = await cursorOf(['a', 1])
  const refused = { code: 'validation_failed', errors: [{ path: 'cursor', code: 'invalid_cursor' }] }
  const changed = cursor.slice(0, -2) + (cursor.at(-2) === 'A' ? 'B' : 'A') + cursor.slice(-1)
  for (const damaged of [changed, cursor.slice(0, -8), 'x', 'a..', '.', encodeCursor(['a', 1])])
    await expect(names(system, 'prj_1').after({ cursor: damaged })).rejects.toMatchObject(refused)
  await expect(names(systemOf('b'), 'prj_1').after({ cursor })).rejects.toMatchObject(refused)
  await expect(orderOf('others')(system, 'prj_1').after({ cursor })).rejects.toMatchObject(refused)
  await expect(names(system, 'prj_2').after({ cursor })).rejects.toMatchObject(refused)
})

test('the longest name has a cursor that the list takes back', async () => {
  const cursor = await cursorOf(['🫖'.repeat(256), Number.MIN_SAFE_INTEGER])
  expect(SealedPageQuery.parse({ cursor })).toMatchObject({ cursor })
})
