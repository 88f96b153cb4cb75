import type { VectorHit } from '../../core/vectors.ts'

/** Hits on their way out of the object: a search has 100 or more, and as objects they cost ten times as much to send. */
export interface PackedHits {
  items: string[]
  /** The numbers of each hit in the order of `pack`; NaN where the hit has none. */
  numbers: Float64Array
}

const NUMBERS = 7

/** A query of a Worker that reads packed hits says so. One of an older version does not, and gets them as they are. */
export interface ReadsPacked {
  packed?: true
}

/** Hits as an object answers them: one of an older version packs none. */
export type AnsweredHits = PackedHits | VectorHit[]

export const answered = (hits: VectorHit[], { packed }: ReadsPacked): AnsweredHits => (packed ? pack(hits) : hits)

export const hitsOf = (answer: AnsweredHits): VectorHit[] => (Array.isArray(answer) ? answer : unpack(answer))

function pack(hits: readonly VectorHit[]): PackedHits {
  const numbers = new Float64Array(hits.length * NUMBERS)
  let at = 0
  for (const { row, version, chunk, offsets, similarity, semantic } of hits) {
    numbers[at++] = row ?? NaN
    numbers[at++] = version
    numbers[at++] = chunk
    numbers[at++] = offsets?.start ?? NaN
    numbers[at++] = offsets?.end ?? NaN
    numbers[at++] = similarity
    numbers[at++] = semantic ?? NaN
  }
  return { items: hits.map(({ item }) => item), numbers }
}

const unpack = ({ items, numbers }: PackedHits): VectorHit[] =>
  items.map((item, nth) => {
    const numberAt = (place: number): number => numbers[nth * NUMBERS + place] ?? NaN
    const [row, start, semantic] = [numberAt(0), numberAt(3), numberAt(6)]
    const hit: VectorHit = {
      item,
      version: numberAt(1),
      chunk: numberAt(2),
      offsets: Number.isNaN(start) ? null : { start, end: numberAt(4) },
      similarity: numberAt(5),
      semantic: Number.isNaN(semantic) ? null : semantic,
    }
    if (!Number.isNaN(row)) hit.row = row
    return hit
  })
