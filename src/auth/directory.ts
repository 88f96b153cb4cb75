import { z } from '@hono/zod-openapi'
import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { shardOf } from './credentials/tokens.ts'

/** An address as it is stored and compared: without case, in one Unicode form. */
export const normalizeEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase()

export const Email = z
  .string()
  .max(254)
  .transform(normalizeEmail)
  .pipe(z.email())
  .openapi({ type: 'string', format: 'email', maxLength: 254, example: 'ada@example.com' })

/** The database with the one global table, which leads from an address to its user's shard. */
export function directoryDatabase(system: System): Database {
  const [first] = system.shards
  if (first === undefined) throw new Error('there is always a shard')
  return system.database(first)
}

/** A person as the login sees one. */
export interface Account {
  id: string
  tenant_id: string
  routing_id: string
  password_hash: string | null
}

/** The live user with a normalised address, or null; two reads either way, so that the time tells nothing. */
export async function findAccount(system: System, email: string): Promise<Account | null> {
  const entry = await directoryDatabase(system).first<{ routing_id: string }>(
    'select routing_id from directory where email = ?',
    email,
  )
  const routingId = entry?.routing_id ?? `${system.shards[0]}-nobody`
  return system
    .database(shardOf(routingId))
    .first<Account>(
      'select id, tenant_id, routing_id, password_hash from users where routing_id = ? and deleted_at is null',
      routingId,
    )
}
