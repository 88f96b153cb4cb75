import type { AuthContext } from '../../core/context.ts'
import type { Reach } from '../../core/nearest.ts'
import { inSpan } from '../../core/spans.ts'
import { BoundedMap } from '../../core/values/bounded-map.ts'
import { accessParams } from '../access.ts'
import type { ReadScope } from '../filter/read-scope.ts'
import type { QueryTerms } from '../keyword/query-terms.ts'
import { shareOf, type KeywordReading } from './keyword-sql.ts'
import { dateKind, dateParams } from './dates/dated-sql.ts'
import { mayHaveOthers, rememberOthers } from './other-models.ts'
import { recencyParams } from './recency.ts'
import type { Question } from './search-schema.ts'
import { unpacked, type PackedSearchRow, type SearchRow } from './search-row.ts'
import { searchSql, type Ranking, type SearchParams } from './search-sql.ts'
import { hitsJson, type ScoredHit } from './semantic-sql.ts'
import { aloneFloorOf, spellingFloorOf, type Weights } from './weights.ts'

/** An answer may hold this many rows of the longest texts (contract §3). */
export const UNBOUNDED_ROWS = 10

/** More than any cosine: no semantic match alone is a result. */
const NEVER = 2

/** A search of more terms, results or hits reads more than those with which it would share a round trip. */
const MAX_BRIEF_TERMS = 32
const MAX_BRIEF_ROWS = 20
const MAX_BRIEF_HITS = 150

const MAX_PROJECTS = 10_000
/** Projects that had no conversation when a search looked last. */
const withoutConversations = new BoundedMap<string, true>(MAX_PROJECTS)

const NO_TERMS: QueryTerms = { present: [], earlier: () => [] }

/** A term that both forms have is counted as one. */
function inBothForms(present: readonly string[], earlier: readonly string[]) {
  const alone = earlier.filter((term) => !present.includes(term)).map((term) => ({ earlier: term }))
  return [...present.map((term) => ({ present: term, ...(earlier.includes(term) ? { earlier: term } : {}) })), ...alone]
}

const termsParams = (terms: readonly unknown[]) => ({ terms: JSON.stringify(terms), share: shareOf(terms.length) })

/** SQL of searches by what it is made of: it is long, and few differ. Clients choose the filters, so some are dropped. */
const written = new BoundedMap<string, string>(100)

/** Projects with items in the earlier form of the keyword index when a search looked last. */
const reindexing = new BoundedMap<string, true>(MAX_PROJECTS)

/** True where a search shortly before saw items that are not in the present form of the keyword index. */
export const isReindexing = ({ projectId }: Pick<ReadScope, 'projectId'>): boolean => reindexing.has(projectId)

export function rememberReindexing({ projectId }: ReadScope, row: SearchRow): void {
  if (row.reindexing) reindexing.set(projectId, true)
  else reindexing.delete(projectId)
}

/** Callers and projects of which they could read private items of others when a search looked last. */
const readers = new BoundedMap<string, true>(MAX_PROJECTS)
const readerOf = ({ principal }: AuthContext, { projectId }: ReadScope): string => `${principal.userId} ${projectId}`

/** True where a search shortly before saw that the caller may read private items of others. */
export const readsOthers = (ctx: AuthContext, scope: ReadScope): boolean => readers.has(readerOf(ctx, scope))

export function rememberReader(ctx: AuthContext, scope: ReadScope, row: SearchRow): void {
  if (row.reads_others) readers.set(readerOf(ctx, scope), true)
  else readers.delete(readerOf(ctx, scope))
}

/** Projects with vectors that were stored without a reader when a search looked last. */
const unfiled = new BoundedMap<string, true>(MAX_PROJECTS)

/** Which parts of the project the vectors compare, as far as a search shortly before saw. */
export const reachOf = (ctx: AuthContext, scope: ReadScope): Reach => ({
  others: readsOthers(ctx, scope),
  unfiled: unfiled.has(scope.projectId),
})

export function rememberFiling({ projectId }: ReadScope, row: SearchRow): void {
  if (row.unfiled) unfiled.set(projectId, true)
  else unfiled.delete(projectId)
}

/** A search leaves out the keyword part without terms, and the semantic part without hits. */
export const legsOf = (
  terms: readonly string[],
  hits: readonly ScoredHit[],
): Pick<Ranking, 'keyword' | 'semantic'> => ({
  keyword: terms.length > 0,
  semantic: hits.length > 0 || terms.length === 0,
})

/** False where a search shortly before saw no conversation: neighbours then cost the statement for nothing. */
export const mayLend = ({ projectId }: Pick<ReadScope, 'projectId'>): boolean => !withoutConversations.has(projectId)

export function rememberConversations({ projectId }: ReadScope, row: SearchRow): void {
  if (row.has_conversations) withoutConversations.delete(projectId)
  else if (mayLend({ projectId })) withoutConversations.set(projectId, true)
}

/** What the statement ranks with, besides what the client asked. */
interface Given extends KeywordReading {
  hits: readonly ScoredHit[]
  weights: Weights
  /** Neighbours in a conversation lend relevance. */
  lends: boolean
}

/** The rows of the statement of a search; none: the caller may not see the project. */
export async function runStatement(
  ctx: AuthContext,
  scope: ReadScope,
  question: Question,
  { hits, weights: { semantic: weight }, lends, ...reading }: Given,
): Promise<SearchRow[]> {
  const { wanted, names, date, recency, neighbors } = question
  const { scoring, model, dimension } = ctx.embedder
  const threshold = question.similarity_threshold ?? null
  const { present: terms, earlier } = question.mode === 'semantic' ? NO_TERMS : question.terms
  // Without a hit the model is not asked: reading it takes memory.
  const spelling = threshold === null && hits.length > 0 ? spellingFloorOf(ctx.embedder, question.query) : null
  const others = mayHaveOthers(ctx)
  const ranking: Ranking = {
    ...legsOf(terms, hits),
    relative: scoring === 'relative',
    spelling: spelling !== null,
    ...reading,
    ranks: question.include.includes('score_breakdown'),
    others,
    // Only an item of a conversation has a speaker.
    speaker: lends && names.length > 0,
    date: date && dateKind(date),
    lends,
    recency: recency !== undefined,
    neighbors: neighbors > 0,
    terms: question.tellsTerms === true,
    bounded: wanted > UNBOUNDED_ROWS,
  }
  const params: SearchParams = {
    ...(ranking.keyword ? termsParams(reading.reindexing ? inBothForms(terms, earlier()) : terms) : {}),
    ...(ranking.semantic ? { hits: hitsJson(hits) } : {}),
    weight,
    threshold,
    floor: weight === 0 ? NEVER : threshold === null ? aloneFloorOf(ctx.embedder, question) : null,
    wanted,
    ...(spelling ? { spelling_least: spelling.least, spelling_growth: spelling.growth } : {}),
    ...(others ? { model, dimension } : {}),
    ...(ranking.speaker ? { names: JSON.stringify(names) } : {}),
    ...(date ? dateParams(date) : {}),
    ...(recency ? recencyParams(recency) : {}),
    ...(neighbors > 0 ? { neighbors } : {}),
  }
  const isBrief =
    scope.sliceItems === null &&
    terms.length <= MAX_BRIEF_TERMS &&
    wanted <= MAX_BRIEF_ROWS &&
    neighbors === 0 &&
    hits.length <= MAX_BRIEF_HITS
  const db = isBrief ? ctx.db.brief(scope.projectId) : ctx.db.heavy
  const sql = writtenOnce(scope, ranking)
  const values = { ...accessParams(ctx), ...scope.params, ...params }
  const rows = (await inSpan('keyword', ctx, {}, () => db.all<PackedSearchRow>(sql, values))).map(unpacked)
  if (others && rows[0]) rememberOthers(ctx, rows[0].others === 1)
  return rows
}

function writtenOnce(scope: ReadScope, ranking: Ranking): string {
  const { unfiltered, filter, partial, metadataConditions } = scope
  const key = `${unfiltered.sql}\n${filter.sql}\n${partial} ${metadataConditions} ${JSON.stringify(ranking)}`
  return written.getOrMake(key, () => searchSql(scope, ranking))
}
