import type { RequestContext, System } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { joined, sql, type Sql } from '../../core/database/sql.ts'
import { DATABASES_AT_ONCE, FIRST_SHARD } from '../../core/shards.ts'
import { inParallel } from '../../core/values/in-parallel.ts'
import { commitThenDeny } from '../credentials/deny-and-commit.ts'
import { endGrantsOf } from '../grants/end-grant.ts'
import { directoryDatabase } from './accounts.ts'

/** Of one run. */
const MAX_RELEASES = 200

/**
 * The statements by which the commit that erases users or applications takes them out of the directory, or notes that it is
 * to be done. `erased` is a query for their ids, as `id`.
 */
export function releaseStatements(system: Pick<System, 'shards' | 'now'>, db: Database, erased: Sql): Statement[] {
  return [
    ...(db.shard === FIRST_SHARD
      ? [
          db.statement(`delete from directory where user_id in (${erased.sql})`, erased.params),
          db.statement(`delete from client_directory where id in (${erased.sql})`, erased.params),
        ]
      : []),
    // Other shards may hold grants of an application.
    ...(system.shards.length > 1
      ? [
          db.statement(
            `insert into directory_releases (id, created_at) select e.id, now.at
             from (${erased.sql}) e cross join (select :released_at as at) now where true on conflict (id) do nothing`,
            joined(erased.params, { released_at: system.now() }),
          ),
        ]
      : []),
  ]
}

/**
 * Takes what a shard has erased out of the directory, and ends the grants of its applications in the other shards, which
 * have nothing of a user. Safe to repeat: a release is forgotten once all of it is done. Answers whether there may be more.
 */
export async function release(ctx: System & Pick<RequestContext, 'requestId'>, db: Database): Promise<boolean> {
  if (ctx.shards.length === 1) return false
  const rows = await db.all<Release>(
    // Users first: applications may wait for a shard that is down.
    `select id from directory_releases order by id not like 'usr\\_%' escape '\\', created_at limit ${MAX_RELEASES}`,
  )
  if (rows.length === 0) return false
  const ids = JSON.stringify(rows.map(({ id }) => id))
  const directory = directoryDatabase(ctx)
  await directory.batch([
    directory.statement(`delete from directory where user_id in (${LISTED})`, { ids }),
    directory.statement(`delete from client_directory where id in (${LISTED})`, { ids }),
  ])
  const { users = [], apps = [] } = Object.groupBy(rows, ({ id }) => (id.startsWith('usr_') ? 'users' : 'apps'))
  // The addresses go first, since a shard that is down delays the applications.
  if (users.length > 0) await forget(db, users)
  if (apps.length > 0) await endGrantsElsewhere(ctx, db, apps)
  return rows.length === MAX_RELEASES
}

interface Release {
  id: string
}

const LISTED = 'select value from json_each(:ids)'

async function endGrantsElsewhere(
  ctx: System & Pick<RequestContext, 'requestId'>,
  db: Database,
  apps: readonly Release[],
): Promise<void> {
  const ids = JSON.stringify(apps.map(({ id }) => id))
  const others = ctx.shards.filter((shard) => shard !== db.shard)
  await inParallel(DATABASES_AT_ONCE, others, async (shard) => {
    const other = ctx.database(shard)
    await commitThenDeny(ctx, other, endGrantsOf(ctx, other, sql(LISTED, { ids })), { inBackground: true })
  })
  await forget(db, apps)
}

const forget = (db: Database, releases: readonly Release[]): Promise<unknown> =>
  db.batch([
    db.statement(`delete from directory_releases where id in (${LISTED})`, {
      ids: JSON.stringify(releases.map(({ id }) => id)),
    }),
  ])

/** `release` after the commit of a request. After a failure a sweep repeats it. */
export async function releaseErased(ctx: RequestContext, db: Database): Promise<void> {
  try {
    await release(ctx, db)
  } catch (error) {
    ctx.log.error({ event: 'directory.release_deferred', shard: db.shard, request_id: ctx.requestId }, error)
  }
}
