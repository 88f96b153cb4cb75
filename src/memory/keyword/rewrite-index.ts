import type { Database } from '../../core/database/database.ts'
import { command, PAGES_AT_ONCE } from './merge-segments.ts'
import { parseStructure, STRUCTURE_ROW, type Segment } from './segments.ts'

/** Calls of one run: about three seconds of the database, with other statements between them. */
const STEPS = 200

/** A negative number puts all segments into one merge, which the next steps go on with. */
const BEGIN = command('merge', -PAGES_AT_ONCE)
const GO_ON = command('merge', PAGES_AT_ONCE)
const STRUCTURE = `select hex(block) as block from memory_words_data where id = ${STRUCTURE_ROW}`

interface StructureRow {
  block: string
}

const structureOf = (rows: readonly StructureRow[]) =>
  parseStructure(Uint8Array.from(rows[0]?.block.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)))

/** The segments that may hold words of deleted texts: all, unless there is one without a deleted text. */
export async function segmentsToRewrite(db: Database): Promise<string[]> {
  const { segments } = structureOf(await db.all<StructureRow>(STRUCTURE))
  return isClean(segments) ? [] : segments.map(({ key }) => key)
}

const isClean = (segments: readonly Segment[]): boolean =>
  segments.length === 0 || (segments.length === 1 && segments[0]?.deletedPages === 0)

/**
 * Merges segments until none of `older` is left, in steps that hold the database for about 15 ms. False: there is more to do.
 * FTS5 drops the words of deleted texts from what it writes, but merges a large segment by itself only with one of its size.
 */
export async function rewriteSegments(db: Database, older: ReadonlySet<string>): Promise<boolean> {
  let structure = structureOf(await db.all<StructureRow>(STRUCTURE))
  for (let step = 0; ; step += 1) {
    if (isClean(structure.segments) || !structure.segments.some(({ key }) => older.has(key))) return true
    if (step >= STEPS || db.isSpent) return false
    const [, rows] = await db.batch<[never, StructureRow]>([
      db.statement(structure.isMerging ? GO_ON : BEGIN),
      db.statement(STRUCTURE),
    ])
    structure = structureOf(rows)
  }
}
