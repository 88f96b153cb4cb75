import { z } from 'zod'
import type { System } from '../core/context.ts'
import { Age, listOrder, newestFirst, oldestFirst, type Page } from '../core/http/cursor.ts'
import { readCursor, sealCursor } from '../core/http/sealed-cursor.ts'
import { toMemoryItem, type ItemRow, type MemoryItem } from './item.ts'
import type { Position } from './filter/scan.ts'

/** An order of a list of items, with the cursors that belong to it alone. */
export interface ItemOrder {
  by: 'created_at' | 'occurred_at'
  ascending: boolean
  /** The position after which a page begins; 422 where the cursor is not one of this order in this project. */
  after(system: System, projectId: string, input: { cursor?: string | undefined }): Promise<Position>
  page(rows: readonly ItemRow[], input: { limit: number }): Page<MemoryItem>
  /** The cursor of a position that may be of a hidden item. */
  cursorAt(system: System, projectId: string, position: Position): Promise<string>
}

export const SORTS = ['-created_at', 'created_at', '-occurred_at', 'occurred_at'] as const

const Occurrence = z.tuple([z.literal('occurred_at'), z.number(), z.string()])

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
    after: async (system, projectId, { cursor }) =>
      cursor ? readCursor(system, 'created_at', projectId, Age, cursor) : order.start,
    page: (rows, input) => order.page(rows, input, toMemoryItem),
    cursorAt: (system, projectId, position) => sealCursor(system, 'created_at', projectId, position),
  }
}

/** Its cursors name their order, so that neither order takes a cursor of the other. */
function byOccurrence(ascending: boolean): ItemOrder {
  const order = listOrder(
    Occurrence,
    ['occurred_at', ascending ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER, ''],
    (row: ItemRow): ['occurred_at', number, string] => ['occurred_at', row.occurred_at ?? row.created_at, row.id],
  )
  return {
    by: 'occurred_at',
    ascending,
    after: async (system, projectId, { cursor }) => {
      const [, at, id] = cursor ? await readCursor(system, 'occurred_at', projectId, Occurrence, cursor) : order.start
      return [at, id]
    },
    page: (rows, input) => order.page(rows, input, toMemoryItem),
    cursorAt: (system, projectId, [at, id]) => sealCursor(system, 'occurred_at', projectId, ['occurred_at', at, id]),
  }
}
