import type { VectorHit } from '../../core/vectors.ts'
import type { Near, NearestItems } from './nearest-items.ts'
import type { PieceTable } from './pieces/asked-pieces.ts'
import { lateInteraction, semanticScore } from './pieces/late-interaction.ts'
import { countPieces, statedCounts } from './pieces/piece-counts.ts'

/** The input of a comparison between the pieces of a query and those of its hits. */
export interface Comparison {
  table: PieceTable
  /** Of the query. */
  pieces: Uint16Array
  /** Rarity is counted over the parts that are compared, too. Else it is the model's alone. */
  counts: boolean
}

/**
 * Hits of the nearest items, in their order, with their semantic scores where there is a comparison. An item counts by
 * the chunk with the best cosine and by the one with the best late interaction.
 */
export function rankHits(nearest: NearestItems, comparison: Comparison | null): VectorHit[] {
  const items = nearest.best()
  const interactions = comparison && bestInteractions(nearest, items, comparison)
  return items.map(({ slot, similarity }, nth) =>
    toHit(slot, similarity, comparison && semanticScore(similarity, interactions?.[nth] ?? null)),
  )
}

/** Of each item the best late interaction of its chunks; null: it has no pieces, or the query has none with a vector. */
function bestInteractions(
  nearest: NearestItems,
  items: readonly Near[],
  { table, pieces, counts }: Comparison,
): (number | null)[] {
  const best: (number | null)[] = items.map(() => null)
  const chunks = nearest.chunksOf(items)
  const rarity = counts ? countPieces(table, pieces, nearest.counted()) : statedCounts(table)
  const interactions = lateInteraction(table, pieces, rarity, chunks)
  if (interactions === null) return best
  chunks.forEach(({ nth, lists, list }, at) => {
    if (lists.lengthOf(list) > 0) best[nth] = Math.max(best[nth] ?? 0, interactions[at] ?? 0)
  })
  return best
}

function toHit(
  { item, row, version, chunk, start, end }: Near['slot'],
  cosine: number,
  score: number | null,
): VectorHit {
  const offsets = start === null || end === null ? null : { start, end }
  const similarity = rounded(cosine)
  const semantic = score === null ? null : rounded(score)
  return row === null
    ? { item, version, chunk, offsets, similarity, semantic }
    : { item, row, version, chunk, offsets, similarity, semantic }
}

const rounded = (score: number): number => Math.round(score * 1e4) / 1e4
