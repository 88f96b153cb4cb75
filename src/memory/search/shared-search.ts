import type { AuthContext } from '../../core/context.ts'
import type { SqlValue } from '../../core/database/database.ts'
import type { ReadScope } from '../filter/read-scope.ts'
import type { Question } from './match.ts'
import { unpacked, type PackedSearchRow, type SearchRow } from './search-sql.ts'
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
  values: readonly SqlValue[],
): Promise<SearchRow[]> {
  const [projectId] = scope.values
  const db = isBrief(scope, question, hits) ? ctx.db.brief(projectId) : ctx.db
  const rows = await db.all<PackedSearchRow>(sql, ...values)
  return rows.map(unpacked)
}

const isBrief = (scope: ReadScope, { terms, wanted, neighbors }: Question, hits: number): boolean =>
  scope.sliceItems === null &&
  terms.length <= MAX_TERMS &&
  wanted <= MAX_WANTED &&
  neighbors === 0 &&
  hits <= MAX_HITS_WANTED
