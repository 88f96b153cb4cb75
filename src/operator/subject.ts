import { directoryDatabase } from '../auth/index.ts'
import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { and, sql, type Sql } from '../core/database/sql.ts'
import { notFound } from '../core/errors.ts'
import { DATABASES_AT_ONCE } from '../core/shards.ts'
import { inParallel } from '../core/values/in-parallel.ts'
import { DEPLOYMENT, type Account } from '../limits/index.ts'

/** Whose limits an operator sets, and the database where they stand. */
export interface Subject {
  id: string
  type: 'deployment' | 'tenant' | 'user' | 'api_key'
  db: Database
  tenantId: string | null
  /** Of a user, and of a key. */
  userId: string | null
  kind: Account['kind'] | null
  /** The id by which hubs find its limits: for a key it is its user. */
  holder: string
}

interface Found {
  type: Subject['type']
  tenant_id: string
  user_id: string | null
  kind: Account['kind'] | null
}

/** An id leads to one row at most: ids of tenants, users and keys have prefixes of their own. */
const FIND = `
  select 'tenant' as type, id as tenant_id, null as user_id, null as kind from tenants where id = :id
  union all
  select 'user', tenant_id, id, kind from users where id = :id and deleted_at is null
  union all
  select 'api_key', k.tenant_id, u.id, u.kind from api_keys k join users u on u.id = k.user_id and u.deleted_at is null
  where k.id = :id and (k.revoked_at is null or k.revoked_at > :now)`

/**
 * Finds the subject of that id. No id but that of the deployment tells its shard, so all of them are asked: an operator
 * calls rarely. 404 for an id that no shard has; 503 where a shard that might have it does not answer.
 */
export async function findSubject(system: System, id: string): Promise<Subject> {
  if (id === DEPLOYMENT) {
    const db = directoryDatabase(system)
    return { id, type: 'deployment', db, tenantId: null, userId: null, kind: null, holder: DEPLOYMENT }
  }
  const failures: unknown[] = []
  const found = await inParallel(DATABASES_AT_ONCE, system.shards, async (shard) => {
    try {
      return await findIn(system.database(shard), id, system.now())
    } catch (error) {
      failures.push(error)
      return null
    }
  })
  const subject = found.find((one) => one !== null)
  if (subject) return subject
  throw failures[0] ?? notFound('tenant, user or API key')
}

async function findIn(db: Database, id: string, now: number): Promise<Subject | null> {
  const found = await db.first<Found>(FIND, { id, now })
  if (!found) return null
  const { type, tenant_id, user_id, kind } = found
  return { id, type, db, tenantId: tenant_id, userId: user_id, kind, holder: user_id ?? tenant_id }
}

/** The condition that a subject is still there. */
export const STILL_THERE: Record<Subject['type'], (id: string, now: number) => Sql> = {
  deployment: () => and(),
  tenant: (id) => sql('exists (select 1 from tenants where id = :subject)', { subject: id }),
  user: (id) => sql('exists (select 1 from users where id = :subject and deleted_at is null)', { subject: id }),
  api_key: (id, now) =>
    sql('exists (select 1 from api_keys where id = :subject and (revoked_at is null or revoked_at > :now))', {
      subject: id,
      now,
    }),
}
