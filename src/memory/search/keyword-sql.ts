import { membershipSql, readsOthers } from '../access.ts'
import type { ReadScope } from '../filter/read-scope.ts'
import {
  AFTER_CLASSES,
  AFTER_DIGITS,
  beginOfPostings,
  behindPostings,
  CLASS_CHARACTERS,
  isDue,
  MAX_CLASS_RANGES,
  termCount,
  textLength,
} from '../keyword/index-form.ts'
import { isUnfiled } from '../embedding/filing-sql.ts'
import { HAS_CONVERSATIONS } from './neighbors-sql.ts'
import { B, K1, MAX_POSTINGS, MAX_TERM_SHARE, RARITY } from './ranking.ts'

/**
 * The caller's membership, whether the project has conversations, whether the caller may read private items of others, and
 * whether items are due for the keyword index, or their vectors for a reader.
 */
export const membership = ({ principal }: ReadScope): string =>
  membershipSql({
    columns: `, n.vectors_revision, ${HAS_CONVERSATIONS} as has_conversations, ${readsOthers(principal)} as reads_others,
      exists (select 1 from memory_items d indexed by memory_items_to_index where d.project_id = p.id and ${isDue('d')}) as reindexing,
      exists (select 1 from memory_items f indexed by memory_items_to_file where f.project_id = p.id and ${isUnfiled('f')}) as unfiled`,
    joins: 'left join project_words n on n.project_id = p.id',
  })

/** What decides how the keyword index is read. */
export interface KeywordReading {
  /** Items of the project are in the earlier form of the index. */
  reindexing: boolean
  /** The caller may read private items of others. */
  readsOthers: boolean
  /** The namespaces may have many classes. */
  isWide: boolean
}

/** So few namespaces have few classes. */
const FEW_NAMESPACES = 4

export const isWide = ({ namespaces }: ReadScope): boolean => namespaces === null || namespaces.length > FEW_NAMESPACES

/** How the statement reads the postings `v` of terms. */
interface Ranges {
  ctes: string
  /** SQL that follows `select`: `low` and `high` of each range, of the term `t` around it or of each of `terms`. */
  of: (terms?: string, condition?: string) => string
  /** SQL: the class of a posting with the columns `term`, `is_whole` and `class_at` is read, or counts; null: each one is. */
  has: ((condition?: string) => string) | null
}

const COUNTS = 'where counts'
const OF_EACH_TERM = 'cross join terms t'

/**
 * By class: of the searched namespaces what the whole project may read, and what is the caller's own. So what a caller may
 * not read moves no rarity, and callers who may read the same items get the same scores.
 */
const byClass = (scope: ReadScope): Ranges => ({
  ctes: `classes as materialized (${scope.ownClasses('i.name, i.items, i.words')})`,
  of: (terms = '') =>
    `t.begin || r.name as low, t.begin || r.name || '${AFTER_DIGITS}' as high from classes r ${terms} limit -1`,
  has: null,
})

/**
 * The same where there may be many classes, or others' private items, which match where the caller may read them and never
 * count. With very many ranges each term is read in the whole project, and SQL leaves classes out.
 */
const byClassOrWhole = (scope: ReadScope, others: boolean): Ranges => {
  const columns = 'i.name, i.items, i.words'
  return {
    ctes: `
    classes as materialized (${scope.ownClasses(columns)} ${others ? `union all ${scope.othersClasses(columns)}` : ''}),
    ranges as materialized (
      select distinct iif(is_whole, '', name) as name, iif(is_whole, '${AFTER_CLASSES}', name || '${AFTER_DIGITS}') as behind,
        is_whole, is_whole or counts as counts
      from (select *, count(*) over () * json_array_length(:terms) > ${MAX_CLASS_RANGES} as is_whole from classes) order by 4 desc limit -1)`,
    of: (terms = '', condition = '') => `
      t.begin || r.name as low, t.begin || r.behind as high, r.is_whole, length(t.begin) + 1 as class_at
      from ranges r ${terms} ${condition} limit -1`,
    has: (condition = '') =>
      `(not is_whole or substr(term, class_at, ${CLASS_CHARACTERS}) in (select name from classes ${condition}))`,
  }
}

const rangesOf = (scope: ReadScope, { readsOthers: others, isWide: wide }: KeywordReading): Ranges =>
  wide || others ? byClassOrWhole(scope, others) : byClass(scope)

/**
 * SQL: the postings `v` between two ends, which are none themselves. SQLite reads the term of a posting once for BETWEEN,
 * and twice for two comparisons, which takes a quarter longer.
 */
const postingsIn = (low: string, high: string): string =>
  `memory_words_instances v on v.term between ${low} and ${high}`

const EARLIER = postingsIn('t.earlier_begin', 't.earlier_behind')

const PRESENT_TERM = { yes: `(t.value ->> 'present')`, no: 't.value' }
const EARLIER_TERM = `(t.value ->> 'earlier')`

/** `:share`: one of so many terms with as many postings is too common. */
export const shareOf = (terms: number): number =>
  Math.min(MAX_POSTINGS, Math.floor((MAX_TERM_SHARE * MAX_POSTINGS) / terms))

/** More than the postings of a term that are counted. */
const LOOKED = 2 ** 20

/**
 * SQL: how many postings of the term `t` count. Those of classes that are left out are looked at too, so with them it is a
 * pair, `LOOKED` times the postings that are looked at and those that count.
 */
function counting({ of, has }: Ranges, isReindexing: boolean): string {
  const count = (postings: string): string => `(select count(*) from (select 1 from ${postings} limit :share))`
  const present = `(select ${of('', COUNTS)}) x cross join ${postingsIn('x.low', 'x.high')}`
  const earlier = isReindexing ? `+ ${has ? `${LOOKED + 1} *` : ''} ${count(`(select 1) cross join ${EARLIER}`)}` : ''
  return has
    ? `(select ${LOOKED} * count(*) + coalesce(sum(${has(COUNTS)}), 0)
        from (select v.term, x.is_whole, x.class_at from ${present} limit :share)) ${earlier}`
    : `${count(present)} ${earlier}`
}

/**
 * The classes, and the terms of the query, as far as they fit into the budget, with their rarity among what counts. Each
 * term may have an equal share of four budgets. The others are taken from the rarest on while they fit. Where all are too
 * common, the first of the query is taken alone. SQLite copies a CTE for each reference to it, so there are few.
 */
export function keywordCtes(scope: ReadScope, reading: KeywordReading): string {
  const ranges = rangesOf(scope, reading)
  const form = reading.reindexing ? 'yes' : 'no'
  const earlier = (bound: typeof beginOfPostings): string => bound('m.code', EARLIER_TERM, 'earlier')
  const counted = `
    select t.*, ${counting(ranges, reading.reindexing)} as postings
    from (
      select t.key as place, ${beginOfPostings('m.code', PRESENT_TERM[form], 'present')} as begin
        ${reading.reindexing ? `, ${earlier(beginOfPostings)} as earlier_begin, ${earlier(behindPostings)} as earlier_behind` : ''}
      from m cross join json_each(:terms) t limit -1) t`
  const [looked, postings] = ranges.has
    ? [`postings / ${LOOKED}`, `(t.postings % ${LOOKED})`]
    : ['postings', 't.postings']
  return `${ranges.ctes},
  counted as materialized (${counted}),
  terms as materialized (
    select t.*, t.${looked} >= :share as is_common, cast(s.items as real) / s.words as inverse_average,
      pow(ln(1 + (max(s.items, ${postings}) - ${postings} + 0.5) / (${postings} + 0.5)), ${RARITY}) as rarity
    from counted t cross join (
      select max(coalesce(sum(items), 0), 1) as items, max(coalesce(sum(words), 0), 1) as words from classes where counts) s
    where t.${looked} < :share and (
        select sum(o.${looked}) from counted o where (o.postings, o.place) <= (t.postings, t.place)) <= ${MAX_POSTINGS}
      or t.place = 0 and not exists (select 1 from counted o where o.${looked} < :share))`
}

/** SQL: the greatest BM25 that the terms could reach. A text comes near it where it is short and full of each of them. */
export const MOST_BM25 = `(select sum(rarity) * ${K1 + 1} from terms)`

/**
 * How many terms of the query were too common to be read. The statement names it before what reads the terms, for the
 * reason that `leftOut` gives.
 */
export const TERMS_LEFT_OUT = 'select json_array_length(:terms) - count(*) as terms_left_out from terms'

/** Postings of what counts come first, so that others' private items, which do not count, cannot take their places (not where one range is the whole project). */
const MAX_READ = {
  own: MAX_POSTINGS,
  others: `(select iif(max(is_common), ${MAX_POSTINGS}, ${2 * MAX_POSTINGS}) from terms)`,
}

/**
 * How many items count, and how many of those have each term of the query: JSON of `Frequencies`. More have a term
 * with as many as `:share`.
 */
export const frequencies = (scope: ReadScope, reading: KeywordReading): string => `
  (select json_object('items', (select coalesce(sum(items), 0) from classes where counts),
    'terms', (select json_group_array(n) from (
      select ${rangesOf(scope, reading).has ? `postings % ${LOOKED}` : 'postings'} as n from counted order by place limit -1))))`

/** Rarity among what counts, as `frequencies` tells it. */
export interface Frequencies {
  items: number
  /** Of each term of the query, in its order. */
  terms: number[]
}

/**
 * A row for each text and term: the amount that the term adds to the BM25 of the text, and with `isTold` the bit of the term.
 */
export function occurrences(scope: ReadScope, reading: KeywordReading, isTold: boolean): string {
  const { of, has } = rangesOf(scope, reading)
  const read = (columns: string): string => `
      select ${columns}
      from (select t.place, t.rarity, t.inverse_average, length(t.begin) + ${CLASS_CHARACTERS + 1} as posting_at, ${of(OF_EACH_TERM)}) x
      cross join ${postingsIn('x.low', 'x.high')} limit ${MAX_READ[reading.readsOthers ? 'others' : 'own']}`
  const present = has
    ? `select row, place, rarity, inverse_average, cast(substr(term, posting_at) as integer) as posting
      from (${read('v.doc as row, v.term, x.*')}) where ${has()}`
    : read(
        'v.doc as row, x.place, x.rarity, x.inverse_average, cast(substr(v.term, x.posting_at) as integer) as posting',
      )
  const earlier = `
      select v.doc, t.place, t.rarity, t.inverse_average, cast(substr(v.term, length(t.earlier_begin) + 1) as integer)
      from terms t cross join ${EARLIER} limit ${MAX_POSTINGS}`
  return `
  select row, ${isTold ? '1 << place' : 'null'} as bit, rarity * tf * ${K1 + 1} / (tf + ${K1 * (1 - B)} + ${K1 * B} * length * inverse_average) as bm25
  from (
    select row, place, rarity, inverse_average, ${termCount('posting')} as tf, ${textLength('posting')} as length
    from (${reading.reindexing ? `select * from (${present}) union all select * from (${earlier})` : present}))`
}
