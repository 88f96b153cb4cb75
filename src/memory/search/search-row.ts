import type { Frequencies } from './keyword-sql.ts'
import { SHORT_COLUMNS } from '../item-columns.ts'
import type { ItemRow } from '../item.ts'

/** A row of a search. What says nothing of its item, such as `total`, `hits` and `left_out`, is the same in every row. */
export interface SearchRow extends ItemRow {
  total: number | null
  /** Semantic hits that the caller may read and that pass the filters, as far as they are considered. */
  hits: number | null
  pending: number
  /** Whether any item of the database is of another model; 0 where nobody asked. */
  others: number
  has_conversations: 0 | 1
  /** That of `project_words`; null in a project that never had an item. */
  vectors_revision: number | null
  /** 1: items of the project are not in the present form of the keyword index. */
  reindexing: 0 | 1
  /** 1: the caller may read private items of others. */
  reads_others: 0 | 1
  /** 1: vectors of the project were stored without a reader. */
  unfiled: 0 | 1
  /** Terms of the query that are too common to be read. */
  terms_left_out: number
  /** 1: it left items out, whose metadata it would have had to parse. */
  left_out: 0 | 1
  /** 1: a result. Otherwise the row holds no item. */
  passes: number | null
  /** 1: it would be a result, but those before it fill the answer. */
  left_off: number | null
  score: number | null
  /** The parts of the score, each from 0 to 1, before their weights; null where nobody asked. */
  keyword: number | null
  semantic: number | null
  keyword_rank: number | null
  semantic_rank: number | null
  /** Index into the list of hits. */
  hit: number | null
  /** The amount that the speaker whom the query names adds to the score; null where it names none. */
  speaker_gain: number | null
  /** The amount that the time which the query names adds to the score; null where it names none. */
  date: number | null
  /** The amount that its neighbours add to the score; 0 where they add nothing. */
  gain: number | null
  /** From 1, now, to 0, long ago; null where age does not count. */
  recency: number | null
  /** A decimal number whose bit n says that the item has the term n of the query; null where nobody asked or it has none. */
  has_terms: string | null
  /** null where nobody asked. */
  frequencies: Frequencies | null
  /** JSON of `AroundJson`: the items around it, nearest first; null where none are wanted. */
  before: string | null
  after: string | null
}

/** The short columns of a `SearchRow` that are none of its item's. */
export const OWN_COLUMNS = [
  'permissions',
  'total',
  'hits',
  'pending',
  'others',
  'has_conversations',
  'vectors_revision',
  'reindexing',
  'reads_others',
  'unfiled',
  'terms_left_out',
  'left_out',
  'passes',
  'left_off',
  'score',
  'keyword',
  'semantic',
  'keyword_rank',
  'semantic_rank',
  'hit',
  'speaker_gain',
  'date',
  'gain',
  'recency',
  'has_terms',
  'frequencies',
] as const satisfies (keyof SearchRow)[]

const CELLS: readonly (keyof SearchRow)[] = [...OWN_COLUMNS, ...SHORT_COLUMNS]

/** A `SearchRow` as the statement answers it. D1 takes longer for 40 columns than for all of them as one. */
export interface PackedSearchRow extends Pick<SearchRow, 'text' | 'metadata' | 'before' | 'after'> {
  /** JSON array of the values of `CELLS`. */
  cells: string
}

/** The row by the names of its columns. */
export function unpacked({ cells, ...texts }: PackedSearchRow): SearchRow {
  const values = JSON.parse(cells) as unknown[]
  const row: Partial<Record<keyof SearchRow, unknown>> = texts
  CELLS.forEach((name, at) => {
    row[name] = values[at]
  })
  return row as SearchRow
}
