import type { AuthContext } from '../../core/context.ts'
import { BoundedMap } from '../../core/values/bounded-map.ts'
import { inSpan } from '../../core/spans.ts'
import type { ReadScope } from '../filter/read-scope.ts'
import { mayHaveOthers, rememberOthers } from './other-models.ts'
import { RecentProjects } from './recent-projects.ts'
import { recencyParams, type Recency } from './recency.ts'
import { searchSql, type Ranking, type SearchParams, type SearchRow } from './search-sql.ts'
import { hitsJson, type ScoredHit } from './semantic-sql.ts'
import { runSearch } from './shared-search.ts'
import type { Weights } from './weights.ts'

/** The input of a search's statement, besides its scope. */
export interface Question {
  /** Of `queryTerms`; empty in `semantic` mode, and then no keyword is looked for. */
  terms: readonly string[]
  /** Least cosine of a result (`similarity_threshold`). It replaces the embedder's floor. */
  threshold: number | null
  /** Rows wanted. */
  wanted: number
  /** The rows tell their ranks. */
  ranks: boolean
  recency: Recency | undefined
  /** Items to show on each side of a result. */
  neighbors: number
}

/** An answer may hold this many rows of the longest texts (contract §3). */
export const UNBOUNDED_ROWS = 10

/** More than any cosine: no semantic match alone is a result. */
const NEVER = 2

/** A search leaves out the keyword part without terms, and the semantic part without hits. */
export const legsOf = (
  terms: readonly string[],
  hits: readonly ScoredHit[],
): Pick<Ranking, 'keyword' | 'semantic'> => ({
  keyword: terms.length > 0,
  semantic: hits.length > 0 || terms.length === 0,
})

/** Projects that had no conversation when a search looked last. */
const withoutConversations = new RecentProjects()

/** SQL of searches by what it is made of: it is long, and few differ. Clients choose the filters, so some are dropped. */
const written = new BoundedMap<string, string>(100)

function writtenOnce(scope: ReadScope, ranking: Ranking): string {
  const { unfiltered, filter, partial, metadataConditions } = scope
  const key = `${unfiltered.sql}\n${filter.sql}\n${partial} ${metadataConditions} ${JSON.stringify(ranking)}`
  return written.getOrMake(key, () => searchSql(scope, ranking))
}

/**
 * Runs the statement of a search; no row: the caller may not see the project. Where a project had no conversation the
 * statement leaves neighbours out, and tells whether it has one by now: then it runs once more, with them.
 */
export async function match(
  ctx: AuthContext,
  scope: ReadScope,
  question: Question,
  hits: readonly ScoredHit[],
  weights: Weights,
): Promise<SearchRow[]> {
  const { projectId } = scope
  const lends = !withoutConversations.has(projectId)
  const rows = await runMatch(ctx, scope, question, hits, weights, lends)
  const hasConversations = rows[0]?.has_conversations
  if (hasConversations === 0 && lends) withoutConversations.add(projectId)
  if (!hasConversations || lends) return rows
  withoutConversations.delete(projectId)
  return runMatch(ctx, scope, question, hits, weights, true)
}

async function runMatch(
  ctx: AuthContext,
  scope: ReadScope,
  question: Question,
  hits: readonly ScoredHit[],
  { semantic: weight }: Weights,
  lends: boolean,
): Promise<SearchRow[]> {
  const { terms, threshold, wanted, ranks, recency, neighbors } = question
  const { scoring, floor, model } = ctx.embedder
  const others = mayHaveOthers(ctx)
  const ranking = {
    ...legsOf(terms, hits),
    relative: scoring === 'relative',
    ranks,
    others,
    lends,
    recency: recency !== undefined,
    neighbors: neighbors > 0,
    bounded: wanted > UNBOUNDED_ROWS,
  }
  const params: SearchParams = {
    ...(ranking.keyword ? { terms: JSON.stringify(terms) } : {}),
    ...(ranking.semantic ? { hits: hitsJson(hits) } : {}),
    weight,
    threshold,
    floor: weight === 0 ? NEVER : threshold === null ? floor : null,
    wanted,
    ...(others ? { model, dimension: ctx.embedder.dimension } : {}),
    ...(recency ? recencyParams(recency) : {}),
    ...(neighbors > 0 ? { neighbors } : {}),
  }
  const sql = writtenOnce(scope, ranking)
  const rows = await inSpan('keyword', ctx, {}, () => runSearch(ctx, scope, question, hits.length, sql, params))
  if (others && rows[0]) rememberOthers(ctx, rows[0].others === 1)
  return rows
}
