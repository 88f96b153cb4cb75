import type { Database, Statement } from '../../core/database/database.ts'
import { WITHOUT_MERGES } from '../keyword/merge-segments.ts'

/** Statements of a batch, and the list that takes the rows which they return. */
export type Part = [statements: Statement[], rows?: unknown[]]

/** Runs all parts as one batch, in order. */
export async function runParts(
  db: Database,
  parts: readonly Part[],
  way?: Parameters<Database['batch']>[1],
): Promise<void> {
  const statements = parts.flatMap(([own]) => own)
  if (statements.length === 0) return
  const results = await db.batch<unknown[]>(statements, way)
  let from = 0
  for (const [{ length }, rows] of parts) {
    rows?.push(...results.slice(from, from + length).flat())
    from += length
  }
}

/** The parts of a batch in which FTS5 merges no segments of the keyword index. */
export const withoutMerges = (db: Database, parts: readonly Part[]): Part[] => [
  [WITHOUT_MERGES.before.map((sql) => db.statement(sql))],
  ...parts,
  [WITHOUT_MERGES.behind.map((sql) => db.statement(sql))],
]
