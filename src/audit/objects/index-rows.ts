import type { Database, Statement } from '../../core/database/database.ts'
import type { ObjectIndex } from './format.ts'
import { DAY_MS, HOUR_MS } from '../../core/values/durations.ts'

/** The columns by which a list finds an object. */
export type ListedObject = Pick<ObjectIndex, 'key' | 'newest_at' | 'newest_id'>

/**
 * Statements that store the names of objects before they are put, so that every object in the bucket has a row. A name that is
 * stored already stays as it is.
 */
export const reserveObjects = (db: Database, objects: readonly ObjectIndex[]): Statement =>
  db.statement(RESERVE, { objects: JSON.stringify(objects) })

const COLUMNS =
  'key, tenant_id, first_at, oldest_at, oldest_id, newest_at, newest_id, span_ms, pages, rows, bytes'.split(', ')
const VALUES = COLUMNS.map((column) => `value ->> '${column}'`).join(', ')

const RESERVE = `
  insert into audit_objects (${COLUMNS.join(', ')})
  select ${VALUES} from json_each(:objects) where true
  on conflict (key) do nothing`

/**
 * The commits by which pages leave the database and lists find their object instead. They do nothing if a mover has since taken one of
 * the pages, and answer whether they were done. `exchange` is about a name that was stored before; `enter` stores it.
 */
export const exchange = (db: Database, key: string, pageIds: readonly string[], now: number): Promise<boolean> =>
  showInstead(
    db,
    key,
    pageIds,
    db.statement(
      `update audit_objects set stored_at = :now where key = :key and stored_at is null and ${ARE_THERE} returning key`,
      { now, key, pages: JSON.stringify(pageIds) },
    ),
  )

export const enter = (db: Database, index: ObjectIndex, pageIds: readonly string[], now: number): Promise<boolean> =>
  showInstead(
    db,
    index.key,
    pageIds,
    db.statement(
      `insert into audit_objects (${COLUMNS.join(', ')}, stored_at)
       select ${VALUES}, :now from json_each(:objects) where ${ARE_THERE}
       on conflict (key) do update set stored_at = excluded.stored_at where stored_at is null returning key`,
      { now, objects: JSON.stringify([index]), pages: JSON.stringify(pageIds) },
    ),
  )

/** SQL: the database has all of `:pages`. */
const ARE_THERE = `(
  select count(*) from audit_pages where id in (select value from json_each(:pages))) = json_array_length(:pages)`

/** `show` answers a row where it shows the object. */
async function showInstead(db: Database, key: string, pageIds: readonly string[], show: Statement): Promise<boolean> {
  const [shown] = await db.batch<[{ key: string }, unknown]>([
    show,
    db.statement(
      `delete from audit_pages where id in (select value from json_each(:pages))
         and exists (select 1 from audit_objects where key = :key and stored_at is not null)`,
      { pages: JSON.stringify(pageIds), key },
    ),
  ])
  return shown.length > 0
}

const FIELDS = 'key, newest_at, newest_id'
const IN_SCOPE = 'tenant_id = :tenant and stored_at is not null and newest_at >= :since and first_at < :until'
const FOLLOWING = `
  select ${FIELDS} from audit_objects
  where ${IN_SCOPE} and newest_at <= :last_at and (newest_at < :last_at or newest_id <= :page)
  order by newest_at desc, newest_id desc limit :limit`
/** Objects of more than one page in which the position lies. All pages of one lie in the same hour, or in the same day. */
const straddling = (spanMs: number): string => `
  select ${FIELDS} from audit_objects
  where ${IN_SCOPE} and span_ms > 0 and span_ms = ${spanMs}
    and newest_at >= :last_at and newest_at < :last_at - :last_at % ${spanMs} + ${spanMs}
    and (newest_at > :last_at or newest_id > :page)
    and (oldest_at < :last_at or (oldest_at = :last_at and oldest_id <= :page))`
const STRADDLING = `${straddling(HOUR_MS)} union all ${straddling(DAY_MS)}`

/** What a list asks for: pages of a tenant from a position on, and within a time. */
export interface ObjectScope {
  tenantId: string
  lastAt: number
  id: string
  since: number
  until: number
}

/**
 * For a batch with others: objects in which the position lies, and the next ones behind it, newest first, `limit` at most.
 */
export function findObjects(db: Database, scope: ObjectScope, limit: number): [Statement, Statement] {
  const { tenantId, lastAt, id, since, until } = scope
  // Nothing is after the last day that has a date, and a number of this size has no remainder in SQLite.
  const params = { tenant: tenantId, last_at: Math.min(lastAt, MAX_INSTANT), page: id, since, until }
  return [db.statement(STRADDLING, params), db.statement(FOLLOWING, { ...params, limit })]
}

const MAX_INSTANT = 8.64e15
