import type { System, RequestContext } from '../../core/context.ts'
import type { Database, SqlValue, Statement } from '../../core/database/database.ts'
import type { Sweep } from '../../core/queue.ts'

const PAGE = 500

/**
 * The statement that notes ends of credentials for their users' hubs, in the commit that ends them: `ended` is a query
 * for `id`, `routing_id` and `ends_at`. A revocation that can lose a race is claimed in D1 first, since no denial is
 * ever lifted; this note is why a hub still learns of it, whatever happens after the commit.
 */
export const noteDenials = (
  { requestId }: Pick<RequestContext, 'requestId'>,
  db: Database,
  ended: string,
  ...values: SqlValue[]
): Statement =>
  db.statement(
    `insert into pending_denials (id, routing_id, ends_at, noted_by)
     select e.id, e.routing_id, e.ends_at, by.request from (${ended}) e cross join (select ? as request) by where true
     on conflict (id) do update set ends_at = min(ends_at, excluded.ends_at), noted_by = excluded.noted_by`,
    ...values,
    requestId,
  )

interface PendingDenial {
  id: string
  routing_id: string
  ends_at: number
  noted_by: string
}

/**
 * Tells the hubs what this request has noted, after its commit: twice where one is not reached, as it may just be
 * restarting. What fails then is left to the sweep: the end stands.
 */
export async function tellHubs(ctx: RequestContext, db: Database): Promise<void> {
  try {
    const untold = await tellAll(ctx, db, ctx.requestId)
    if (untold > 0) await tellAll(ctx, db, ctx.requestId)
  } catch (error) {
    ctx.log.error({ event: 'denials.deferred', request_id: ctx.requestId }, error)
  }
}

/** Page by page, in the order of ids, so that a hub that does not answer keeps up nobody else. Answers how many are left. */
async function tellAll(system: System, db: Database, notedBy: string | null): Promise<number> {
  let [after, untold] = ['', 0]
  for (;;) {
    const page = await db.all<PendingDenial>(
      `select id, routing_id, ends_at, noted_by from pending_denials
       where id > ?1 and (?2 is null or noted_by = ?2) order by id limit ${PAGE}`,
      after,
      notedBy,
    )
    untold += await tell(system, db, page)
    if (page.length < PAGE) return untold
    after = page.at(-1)?.id ?? after
  }
}

async function tell(system: System, db: Database, page: readonly PendingDenial[]): Promise<number> {
  const groups = [...Map.groupBy(page, (one) => `${one.routing_id} ${one.ends_at}`).values()]
  const outcomes = await Promise.allSettled(
    groups.map(async (rows) => {
      const [first] = rows
      if (first) await system.hub(first.routing_id).deny({ ids: rows.map((row) => row.id), from: first.ends_at })
    }),
  )
  const told = groups.filter((_, index) => outcomes[index]?.status === 'fulfilled').flat()
  if (told.length > 0) {
    // Only as it was told: another request may have noted an earlier end since, which it tells itself.
    await db.write(
      `delete from pending_denials where (id, noted_by) in (
         select value ->> 'id', value ->> 'noted_by' from json_each(?))`,
      JSON.stringify(told.map(({ id, noted_by }) => ({ id, noted_by }))),
    )
  }
  const untold = page.length - told.length
  if (untold > 0) system.log.error({ event: 'denials.untold', credentials: untold })
  return untold
}

/** Tells the hubs what they were not reached for. Safe to repeat: a denial is monotone. */
export const denialSweep: Sweep = {
  name: 'credentials.deny',
  everyMinutes: 1,
  run: async (system) => {
    for (const shard of system.shards) await tellAll(system, system.database(shard), null)
  },
}
