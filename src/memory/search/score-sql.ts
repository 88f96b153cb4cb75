import { DATE_FACTOR, type DateKind } from './dates/dated-sql.ts'
import { CHARGE, chargedTurns } from './long-turns-sql.ts'
import { ONCE } from './ranking.ts'
import { SEMANTIC_SCORE, UNSEEN_SCORE } from './semantic-sql.ts'
import { IS_NAMED, SPEAKER_FACTOR } from './speaker-sql.ts'

/** What the scores of candidates are made of, and what their rows tell. */
export interface Scoring {
  semantic: boolean
  /** The semantic scores of the hits are cosines of a model whose scale is unknown. */
  relative: boolean
  /** The query may name a speaker. */
  speaker: boolean
  /** The query names a time. */
  date: DateKind | null
  /** Neighbours in a conversation lend relevance, and its long turns have less. */
  lends: boolean
  /** The rows tell their ranks, which cost two sorts, and the parts of their scores. */
  ranks: boolean
  /** The rows tell which terms of the query their items have, and how rare these are. */
  terms: boolean
}

/** The place of an item in its conversation; conversations are in the order of these. */
export const TURN_COLUMNS = ['conversation_id', 'namespace', 'occurrence', 'id'] as const

/** What a row tells. Each window of the statement copies all columns of its rows, so there are only those that somebody reads. */
export const toldColumns = ({ speaker, date, ranks, terms }: Scoring): string[] => [
  'hit',
  ...(terms ? ['has_terms'] : []),
  ...(ranks ? ['keyword_rank', 'semantic_rank', 'keyword', 'semantic'] : []),
  ...(speaker ? ['speaker_gain'] : []),
  ...(date ? ['date'] : []),
]

const RANKS = `
  iif(bm25 is null, null, row_number() over (order by bm25 desc, row desc)) as keyword_rank,
  iif(hit is null, null, row_number() over (order by hit is null, semantic desc, hit)) as semantic_rank`

/** Candidates with what else their score needs of their items, which are looked up once. */
const lookedUp = ({ lends, date, relative }: Scoring): string => {
  if (lends) return `(${chargedTurns(relative)})`
  return date ? '(select c.*, i.occurrence from candidates c cross join memory_items i on i.row = c.row)' : 'candidates'
}

/** Columns of a candidate that the steps of its score leave as they are. */
const carried = ({ terms, ranks, lends, date }: Scoring): string =>
  [
    'c.row, c.passes, c.hit',
    ...(terms ? ['c.has_terms'] : []),
    ...(ranks ? ['c.keyword_rank, c.semantic_rank'] : []),
    ...(lends ? [...TURN_COLUMNS.map((column) => `c.${column}`), 'c.speaker_key'] : []),
    ...(date && !lends ? ['c.occurrence'] : []),
  ].join(', ')

/** SQL: the score without what the speaker and the time add: they only reorder, so they decide nowhere what is found. */
export const unraisedScore = ({ speaker, date }: Scoring): string => (speaker || date ? 'min(1, fused)' : 'score')

/**
 * Selects the candidates with their scores: their keyword and semantic scores fused, and raised for the speaker and for the
 * time that the query names. With `lends` also their places in their conversations.
 */
export function scores(scoring: Scoring): string {
  const { semantic, relative, speaker, date, lends, ranks } = scoring
  const items = lookedUp(scoring)
  const unseen = lends && !relative ? `max(0, ${UNSEEN_SCORE} - ${CHARGE})` : UNSEEN_SCORE
  const raised = speaker ? '(fused + speaker_gain)' : 'fused'
  return `
  select row, passes, total, hits, ${[...toldColumns(scoring), ...(lends ? [...TURN_COLUMNS, ...(speaker || date ? ['fused'] : [])] : [])].join(', ')},
    min(1, ${raised} ${date ? '+ date' : ''}) as score
  from (
    select * ${date ? `, ${raised} * (${DATE_FACTOR[date]} - 1) as date` : ''} from (
      select * ${speaker ? `, iif(${IS_NAMED}, fused * (${SPEAKER_FACTOR} - 1), 0) as speaker_gain` : ''} from (
        select *, (1 - :weight) * keyword + :weight * semantic as fused from (
          select ${carried(scoring)}, e.total, e.hits, coalesce(c.bm25 / e.most, 0) as keyword,
            ${semantic ? `coalesce(${SEMANTIC_SCORE}, ${unseen})` : '0'} as semantic
          from ${ranks ? `(select *, ${RANKS} from ${items})` : items} c cross join extent e)
        ${speaker || date ? ONCE : ''}) ${speaker && date ? ONCE : ''}) ${date ? ONCE : ''})`
}
