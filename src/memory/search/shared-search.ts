import type { AuthContext } from '../../core/context.ts'
import { accessParams } from '../access.ts'
import type { ReadScope } from '../filter/read-scope.ts'
import type { Question } from './match.ts'
import { unpacked, type PackedSearchRow, type SearchParams, type SearchRow } from './search-sql.ts'
import { MAX_HITS_WANTED } from './semantic.ts'

/** A search of more terms, or of more results, reads more than those with which it would share a round trip. */
const MAX_TERMS = 32
const MAX_WANTED = 20

/** Rows of the statement of a search. */
export async function runSearch(
  ctx: AuthContext,
  scope: ReadScope,
  question: Question,
  hits: number,
  sql: string,
  params: SearchParams,
): Promise<SearchRow[]> {
  const db = isBrief(scope, question, hits) ? ctx.db.brief(scope.projectId) : ctx.db
  const rows = await db.all<PackedSearchRow>(sql, { ...accessParams(ctx), ...scope.params, ...params })
  return rows.map(unpacked)
}

const isBrief = (scope: ReadScope, { terms, wanted, neighbors }: Question, hits: number): boolean =>
  scope.sliceItems === null &&
  terms.length <= MAX_TERMS &&
  wanted <= MAX_WANTED &&
  neighbors === 0 &&
  hits <= MAX_HITS_WANTED
