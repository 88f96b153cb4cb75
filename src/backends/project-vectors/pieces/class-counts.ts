import type { PieceLists } from './piece-lists.ts'

/** How many parts of one class in a page contain each piece. */
export interface ClassCounts {
  /** Parts that have pieces. */
  parts: number
  /** Distinct, in ascending order, and how many parts have each. */
  pieces: Uint16Array
  counts: Uint8Array
}

/** How many parts have a piece, and the pieces that were met. All counts are 0 again after each call. */
const countOf = new Uint8Array(65_536)
const met = new Uint16Array(65_536)

/** Counts the lists that `includes` names. A page has up to 64, so a count fits into a byte. */
export function countClass(lists: PieceLists, includes: (list: number) => boolean): ClassCounts {
  let distinct = 0
  let parts = 0
  for (let list = 0; list < lists.count; list++) {
    if (lists.lengthOf(list) === 0 || !includes(list)) continue
    parts += 1
    const own = lists.of(list)
    for (let at = 0; at < own.length; at++) {
      const piece = own[at] ?? 0
      const before = countOf[piece] ?? 0
      if (before === 0) met[distinct++] = piece
      countOf[piece] = before + 1
    }
  }
  const pieces = met.slice(0, distinct).sort()
  const counts = new Uint8Array(distinct)
  for (let at = 0; at < distinct; at++) {
    const piece = pieces[at] ?? 0
    counts[at] = countOf[piece] ?? 0
    countOf[piece] = 0
  }
  return { parts, pieces, counts }
}

/** Adds to `sums`, by the place of a piece among those asked, how many parts have it. `placeOf`: from 1; 0: it is not asked. */
export function addCounts(
  { pieces, counts }: ClassCounts,
  asked: readonly number[],
  placeOf: Uint16Array,
  sums: Uint32Array,
): void {
  // A search takes about ten steps. For many of them it is quicker to walk through all.
  if (asked.length * 10 > pieces.length) {
    for (let at = 0; at < pieces.length; at++) {
      const place = placeOf[pieces[at] ?? 0] ?? 0
      if (place > 0) sums[place - 1] = (sums[place - 1] ?? 0) + (counts[at] ?? 0)
    }
    return
  }
  asked.forEach((piece, nth) => {
    const at = placeIn(pieces, piece)
    if (pieces[at] === piece) sums[nth] = (sums[nth] ?? 0) + (counts[at] ?? 0)
  })
}

/** The place of the first piece that is not below this one. */
function placeIn(pieces: Uint16Array, piece: number): number {
  let low = 0
  let high = pieces.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((pieces[middle] ?? 0) < piece) low = middle + 1
    else high = middle
  }
  return low
}
