import { COUNT_BITS, MARK, MAX_COUNT } from './postings.ts'

/** The form of the index that this version writes. */
export const FORM = 2
/** `indexed_by` of an item in this form whose `speaker_key` is written too. An earlier version of the service wrote `FORM`. */
export const KEYED_FORM = 3

/** SQL: the index does not have the item in the present form, or an earlier version of the service has changed it since. */
export const isDue = (item: string): string =>
  `${item}.deleted_at is null and (${item}.indexed_by < ${FORM} or ${item}.indexed_version <> ${item}.version)`

/** The character after `MARK`. The postings of a term lie between the two. */
const AFTER_MARK = '¸'
/** Follows the digits of a posting. */
export const AFTER_DIGITS = ':'
/** Follows the names of all classes, which are digits and small letters. */
export const AFTER_CLASSES = '{'
/** Of `memory_classes.name`. */
export const CLASS_CHARACTERS = 6

/** The number of the project stands before every term (`12yfox`). So terms, counts and scores never cross projects. */
const LETTERS = { present: 'y', earlier: 'x' }
export type IndexForm = keyof typeof LETTERS
const codePrefix = (code: string, form: IndexForm): string => `${code} || '${LETTERS[form]}'`

/** SQL: the postings of a term in the project with this code begin so, and stand before `behindPostings`. */
export const beginOfPostings = (code: string, term: string, form: IndexForm): string =>
  `${codePrefix(code, form)} || ${term} || '${MARK}'`
export const behindPostings = (code: string, term: string, form: IndexForm): string =>
  `${codePrefix(code, form)} || ${term} || '${AFTER_MARK}'`
/** SQL: how often the term stands in the text of a posting. */
export const termCount = (posting: string): string => `(${posting} & ${MAX_COUNT})`
/** SQL: the length of that text in words. */
export const textLength = (posting: string): string => `(${posting} >> ${COUNT_BITS})`

/** Ranges of the keyword index that a read looks into, one for each class and term. With more it looks into one for each term. */
export const MAX_CLASS_RANGES = 1_024

const allOf = (any: string, terms: string): string => `select group_concat(${any}, ' AND ') from json_each(${terms}) t`
const quoted = (code: string, form: IndexForm, name: string): string =>
  `'"' || ${codePrefix(code, form)} || t.value || '${MARK}' || ${name} || '" *'`

/**
 * SQL of an FTS5 query for texts of some classes (a statement that answers their names) that contain all of `:present`, or
 * of `:earlier` in the earlier form. A term in quotes is never an operator. An empty query finds nothing.
 */
export const matchAll = (code: string, classes: string): string => `
  with c as materialized (${classes})
  select coalesce(group_concat('(' || query || ')', ' OR '), '') from (
    select iif((select count(*) from c) * json_array_length(:present) > ${MAX_CLASS_RANGES},
      (${allOf(quoted(code, 'present', "''"), ':present')}),
      (${allOf(`'(' || (select group_concat(${quoted(code, 'present', 'c.name')}, ' OR ') from c) || ')'`, ':present')})) as query
    union all ${allOf(quoted(code, 'earlier', "''"), ':earlier')})
  where query is not null`

/**
 * SQL: the postings of an item `i` in a project `p`, whose class is `c`, of what `postingsOf` made. Behind each mark comes the
 * class.
 */
export const filedPostings = (postings: string): string =>
  `replace(replace(${postings}, ' ', ' ' || ${codePrefix('p.code', 'present')}), '${MARK}', '${MARK}' || c.name)`

/** Joins to `memory_items i` its project `p` and its class `c`. */
export const FILING_JOINS = `cross join projects p on p.id = i.project_id
  cross join memory_classes c on c.project_id = i.project_id and c.namespace = i.namespace
    and c.reader = iif(i.visibility = 'project', '', i.created_by)`
