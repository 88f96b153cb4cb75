import type { AuthContext } from '../../core/context.ts'
import type { RankedHit } from '../../core/nearest.ts'
import type { ReadScope } from '../filter/read-scope.ts'
import { withCheapFilter, withLargeMetadata } from './cheap-filter.ts'
import { isWide, type Frequencies, type KeywordReading } from './keyword-sql.ts'
import type { Question } from './search-schema.ts'
import type { SearchRow } from './search-row.ts'
import { orDegraded, semanticHits, type SemanticHits } from './semantic.ts'
import {
  isReindexing,
  mayLend,
  readsOthers,
  rememberConversations,
  rememberFiling,
  rememberReader,
  rememberReindexing,
  runStatement,
} from './statement.ts'
import { KEYWORD_ONLY, weightsOf, type Weights } from './weights.ts'

/** An item that matches a question. */
export interface Match {
  row: SearchRow
  /** undefined: it matches by keyword, or lent by a neighbour, only. */
  hit: RankedHit | undefined
}

export interface Found {
  /** Best first. */
  matches: Match[]
  /** Matches among the candidates considered. */
  total: number
  /** Items in scope that await their embedding. */
  pending: number
  /** Other matches would be results, but those before them fill the answer. */
  leftOff: boolean
  /** Those of the scores. */
  weights: Weights
  /** Only with `tellsTerms`, and where words were looked for. */
  frequencies: Frequencies | null
  vectorId: string | null
  degraded: boolean
}

/**
 * What matches a question: one call to the vectors at most, and one statement. null: the caller may not see the project.
 * Throws 503 in `semantic` mode while model or vectors do not answer.
 */
export async function match(ctx: AuthContext, asked: ReadScope, question: Question): Promise<Found | null> {
  const scope = await withCheapFilter(ctx, asked)
  return scope && matchUntilItStands(ctx, scope, question)
}

/**
 * Runs the statement until its rows stand. It runs again for one of these reasons:
 * - `conversations`: it left neighbours out, as the project had no conversation, and has one by now.
 * - `reindexing`: items of the project are in the earlier form of the keyword index, which it had not read.
 * - `others`: the caller may read private items of others, for which it had not looked.
 * - `large-metadata`: it left items out whose metadata it would have had to parse; their filter is looked up before.
 * - `reach`, `outdated`, `crowded`: the vectors have other hits (`ReasonToAskAgain`).
 */
async function matchUntilItStands(ctx: AuthContext, asked: ReadScope, question: Question): Promise<Found | null> {
  const weights = weightsOf(ctx.embedder, question)
  let scope = asked
  let semantic = await orDegraded(ctx, question, () => semanticHits(ctx, scope, question, weights))
  for (;;) {
    const lends = mayLend(scope)
    const reading = { reindexing: isReindexing(scope), readsOthers: readsOthers(ctx, scope), isWide: isWide(scope) }
    const fused = semantic.degraded ? KEYWORD_ONLY : weights
    const rows = await runStatement(ctx, scope, question, { hits: semantic.hits, weights: fused, lends, ...reading })
    const [row] = rows
    if (!row) return null
    rememberConversations(scope, row)
    rememberReindexing(scope, row)
    rememberReader(ctx, scope, row)
    rememberFiling(scope, row)
    if (row.has_conversations && !lends) continue
    if (row.left_out) {
      const lookedUp = await withLargeMetadata(ctx, scope)
      if (!lookedUp) return null
      scope = lookedUp
      continue
    }
    const others = await orDegraded(ctx, question, () => semantic.again(row))
    if (others) semantic = { ...semantic, ...others }
    else if (!readsOther(question, row, reading)) return foundIn(rows, row, semantic, fused)
  }
}

/** The keyword index would have been read in another way. */
const readsOther = ({ mode, terms }: Question, row: SearchRow, reading: KeywordReading): boolean =>
  mode !== 'semantic' &&
  terms.present.length > 0 &&
  (row.reindexing > Number(reading.reindexing) || row.reads_others > Number(reading.readsOthers))

const foundIn = (
  rows: readonly SearchRow[],
  { total, pending, frequencies }: SearchRow,
  { hits, vectorId, degraded }: SemanticHits,
  weights: Weights,
): Found => ({
  matches: rows.filter(({ passes }) => passes).map((row) => ({ row, hit: hits[row.hit ?? -1] })),
  total: total ?? 0,
  pending,
  leftOff: rows.some((row) => row.left_off),
  weights,
  frequencies,
  vectorId,
  degraded,
})
