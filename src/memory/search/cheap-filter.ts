import type { AuthContext } from '../../core/context.ts'
import type { ItemRecord } from '../item.ts'
import { scopeOfRows, type ReadScope } from '../read-scope.ts'
import { FIRST, scan } from '../scan.ts'

/** A filter of so many conditions on tags and metadata stays in the statement of the search. */
const MAX_INLINE_CONDITIONS = 2

/**
 * The scope of a search, which its one statement applies to keyword matches, to semantic hits and to pending items. The
 * rows that pass a costly filter are found before, in slices. null: the caller may not see the project.
 */
export async function withCheapFilter(ctx: AuthContext, scope: ReadScope): Promise<ReadScope | null> {
  if (scope.costlyConditions <= MAX_INLINE_CONDITIONS) return scope
  const wanted = ctx.config.exactTierMax + 1
  const found = await scan<Pick<ItemRecord, 'id' | 'row'>>(ctx, scope, {
    columns: 'i.id, i.row',
    ascending: true,
    after: FIRST,
    wanted,
  })
  if (!found) return null
  // A search in a filter that so many pass finds enough of them soon.
  return found.rows.length === wanted
    ? scope
    : scopeOfRows(
        scope,
        found.rows.map(({ row }) => row),
      )
}
