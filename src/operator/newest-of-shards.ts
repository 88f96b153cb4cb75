import type { z } from 'zod'
import type { OperatorContext } from '../core/context.ts'
import { newestFirst, type Page, type PageQuery } from '../core/http/cursor.ts'
import { DATABASES_AT_ONCE } from '../core/shards.ts'
import { inParallel } from '../core/values/in-parallel.ts'

/** The position before a page, and the most rows of one shard for it. */
export interface After {
  createdAt: number
  id: string
  limit: number
}

/** One page of a list over all shards, newest first. 503 where a shard does not answer: no list is incomplete. */
export async function newestOfShards<Row extends { created_at: number; id: string }, Item>(
  ctx: OperatorContext,
  page: z.output<typeof PageQuery>,
  rowsOf: (shard: string, after: After) => Promise<Row[]>,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const [createdAt, id] = newestFirst.after(page)
  const found = await inParallel(DATABASES_AT_ONCE, ctx.shards, (shard) =>
    rowsOf(shard, { createdAt, id, limit: page.limit + 1 }),
  )
  const rows = found.flat().sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
  return newestFirst.page(rows, page, toItem)
}
