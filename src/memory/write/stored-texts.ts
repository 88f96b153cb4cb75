import type { AuthContext } from '../../core/context.ts'
import { portionsBySize } from '../../core/values/portions.ts'
import { ACCESS_JOINS, readableBy, readerParams } from '../access.ts'
import type { ItemRecord } from '../item.ts'
import { MAX_STORED_BYTES } from './stored-costs.ts'

type Textless = Pick<ItemRecord, 'id' | 'version' | 'text' | 'metadata'> & { cost: number }

/**
 * Fills in the texts and metadata of items that were found without them, in parts of `MAX_STORED_BYTES`: each holds the
 * database no longer than a slice of a batch does. False where an item is no longer at the version that was found.
 */
export async function readTexts(
  ctx: AuthContext,
  items: readonly Textless[],
  beforeEach: () => Promise<void>,
): Promise<boolean> {
  const named = items.filter(({ cost }) => cost > 0)
  for (const part of portionsBySize(named, MAX_STORED_BYTES, ({ cost }) => cost)) {
    await beforeEach()
    const keys = JSON.stringify(part.map(({ id, version }) => [id, version]))
    const rows = await ctx.db.all<Pick<Textless, 'id' | 'text' | 'metadata'>>(
      `select i.id, i.text, i.metadata from json_each(:items) e
        cross join memory_items i on i.id = e.value ->> 0 and i.version = e.value ->> 1 ${ACCESS_JOINS}
        where ${readableBy(ctx.principal)}`,
      { ...readerParams(ctx), items: keys },
    )
    if (rows.length < part.length) return false
    const byId = new Map(part.map((item) => [item.id, item]))
    for (const row of rows) {
      const item = byId.get(row.id)
      if (!item) throw new Error('only items of the list are read')
      item.text = row.text
      item.metadata = row.metadata
    }
  }
  return true
}
