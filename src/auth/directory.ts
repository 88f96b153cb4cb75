import { z } from '@hono/zod-openapi'
import { and, eq, isNull } from 'drizzle-orm'
import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { query } from '../core/database/query.ts'
import { shardOf } from './credentials/tokens.ts'
import { directory, users } from './table.ts'

/** An e-mail address as it is stored and compared: in lower case and in one Unicode form. */
export const normalizeEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase()

export const Email = z
  .string()
  .max(254)
  .transform(normalizeEmail)
  .pipe(z.email())
  .openapi({ type: 'string', format: 'email', maxLength: 254, example: 'ada@example.com' })

/** The database with the one global table, which leads from an e-mail address to the shard of its user. */
export function directoryDatabase(system: System): Database {
  const [first] = system.shards
  if (first === undefined) throw new Error('there is always a shard')
  return system.database(first)
}

/** What a login reads of a user. */
export type Account = Pick<typeof users.$inferSelect, 'id' | 'tenant_id' | 'routing_id' | 'password_hash'>

const routingIdOfEmail = query((db, by: { email: string }) =>
  db.select({ routing_id: directory.routing_id }).from(directory).where(eq(directory.email, by.email)),
)

const accountByRoutingId = query((db, by: { routingId: string }) =>
  db
    .select({
      id: users.id,
      tenant_id: users.tenant_id,
      routing_id: users.routing_id,
      password_hash: users.password_hash,
    })
    .from(users)
    .where(and(eq(users.routing_id, by.routingId), isNull(users.deleted_at))),
)

/** The routing id of a normalised e-mail address. An unknown address has one that belongs to nobody. */
export async function routingIdOf(system: System, email: string): Promise<string> {
  const entry = await directoryDatabase(system).first(routingIdOfEmail, { email })
  return entry?.routing_id ?? `${system.shards[0]}-nobody`
}

/**
 * The live user with a normalised e-mail address, or null. An unknown address costs two reads as well, so that the
 * time tells nothing.
 */
export async function findAccount(system: System, email: string): Promise<Account | null> {
  const routingId = await routingIdOf(system, email)
  return system.database(shardOf(routingId)).first(accountByRoutingId, { routingId })
}
