import { expect, test } from 'vitest'
import { encodeCursor } from '../../src/core/http/cursor.ts'
import { ORDERS, SORTS } from '../../src/memory/item-order.ts'
import { decodedCursor } from '../support/decoded-cursor.ts'
import { system } from '../support/world.ts'

const AT = [1_700_000_000_000, 'mem_hidden'] as const
const refused = { errors: [{ path: 'cursor', code: 'invalid_cursor' }] }

test.each(SORTS)(
  'security 28: a page by %s that ends at a hidden item tells neither its id nor its time',
  async (sort) => {
    const order = ORDERS[sort]
    const cursor = await order.cursorAt(system, 'prj_1', [...AT])
    expect(decodedCursor(cursor)).not.toMatch(/hidden|1700000000000/)
    expect(await order.after(system, 'prj_1', { cursor })).toEqual(AT)
    await expect(order.after(system, 'prj_2', { cursor })).rejects.toMatchObject(refused)
  },
)

test.each([
  ['created_at', [...AT]],
  ['-occurred_at', ['occurred_at', ...AT]],
] as const)('by %s a plain cursor, of an item that a page shows, goes on behind it', async (sort, position) => {
  expect(await ORDERS[sort].after(system, 'prj_1', { cursor: encodeCursor([...position]) })).toEqual(AT)
})

test('neither order takes a cursor of the other', async () => {
  const created = await ORDERS.created_at.cursorAt(system, 'prj_1', [...AT])
  const occurred = await ORDERS.occurred_at.cursorAt(system, 'prj_1', [...AT])
  await expect(ORDERS.occurred_at.after(system, 'prj_1', { cursor: created })).rejects.toMatchObject(refused)
  await expect(ORDERS.created_at.after(system, 'prj_1', { cursor: occurred })).rejects.toMatchObject(refused)
})
