import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import type { ObjectStore } from '../../core/ports.ts'
import { inParallel } from '../../core/values/in-parallel.ts'
import { dueOf, dueTenants, oldestPage, type Due } from './due.ts'
import { isSame, MAX_OBJECT_CHARACTERS, pack, type ObjectIndex, type PageText } from './format.ts'
import { exchange, reserveObjects } from './index-rows.ts'
import { countObjects } from './count-objects.ts'
import { putObject } from './transfer.ts'
import { DAY_MS, HOUR_MS } from '../../core/values/durations.ts'

/** A run puts at most this many objects, 128 MiB before compression: it shares its invocation with other sweeps. */
export const OBJECTS_A_RUN = 64
const TENANTS_AT_ONCE = 4
const PAGES_AN_OBJECT = 2_000
/** An hour with this much text makes an object of its own. Smaller hours of one day share an object. */
const MIN_OBJECT_CHARACTERS = 256 * 1024

/**
 * Moves pages that are due from a shard's audit database into objects. A page leaves the database in the commit that shows its
 * object to lists, after the object was seen in the bucket. It may be broken off anywhere, and run twice at once. Answers
 * whether there may be more.
 */
export async function movePages(system: System, shard: string): Promise<boolean> {
  const { auditObjects: objects } = system
  if (objects === null) return false
  const db = system.auditDatabase(shard)
  const keptSince = system.now() - system.config.auditRetentionDays * DAY_MS
  const due = dueOf(system.now(), await db.size(), await oldestPage(db, keptSince))
  if (due === null) return false
  // A bucket that is down ends the run. A single refused object does not stop other tenants.
  const run = {
    left: OBJECTS_A_RUN,
    bytes: due.bytes,
    failures: new Array<unknown>(),
    stored: new Array<ObjectIndex>(),
  }
  await inParallel(TENANTS_AT_ONCE, await dueTenants(db, keptSince, due), async (tenantId) => {
    try {
      while (run.left > 0 && run.bytes > 0 && !db.isSpent && run.failures.length < TENANTS_AT_ONCE) {
        run.left -= 1
        const pages = cutPortion(await oldestPages(db, { tenantId, keptSince, due }))
        if (pages.length === 0) {
          run.left += 1
          return
        }
        run.bytes -= pages.reduce((sum, page) => sum + page.rows.length, 0)
        run.stored.push(...(await moveTogether(system, objects, db, tenantId, pages)))
      }
    } catch (error) {
      system.log.error({ event: 'audit.pages_not_moved', shard, tenant_id: tenantId }, error)
      run.failures.push(error)
    }
  })
  await countObjects(system, shard, run.stored)
  // Otherwise the log names the tenant, and the sweep goes on with the others.
  if (run.failures.length > 0 && run.stored.length === 0)
    throw new AggregateError(run.failures, `pages of shard ${shard} were not moved`)
  return run.bytes > 0 && (run.left <= 0 || db.isSpent)
}

interface Portion {
  tenantId: string
  keptSince: number
  due: Due
}

/** Moves pages of a tenant, at least one, into one object, and answers it; none where another mover was faster. */
export async function moveTogether(
  system: System,
  objects: ObjectStore,
  db: Database,
  tenantId: string,
  pages: readonly PageText[],
): Promise<ObjectIndex[]> {
  const packed = await pack(db.shard, tenantId, pages)
  await db.batch([reserveObjects(db, [packed.index])])
  await putObject(objects, packed)
  const ids = pages.map(({ id }) => id)
  return (await exchange(db, packed.index.key, ids, system.now())) ? [packed.index] : []
}

/** The pages of one object, of those that are given oldest first: whole hours of one day where they are small. */
export function cutPortion(pages: readonly PageText[]): PageText[] {
  const portion: PageText[] = []
  let size = 0
  for (const page of pages) {
    const [first] = portion
    const last = portion.at(-1)
    if (first && last) {
      const isFull = size >= MIN_OBJECT_CHARACTERS && !isSame(HOUR_MS, last.last_at, page.last_at)
      const isTooLong = size + page.rows.length > MAX_OBJECT_CHARACTERS
      if (isFull || isTooLong || !isSame(DAY_MS, first.last_at, page.last_at)) break
    }
    portion.push(page)
    size += page.rows.length
  }
  return portion
}

const oldestPages = (db: Database, { tenantId, keptSince, due }: Portion): Promise<PageText[]> =>
  db.all<PageText>(
    `select p.id, p.first_at, p.last_at, p.rows, json_array_length(p.rows) as count
     from (select id, sum(size) over (order by last_at, id rows unbounded preceding) - size as before from (
         select id, last_at, octet_length(rows) as size from audit_pages
         where tenant_id = :tenant and last_at >= :kept_since and last_at < :before and (:only_newer = 0 or last_at > coalesce(
           (select max(newest_at) from audit_objects where tenant_id = :tenant and stored_at is not null and span_ms > 0), 0))
         order by last_at, id limit ${PAGES_AN_OBJECT})) s
     cross join audit_pages p on p.id = s.id
     where s.before < ${MAX_OBJECT_CHARACTERS} order by p.last_at, p.id`,
    { tenant: tenantId, kept_since: keptSince, before: due.before, only_newer: due.onlyNewer ? 1 : 0 },
  )
