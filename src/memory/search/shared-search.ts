import type { AuthContext } from '../../core/context.ts'
import type { SqlValue } from '../../core/database/sql-value.ts'
import type { ReadScope } from '../filter/read-scope.ts'
import type { Question } from './match.ts'
import { RecentProjects } from './recent-projects.ts'
import { unpacked, type PackedSearchRow, type SearchRow } from './search-sql.ts'
import { MAX_HITS_WANTED } from './semantic.ts'

/**
 * A batch answers when its last statement has. So a search goes with others only where its statement is small: by its own
 * bounds, and by the rows that the last search of its project read and answered.
 */
const MAX_TERMS = 32
const MAX_WANTED = 20
const MAX_ROWS_READ = 20_000
/** UTF-16 units of the texts and the metadata of the answer. */
const MAX_ANSWERED = 65_536

/** Projects whose last search read and answered little. */
const small = new RecentProjects()

/** Rows of the statement of a search: with those of other requests in one round trip where it is small, else alone. */
export async function runSearch(
  ctx: AuthContext,
  scope: ReadScope,
  question: Question,
  hits: number,
  sql: string,
  values: readonly SqlValue[],
): Promise<SearchRow[]> {
  const [projectId] = scope.values
  const shared = small.has(projectId) && isSmall(scope, question, hits)
  const { results, meta } = await ctx.db.read<PackedSearchRow>(shared ? ctx : null, sql, ...values)
  const rows = results.map(unpacked)
  if (meta.rows_read <= MAX_ROWS_READ && answered(rows) <= MAX_ANSWERED) small.add(projectId)
  else small.delete(projectId)
  return rows
}

const isSmall = (scope: ReadScope, { terms, wanted, neighbors }: Question, hits: number): boolean =>
  scope.sliceItems === null &&
  terms.length <= MAX_TERMS &&
  wanted <= MAX_WANTED &&
  neighbors === 0 &&
  hits <= MAX_HITS_WANTED

const answered = (rows: readonly SearchRow[]): number =>
  rows.reduce((sum, { passes, text, metadata }) => sum + (passes ? text.length + metadata.length : 0), 0)
