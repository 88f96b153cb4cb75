/** Reads the record in which FTS5 lists the segments of its index (fts5_index.c, `fts5StructureDecode`). */

/** Of `memory_words_data`. */
export const STRUCTURE_ROW = 10

export interface Segment {
  /** Unique among all that ever were: FTS5 reuses numbers, but counts the commits whose words a segment holds. */
  key: string
  /** Pages that list deleted texts whose words are still there. */
  deletedPages: number
}

interface Structure {
  segments: Segment[]
  /** FTS5 has begun to merge segments and goes on with these first. */
  isMerging: boolean
}

/** Behind the cookie, in an index that lists its deleted texts. */
const V2 = [0xff, 0, 0, 1]

export function parseStructure(record: Uint8Array): Structure {
  if (V2.some((byte, at) => record[4 + at] !== byte)) throw new Error('the keyword index is of another form')
  let at = 8
  const next = (): number => {
    let value = 0
    // A varint of SQLite has up to nine bytes; those of this record are far below 2^53.
    for (let length = 1; ; length += 1) {
      const byte = record[at++]
      if (byte === undefined || length > 7) throw new Error('the record of the keyword index is damaged')
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
  }
  const levels = next()
  next() // Segments of all levels.
  next() // Pages written so far.
  const structure: Structure = { segments: [], isMerging: false }
  for (let level = 0; level < levels; level += 1) {
    if (next() > 0) structure.isMerging = true
    for (let left = next(); left > 0; left -= 1) {
      const [number, , , first, last, deletedPages] = Array.from({ length: 8 }, next)
      structure.segments.push({ key: `${number}:${first}:${last}`, deletedPages: deletedPages ?? 0 })
    }
  }
  return structure
}
