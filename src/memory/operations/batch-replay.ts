import type { AuthContext, Principal } from '../../core/context.ts'
import { ACCESS_JOINS, accessValues, alive, readableBy } from '../access.ts'
import { ITEM_COLUMNS, toMemoryItem, type ItemRow } from '../item.ts'
import type { BatchReport, BatchResult } from './batch.ts'

/** An idempotency key keeps the report without the items, since a replay shows these as they are now. */
export const withoutItems = (report: BatchReport): string =>
  JSON.stringify({ ...report, results: report.results.map((result) => ({ ...result, item: undefined })) })

const findAllBy = (principal: Principal): string => `select ${ITEM_COLUMNS}
  from json_each(?5) e cross join memory_items i on i.id = e.value ${ACCESS_JOINS}
  where ${alive()} and ${readableBy(principal)}`

/** The report that a key keeps, with the items as they are now. */
export async function withItemsNow(ctx: AuthContext, resource: string): Promise<BatchReport> {
  const report = JSON.parse(resource) as BatchReport
  const ids = report.results.filter((result) => result.op !== 'delete').map((result) => result.id)
  const rows = await ctx.db.all<ItemRow>(findAllBy(ctx.principal), ...accessValues(ctx), JSON.stringify(ids))
  const items = new Map(rows.map((row) => [row.id, toMemoryItem(row)]))
  const withItem = (result: BatchResult): BatchResult => {
    const item = result.op === 'delete' || result.id === undefined ? undefined : items.get(result.id)
    return item ? { ...result, item } : result
  }
  return { ...report, results: report.results.map(withItem) }
}
