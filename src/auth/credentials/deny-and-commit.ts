import type { RequestContext, System } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { commitThenSend, type WorkStatement } from '../../core/work.ts'
import { DenialRecord, sendDenials } from './send-denials.ts'

/**
 * Ends credentials where no race can prevent it, such as a session at logout: the owner's hub denies them, then `commit`
 * ends them in D1. A hub that is not reached means 503, and nothing has changed.
 * No denial is ever lifted, so a change that can still lose a race takes `commitThenDeny`.
 */
export async function denyThenCommit<Rows extends unknown[]>(
  ctx: RequestContext,
  db: Database,
  { routingId, ids }: { routingId: string; ids: readonly string[] },
  commit: () => Statement[],
): Promise<{ [K in keyof Rows]: Rows[K][] }> {
  await ctx.hub(routingId).deny({ ids: [...ids] })
  return db.batch<Rows>(commit())
}

/**
 * Commits a change that can lose a race, such as a new password, and that ends credentials only if it wins. The commit
 * records their denials, then the hubs get them; a sweep sends again what fails, since the change stands.
 * Answers the rows of each statement. With `inBackground`, it does not wait for the hubs.
 */
export async function commitThenDeny<Rows extends unknown[]>(
  ctx: System & Pick<RequestContext, 'requestId'>,
  db: Database,
  statements: readonly RevocationStatement[],
  { inBackground = false } = {},
): Promise<{ [K in keyof Rows]: Rows[K][] }> {
  const committed = statements.map((one) => (one instanceof DenialRecord ? one.statement : one))
  const results = await commitThenSend<Rows>(ctx, db, committed)
  if (statements.some((one, index) => one instanceof DenialRecord && results[index]?.length !== 0)) {
    const sent = sendDenials(ctx, db)
    if (inBackground) ctx.waitUntil(sent)
    else await sent
  }
  return results
}

/** A statement of a commit that may end credentials. `Database` takes no `DenialRecord`, so that none is left unsent. */
export type RevocationStatement = Statement | WorkStatement | DenialRecord
