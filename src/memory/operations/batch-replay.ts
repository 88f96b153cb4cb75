import type { AuthContext, Principal } from '../../core/context.ts'
import { ACCESS_JOINS, present, readableBy, readerParams } from '../access.ts'
import { toMemoryItem, type ItemRow, type MemoryItem } from '../item.ts'
import { anyItemColumns } from '../retirement/any-item-columns.ts'
import { MAX_STORED_BYTES } from '../write/stored-costs.ts'
import type { BatchReport, BatchResult } from './batch.ts'

/** An idempotency key keeps the report without the items, since a replay shows these as they are now. */
export const withoutItems = (report: BatchReport): string =>
  JSON.stringify({ ...report, results: report.results.map((result) => ({ ...result, item: undefined })) })

/** The items of `:ids`, up to the one that passes `:max_bytes` of texts and metadata. `at`: its place in the list. */
const findAllBy = (principal: Principal): string => `
  with found as materialized (
    select e.key as at, i.row, octet_length(i.text) + octet_length(i.metadata) as size
    from json_each(:ids) e cross join memory_items i on i.id = e.value ${ACCESS_JOINS}
    where ${present()} and ${readableBy(principal)}),
  filled as (select *, sum(size) over (order by at rows unbounded preceding) as filled from found)
  select ${anyItemColumns(principal)}, at, filled from filled cross join memory_items i on i.row = filled.row ${ACCESS_JOINS}
  where filled - size < :max_bytes order by at`

type FoundRow = ItemRow & { at: number; filled: number }

/** The report that a key keeps, with the items as they are now. */
export async function withItemsNow(ctx: AuthContext, resource: string): Promise<BatchReport> {
  const report = JSON.parse(resource) as BatchReport
  const ids = report.results.flatMap(({ op, id }) => (op === 'delete' || id === undefined ? [] : [id]))
  const items = await itemsNow(ctx, [...new Set(ids)])
  const withItem = (result: BatchResult): BatchResult => {
    const item = result.op === 'delete' || result.id === undefined ? undefined : items.get(result.id)
    return item ? { ...result, item } : result
  }
  return { ...report, results: report.results.map(withItem) }
}

async function itemsNow(ctx: AuthContext, ids: readonly string[]): Promise<Map<string, MemoryItem>> {
  const items = new Map<string, MemoryItem>()
  for (let open = ids; open.length > 0;) {
    const bounds = { ids: JSON.stringify(open), max_bytes: MAX_STORED_BYTES }
    const rows = await ctx.db.all<FoundRow>(findAllBy(ctx.principal), {
      ...readerParams(ctx),
      now: ctx.now(),
      ...bounds,
    })
    for (const { at: _at, filled: _filled, ...row } of rows) items.set(row.id, toMemoryItem(row))
    const last = rows.at(-1)
    open = last && last.filled >= MAX_STORED_BYTES ? open.slice(last.at + 1) : []
  }
  return items
}
