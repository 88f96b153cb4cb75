import type { AuthContext } from '../../core/context.ts'
import { BoundedMap } from '../../core/values/bounded-map.ts'
import { MINUTE_MS } from '../../core/values/durations.ts'
import type { ItemRecord } from '../item.ts'
import { scopeOfRows, type ReadScope } from '../filter/read-scope.ts'
import { FIRST, scan } from '../filter/scan.ts'
import { maxNarrowItems } from './ranking.ts'

/** A filter with at most this many conditions on tags and metadata stays in the statement of the search. */
const MAX_INLINE_CONDITIONS = 2

/** Metadata that looking a filter up parses, in some 0.8 s. Past it a search considers its best matches (contract §3). */
export const MAX_LOOKED_UP_BYTES = 32 * 1024 * 1024

/** The filters of a project are looked up in slices for this long. */
const LOOKED_UP_MS = 10 * MINUTE_MS
const MAX_PROJECTS = 1_000

/** The projects of this isolate whose matches had more metadata than a statement parses, with the instant until which that counts. */
const largeUntil = new BoundedMap<string, number>(MAX_PROJECTS)

const isCheap = (ctx: AuthContext, { costlyConditions, metadataConditions, projectId }: ReadScope): boolean =>
  costlyConditions <= MAX_INLINE_CONDITIONS &&
  (metadataConditions === 0 || ctx.now() >= (largeUntil.get(projectId) ?? -Infinity))

/**
 * The scope of a search, which its one statement applies to keyword matches, to semantic hits and to pending items. The
 * rows that pass a costly filter are found before, in slices. null: the caller may not see the project.
 */
export const withCheapFilter = async (ctx: AuthContext, scope: ReadScope): Promise<ReadScope | null> =>
  isCheap(ctx, scope) ? scope : lookedUp(ctx, scope)

/**
 * As `withCheapFilter`, after a statement that left items out because of their metadata. Before it ran, nobody knew how much
 * metadata its matches have.
 */
export async function withLargeMetadata(ctx: AuthContext, scope: ReadScope): Promise<ReadScope | null> {
  largeUntil.set(scope.projectId, ctx.now() + LOOKED_UP_MS)
  return lookedUp(ctx, scope)
}

async function lookedUp(ctx: AuthContext, scope: ReadScope): Promise<ReadScope | null> {
  const wanted = maxNarrowItems(ctx.config) + 1
  const found = await scan<Pick<ItemRecord, 'id' | 'row'>>({ ...ctx, db: ctx.db.heavy }, scope, {
    columns: 'i.id, i.row',
    ascending: true,
    after: FIRST,
    wanted,
    maxBytes: MAX_LOOKED_UP_BYTES,
  })
  if (!found) return null
  // A search finds enough of them soon, since so many items pass its filter.
  return found.rows.length === wanted || found.stoppedAt
    ? { ...scope, partial: true }
    : scopeOfRows(
        scope,
        found.rows.map(({ row }) => row),
      )
}
