import { PERMISSIONS, SHORT_COLUMNS, shortColumn } from '../item-columns.ts'
import { OUTDATED, otherModels, UNEMBEDDED } from '../embedding/pending-sql.ts'
import { parsedBytes } from '../filter/parsed-bytes.ts'
import type { ReadScope } from '../filter/read-scope.ts'
import { MAX_ANSWER_BYTES } from '../filter/scan.ts'
import {
  frequencies,
  keywordCtes,
  membership,
  MOST_BM25,
  occurrences,
  TERMS_LEFT_OUT,
  type KeywordReading,
} from './keyword-sql.ts'
import type { dateParams } from './dates/dated-sql.ts'
import { lending, LINKED_FIRST, NOT_LENT } from './neighbors-lend-sql.ts'
import { around } from './neighbors-sql.ts'
import { leftOut, parsesMetadata, testedRows } from './parsed-sql.ts'
import { namedSpeaker } from './speaker-sql.ts'
import { scores, toldColumns, unraisedScore, type Scoring } from './score-sql.ts'
import { blended, NOT_BLENDED, type recencyParams } from './recency.ts'
import { MAX_CANDIDATES, MAX_ZERO } from './ranking.ts'
import { OWN_COLUMNS } from './search-row.ts'
import { semanticMatches, zeroOf } from './semantic-sql.ts'

/** `pending` stops counting here (contract §3). */
export const MAX_PENDING = 1_000

/** The parts that a search ranks by, and those that it shows. */
export interface Ranking extends KeywordReading, Scoring {
  keyword: boolean
  /** Results that no keyword found need a semantic score by the parts of their text. */
  spelling: boolean
  /** Items of other models count as pending. */
  others: boolean
  /** Age counts. */
  recency: boolean
  /** The rows hold the items around theirs. */
  neighbors: boolean
  /** The texts of the wanted rows may be too large for one answer. */
  bounded: boolean
}

/** The values of a search's statement, besides those of its scope. */
export type SearchParams = {
  /** JSON of `QueryTerms`: of the present terms, or with `reindexing` a pair each; with `keyword`. */
  terms?: string
  /** `shareOf` these terms. */
  share?: number
  /** `hitsJson`; with `semantic`. */
  hits?: string
  /** JSON of the words of the query that may name a speaker; with `speaker`. */
  names?: string
  /** The weight of the semantic score. */
  weight: number
  /** The least cosine of every result, and of one that no keyword found; null: none. */
  threshold: number | null
  floor: number | null
  /** With `spelling`: `SpellingFloor`. */
  spelling_least?: number
  spelling_growth?: number
  /** Rows wanted. */
  wanted: number
  /** With `others`. A null dimension is unknown. */
  model?: string
  dimension?: number | null
  /** With `neighbors`: the items to show on each side. */
  neighbors?: number
} & Partial<ReturnType<typeof recencyParams>> &
  Partial<ReturnType<typeof dateParams>>

/**
 * The one statement of a search: it ranks, fuses, authorises, filters and counts. It takes the values of its scope and
 * `SearchParams`. It answers a `PackedSearchRow` each, and no row for a project that the caller may not see.
 * SQLite compiles a CTE once for each reference to it, so few are named twice. Each window and each copy of the
 * candidates costs as much as the search for them, so a statement has only those that it needs.
 */
export function searchSql(scope: ReadScope, ranking: Ranking): string {
  const { keyword, semantic, relative, others, speaker, lends, recency, neighbors, terms } = ranking
  const parses = parsesMetadata(scope)
  const told = toldColumns(ranking)
  const tell = (column: string): string => (told.includes(column) ? `b.${column}` : 'null')
  const ctes = [...(semantic ? ['semantic_matches'] : []), 'candidates', 'awaiting']
  const own: Record<(typeof OWN_COLUMNS)[number], string> = {
    // As it is, `json_array` would hold an array and no text.
    permissions: `(${PERMISSIONS}) || ''`,
    total: 'b.total',
    hits: 'b.hits',
    pending: `(select count(*) from ${parses ? 'awaiting' : `(${awaiting(scope, others)})`})`,
    others: others ? 'exists (select 1 from other_models)' : '0',
    has_conversations: 'm.has_conversations',
    vectors_revision: 'm.vectors_revision',
    reindexing: 'm.reindexing',
    reads_others: 'm.reads_others',
    unfiled: 'm.unfiled',
    terms_left_out: keyword ? 'w.terms_left_out' : '0',
    left_out: parses ? 'l.left_out' : '0',
    passes: 'b.passes and not b.filled',
    left_off: 'b.passes and b.filled',
    score: 'b.score',
    keyword: tell('keyword'),
    semantic: tell('semantic'),
    keyword_rank: tell('keyword_rank'),
    semantic_rank: tell('semantic_rank'),
    hit: tell('hit'),
    speaker_gain: tell('speaker_gain'),
    date: tell('date'),
    gain: 'b.gain',
    recency: 'b.recency',
    has_terms: `cast(${tell('has_terms')} as text)`,
    frequencies: keyword && terms ? frequencies(scope, ranking) : 'null',
  }
  return `
  with m as materialized (${membership(scope)}), ${others ? `${otherModels(':model', ':dimension')},` : ''}
  ${keyword ? `${keywordCtes(scope, ranking)},` : ''}
  ${semantic ? `${semanticMatches(scope)},` : ''}
  candidates as materialized (${keyword ? keywordCandidates(scope, ranking) : semanticCandidates(ranking)}),
  ${parses ? `awaiting as materialized (${awaiting(scope, others)}),` : ''}
  ${speaker ? `named_speaker as materialized (${namedSpeaker(scope)}),` : ''}
  extent as materialized (
    select *, ${zeroOf(relative)} as zero from (
      select sum(passes) as total, count(hit) as hits, min(${MAX_ZERO}, coalesce(min(semantic), 0)) as last,
        ${keyword ? MOST_BM25 : '0'} as most
      from candidates)),
  scored as ${lends ? 'materialized' : ''} (${scores(ranking)}),
  ${lends ? lending(scope, told, unraisedScore(ranking)) : NOT_LENT},
  results as ${recency ? 'materialized' : ''} (${recency ? blended(told) : NOT_BLENDED}),
  best as materialized (${ranking.bounded ? BOUNDED_BEST : `select *, 0 as filled ${BEST}`})
  select json_array(${[...OWN_COLUMNS.map((name) => own[name]), ...SHORT_COLUMNS.map(shortColumn)].join(', ')}) as cells, i.text, i.metadata,
    ${neighbors ? around(scope, 'before') : 'null'} as before, ${neighbors ? around(scope, 'after') : 'null'} as after
  from ${keyword ? `(${TERMS_LEFT_OUT}) w cross join ` : ''}${parses ? `(${leftOut(scope, ctes)}) l cross join ` : ''}${lends && scope.sliceItems !== null ? `(${LINKED_FIRST}) cross join ` : ''}m left join best b left join memory_items i on i.row = b.row and b.passes and not b.filled
  order by b.passes desc, b.score desc, b.row desc`
}

const BEST = 'from results order by passes desc, score desc, row desc limit :wanted'
/** Adds `filled`: 1 for the rows behind those whose texts and metadata fill an answer. */
const BOUNDED_BEST = `
  select *, sum(size) over (order by passes desc, score desc, row desc rows unbounded preceding) - size >= ${MAX_ANSWER_BYTES} as filled
  from (select *, (select octet_length(t.text) + octet_length(t.metadata) from memory_items t where t.row = results.row) as size ${BEST})`

const SPELLED = `and semantic >= :spelling_least + :spelling_growth * (
  select ln(max(1, i.chunk_count)) from memory_items i where i.row = r.row)`

/** Whether a candidate `r` is a result. */
const passes = ({ spelling }: Ranking): string => `(:threshold is null or coalesce(similarity >= :threshold, 0))
  and (:floor is null or bm25 is not null or similarity >= :floor ${spelling ? SPELLED : ''}) as passes`

const NO_HIT = 'null as hit, null as similarity, null as semantic'

/** The bits of the terms that a text has. It has one row for each of them, so the sum is their union. */
const HAS_TERMS = 'sum(bit) as has_terms'

/** Semantic matches with their BM25, and behind them the other texts with a term, best first, that the caller may read. */
function keywordCandidates(scope: ReadScope, ranking: Ranking): string {
  const words = occurrences(scope, ranking, ranking.terms)
  // A limit keeps SQLite from leaving out the order, which says who comes before the limit of the candidates, and from
  // sorting what a BM25 is made of instead of it. SQLite takes the plain columns of a group from the row that holds its max.
  const matches = `(
    select row, round(sum(bm25), 6) as bm25, ${HAS_TERMS}, ${ranking.semantic ? 'max(hit) as hit, similarity, semantic' : NO_HIT}
    from (${ranking.semantic ? `select *, ${NO_HIT} from (${words}) union all select row, null, null, hit, similarity, semantic from semantic_matches` : words} limit -1)
    group by row order by ${ranking.semantic ? 'hit is null, ' : ''}bm25 desc, row desc limit -1) r`
  const columns = `r.*, ${passes(ranking)}`
  if (!parsesMetadata(scope)) {
    return `select ${columns}, 0 as parsed from ${matches} where r.hit is not null
      or exists (select 1 from m cross join memory_items i where i.row = r.row and ${scope.sql}) limit ${MAX_CANDIDATES}`
  }
  const from = `${matches} cross join m cross join memory_items i on i.row = r.row
    where (r.hit is not null or ${scope.unfiltered.sql})`
  return `${testedRows(scope, { columns, from, always: 'hit is not null' })} limit ${MAX_CANDIDATES}`
}

const semanticCandidates = (ranking: Ranking): string => `
  select *, ${passes(ranking)} from (select row, null as bm25, null as has_terms, hit, similarity, semantic, parsed from semantic_matches) r`

/** Items that await an embedding, counted up to `MAX_PENDING`. */
const awaiting = (scope: ReadScope, others: boolean): string => {
  const items = (columns: string, where: string, m = ''): string =>
    [UNEMBEDDED, ...(others ? [OUTDATED] : [])]
      .map((from) => `select ${columns} from ${m} ${from} and ${where}`)
      .join(' union all ')
  const sized = (): string =>
    `(${items(`i.row, ${parsedBytes(scope.metadataConditions)} as bytes`, scope.unfiltered.sql, 'm cross join')}) a`
  const rows = parsesMetadata(scope)
    ? testedRows(scope, { columns: 'a.row', from: sized(), bytes: 'a.bytes' })
    : items('1', scope.sql)
  return `${rows} limit ${MAX_PENDING}`
}
