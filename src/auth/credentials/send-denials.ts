import { and, gt, sql } from 'drizzle-orm'
import type { System, RequestContext } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { query } from '../../core/database/query.ts'
import { joined, type Sql } from '../../core/database/sql.ts'
import { shardSweep } from '../../core/queue.ts'
import { pending_denials } from '../table.ts'

const PAGE = 500
/** Of one run: each of them may be a call to another hub. */
const MAX_SENT = 5_000

/** A statement that records denials. Only `commitThenDeny` commits it, and sends them. */
export class DenialRecord {
  readonly statement: Statement

  constructor(statement: Statement) {
    this.statement = statement
  }
}

/**
 * Records the denials of credentials that the same commit ends: `ended` is a query for `id`, `routing_id` and `ends_at`.
 * Whatever happens after the commit, the hubs learn of them.
 */
export const recordDenials = (
  { requestId }: Pick<RequestContext, 'requestId'>,
  db: Database,
  ended: Sql,
): DenialRecord =>
  new DenialRecord(
    db.statement(
      `insert into pending_denials (id, routing_id, ends_at, noted_by)
       select e.id, e.routing_id, e.ends_at, by.request from (${ended.sql}) e cross join (select :denying_request as request) by where true
       on conflict (id) do update set ends_at = min(ends_at, excluded.ends_at), noted_by = excluded.noted_by
       returning 1`,
      joined(ended.params, { denying_request: requestId }),
    ),
  )

type PendingDenial = typeof pending_denials.$inferSelect

/**
 * Sends the hubs the denials that this request has recorded. It tries twice, as a hub may just be restarting.
 * A failure is logged, and the sweep sends what is left.
 */
export async function sendDenials(ctx: System & Pick<RequestContext, 'requestId'>, db: Database): Promise<void> {
  try {
    const { unsent } = await sendPending(ctx, db, ctx.requestId)
    if (unsent > 0) await sendPending(ctx, db, ctx.requestId)
  } catch (error) {
    ctx.log.error({ event: 'denials.deferred', request_id: ctx.requestId }, error)
  }
}

const pendingDenials = query((db, by: { after: string; recordedBy: string | null }) =>
  db
    .select()
    .from(pending_denials)
    .where(
      and(
        gt(pending_denials.id, by.after),
        sql`(${by.recordedBy} is null or ${pending_denials.noted_by} = ${by.recordedBy})`,
      ),
    )
    .orderBy(pending_denials.id)
    .limit(PAGE),
)

/**
 * Sends page by page in the order of ids, so that a hub that does not answer delays no other. Answers how many no hub has
 * confirmed, and whether there may be more than one run sends.
 */
async function sendPending(
  system: System,
  db: Database,
  recordedBy: string | null,
): Promise<{ unsent: number; more: boolean }> {
  let [after, sent, unsent] = ['', 0, 0]
  while (sent < MAX_SENT && !db.isSpent) {
    const page = await db.all(pendingDenials, { after, recordedBy })
    const failed = await sendPage(system, db, page)
    unsent += failed
    sent += page.length - failed
    if (page.length < PAGE) return { unsent, more: false }
    after = page.at(-1)?.id ?? after
  }
  return { unsent, more: sent > 0 }
}

/** One message for a hub and an instant; answers how many denials no hub has confirmed. */
async function sendPage(system: System, db: Database, page: readonly PendingDenial[]): Promise<number> {
  const messages = [...Map.groupBy(page, (one) => `${one.routing_id} ${one.ends_at}`).values()]
  const settled = await Promise.allSettled(
    messages.map(async (denials) => {
      const [first] = denials
      if (first) await system.hub(first.routing_id).deny({ ids: denials.map(({ id }) => id), from: first.ends_at })
    }),
  )
  const sent = messages.filter((_, index) => settled[index]?.status === 'fulfilled').flat()
  if (sent.length > 0) {
    // Keeps a row in which another request recorded an earlier end. That request sends it.
    await db.write(
      `delete from pending_denials where (id, noted_by) in (
         select value ->> 'id', value ->> 'noted_by' from json_each(:sent))`,
      { sent: JSON.stringify(sent.map(({ id, noted_by }) => ({ id, noted_by }))) },
    )
  }
  const unsent = page.length - sent.length
  if (unsent > 0) system.log.error({ event: 'denials.unsent', credentials: unsent })
  return unsent
}

/** Sends the denials that hubs have not confirmed. It is safe to repeat: a denial is monotone. */
export const denialSweep = shardSweep('credentials.deny', 1, async (system, db) => {
  const { more } = await sendPending(system, db, null)
  return more
})
