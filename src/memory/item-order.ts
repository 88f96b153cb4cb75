import { z } from 'zod'
import { encodeCursor, listOrder, newestFirst, oldestFirst, type Page } from '../core/http/cursor.ts'
import { toMemoryItem, type ItemRow, type MemoryItem } from './item.ts'
import type { Position } from './filter/scan.ts'

/** An order of a list of items, with the cursors that belong to it alone. */
export interface ItemOrder {
  by: 'created_at' | 'occurred_at'
  ascending: boolean
  /** The position after which a page begins; 422 where the cursor is not one of this order. */
  after(input: { cursor?: string | undefined }): Position
  page(rows: readonly ItemRow[], input: { limit: number }): Page<MemoryItem>
  cursorAt(position: Position): string
}

export const SORTS = ['-created_at', 'created_at', '-occurred_at', 'occurred_at'] as const

export const ORDERS: Record<(typeof SORTS)[number], ItemOrder> = {
  '-created_at': byCreation(false),
  created_at: byCreation(true),
  '-occurred_at': byOccurrence(false),
  occurred_at: byOccurrence(true),
}

function byCreation(ascending: boolean): ItemOrder {
  const order = ascending ? oldestFirst : newestFirst
  return {
    by: 'created_at',
    ascending,
    after: order.after,
    page: (rows, input) => order.page(rows, input, toMemoryItem),
    cursorAt: encodeCursor,
  }
}

/** Its cursors name their order, so that neither order takes a cursor of the other. */
function byOccurrence(ascending: boolean): ItemOrder {
  const order = listOrder(
    z.tuple([z.literal('occurred_at'), z.number(), z.string()]),
    ['occurred_at', ascending ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER, ''],
    (row: ItemRow): ['occurred_at', number, string] => ['occurred_at', row.occurred_at ?? row.created_at, row.id],
  )
  return {
    by: 'occurred_at',
    ascending,
    after: (input) => {
      const [, at, id] = order.after(input)
      return [at, id]
    },
    page: (rows, input) => order.page(rows, input, toMemoryItem),
    cursorAt: ([at, id]) => encodeCursor(['occurred_at', at, id]),
  }
}
