import type { ReadScope } from '../filter/read-scope.ts'
import { parsesMetadata, testedRows } from './parsed-sql.ts'
import { FEW_HITS, MAX_SEMANTIC_HITS, UNSEEN_SHARE } from './ranking.ts'

/** A semantic hit as the statement reads it. */
export interface ScoredHit {
  item: string
  /** `memory_items.row`, where it is known. */
  row?: number
  version: number
  /** Cosine. */
  similarity: number
  /** The value that ranks the hits: on an absolute scale the semantic score, on a relative one the cosine. */
  semantic: number
}

/** Decimals of a number from -1 to 1 in a hit. It is written plus 2, so that it has no sign. */
const COSINE_DECIMALS = 4
const SEMANTIC_DECIMALS = 6
const [COSINE_UNIT, SEMANTIC_UNIT] = [10 ** COSINE_DECIMALS, 10 ** SEMANTIC_DECIMALS]
const SEMANTIC_BOUND = 10 * SEMANTIC_UNIT
const COSINE_BOUND = 10 * COSINE_UNIT
const DIGITS = COSINE_DECIMALS + SEMANTIC_DECIMALS + 2

/**
 * Semantic hits by their cosines: cosine and semantic score, each plus 2 and without its point, and `item:version` behind a
 * known row: `273122613000731mem_…:2`. An id of the service needs no escape.
 */
export function hitsJson(hits: readonly ScoredHit[]): string {
  let members = ''
  for (const { row, item, version, similarity, semantic } of hits) {
    members += `${members && ','}"${fixed(similarity, COSINE_UNIT)}${fixed(semantic, SEMANTIC_UNIT)}${row ?? ''}${item}:${version}"`
  }
  return `[${members}]`
}

/** As an integer of a fixed width: `toFixed` takes ten times as long. */
const fixed = (value: number, unit: number): number => Math.round((value + 2) * unit)

/** The digits of a hit behind its index: one number takes SQLite less to sort and to group than three. */
const HITS = `
  select key * ${COSINE_BOUND * SEMANTIC_BOUND} + cast(substr(value, 1, ${DIGITS}) as integer) as packed,
    substr(value, ${DIGITS + 1}) as name
  from json_each(?10)`

/** SQL: the parts of `packed`, exactly as `fixed` wrote them; null where it is null. */
export const UNPACKED = `
  packed / ${COSINE_BOUND * SEMANTIC_BOUND} as hit,
  (packed / ${SEMANTIC_BOUND} % ${COSINE_BOUND} - ${2 * COSINE_UNIT}) / ${COSINE_UNIT}.0 as similarity,
  (packed % ${SEMANTIC_BOUND} - ${2 * SEMANTIC_UNIT}) / ${SEMANTIC_UNIT}.0 as semantic`

const COLUMNS = 'i.row, h.packed'

const hitsThat = (where: string): string => `m cross join (${HITS}) h cross join memory_items i on i.row = iif(
      cast(h.name as integer) > 0, cast(h.name as integer),
      (select x.row from memory_items x where x.id = substr(h.name, 1, instr(h.name, ':') - 1)))
    where (h.name = i.row || i.id || ':' || i.embedded_version or h.name = i.id || ':' || i.embedded_version)
      and ${where}`

/** The best hits by cosine that the caller may see. Cross joins fix the planner's order, so no hit behind them is looked up. */
export const semanticMatches = (scope: ReadScope): string => `
  semantic_matches as materialized (${
    parsesMetadata(scope)
      ? testedRows(scope, { columns: COLUMNS, from: hitsThat(scope.unfiltered) })
      : `select ${COLUMNS}, 0 as parsed from ${hitsThat(scope.sql)}`
  }
    limit ${MAX_SEMANTIC_HITS})`

/** On the relative scale the last hit is 0. With few hits a point below it is 0, so that the best hit never is. */
const RELATIVE_ZERO = `case when hits >= ${FEW_HITS} then max(0.0, last)
  when hits > 0 then last - (1 - last) * (${FEW_HITS} - hits) / ${FEW_HITS} else 0.0 end`

/** SQL: the cosine that counts as 0 among this number of `hits`, of which the worst has `last`. */
export const zeroOf = (relative: boolean): string => (relative ? RELATIVE_ZERO : '0.0')

/** SQL: the semantic score of a hit, from 0 to 1. */
export const SEMANTIC_SCORE = 'max(0, min(1, (semantic - zero) / (1 - zero)))'

/** SQL: the semantic score of a keyword match that is no hit. */
export const UNSEEN_SCORE = `${UNSEEN_SHARE} * max(0, last - zero) / (1 - zero)`
