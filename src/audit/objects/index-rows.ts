import type { Database, Statement } from '../../core/database/database.ts'
import { HOUR_MS } from '../request-hours.ts'
import { DAY_MS, type ObjectIndex } from './format.ts'

/** The columns by which a list finds an object. */
export type ListedObject = Pick<ObjectIndex, 'key' | 'newest_at' | 'newest_id'>

/**
 * Statements that store the names of objects before they are put, so that every object in the bucket has a row. A name that is
 * stored already stays as it is.
 */
export const reserveObjects = (db: Database, objects: readonly ObjectIndex[]): Statement =>
  db.statement(RESERVE, JSON.stringify(objects))

const COLUMNS =
  'key, tenant_id, first_at, oldest_at, oldest_id, newest_at, newest_id, span_ms, pages, rows, bytes'.split(', ')

const RESERVE = `
  insert into audit_objects (${COLUMNS.join(', ')})
  select ${COLUMNS.map((column) => `value ->> '${column}'`).join(', ')} from json_each(?) where true
  on conflict (key) do nothing`

/** From this commit on lists read the objects. */
export const storedObjects = (db: Database, keys: readonly string[], now: number): Statement =>
  db.statement(
    'update audit_objects set stored_at = ? where stored_at is null and key in (select value from json_each(?))',
    now,
    JSON.stringify(keys),
  )

const FIELDS = 'key, newest_at, newest_id'
const IN_SCOPE = 'tenant_id = ?1 and stored_at is not null and newest_at >= ?4 and first_at < ?5'
const FOLLOWING = `
  select ${FIELDS} from audit_objects
  where ${IN_SCOPE} and newest_at <= ?2 and (newest_at < ?2 or newest_id <= ?3)
  order by newest_at desc, newest_id desc limit ?6`
/** Objects of more than one page in which the position lies. All pages of one lie in the same hour, or in the same day. */
const straddling = (spanMs: number): string => `
  select ${FIELDS} from audit_objects
  where ${IN_SCOPE} and span_ms > 0 and span_ms = ${spanMs} and newest_at >= ?2 and newest_at < ?2 - ?2 % ${spanMs} + ${spanMs}
    and (newest_at > ?2 or newest_id > ?3) and (oldest_at < ?2 or (oldest_at = ?2 and oldest_id <= ?3))`
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
  const values = [tenantId, Math.min(lastAt, MAX_INSTANT), id, since, until] as const
  return [db.statement(STRADDLING, ...values), db.statement(FOLLOWING, ...values, limit)]
}

const MAX_INSTANT = 8.64e15
