import type { RequestContext } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import type { Sql } from '../../core/database/sql.ts'
import { newSession, type SessionUser } from './new-session.ts'

/**
 * Makes the network of the request and a new device known to a user who proved themselves without a login. The statement stores
 * a session that ends as it begins, since the rows of sessions hold what is known.
 */
export async function proveSource(
  ctx: RequestContext,
  db: Database,
  user: SessionUser,
  onlyIf: Sql,
): Promise<{ deviceToken: string; statement: Statement }> {
  const { deviceToken, statement } = await newSession(ctx, db, { ...user, seconds: 0 }, onlyIf)
  return { deviceToken, statement }
}
