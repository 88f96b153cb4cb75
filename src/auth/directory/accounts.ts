import { z } from '@hono/zod-openapi'
import { and, eq, isNull } from 'drizzle-orm'
import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { query } from '../../core/database/query.ts'
import { FIRST_SHARD, shardOf } from '../../core/shards.ts'
import { utf8 } from '../../core/values/encoding.ts'
import { hmacSha256, importHmacKey } from '../../core/values/hash.ts'
import { users } from '../table.ts'
import { directory } from './table.ts'

/** An e-mail address as it is stored and compared: in lower case and in one Unicode form. */
export const normalizeEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase()

export const Email = z.string().max(254).transform(normalizeEmail).pipe(z.email()).openapi({
  type: 'string',
  format: 'email',
  maxLength: 254,
  pattern: z.regexes.email.source,
  example: 'ada@example.com',
})

/** The database of the directory, which leads from addresses, applications and tenants to their shards. */
export const directoryDatabase = (system: Pick<System, 'database'>): Database => system.database(FIRST_SHARD)

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
  const decoy = await decoyShard(system, email)
  const entry = await directoryDatabase(system).first(routingIdOfEmail, { email })
  return entry?.routing_id ?? `${decoy}-nobody`
}

/**
 * Where an address without an account is looked for: always in the same shard, which the oldest key chooses, as a rotation
 * adds the newest. So neither the place of a shard nor one that is down tells who has an account (security 44).
 */
async function decoyShard({ shards, dataKeys }: System, email: string): Promise<string> {
  if (shards.length === 1) return FIRST_SHARD
  const hash = await hmacSha256(
    await importHmacKey((dataKeys.at(-1) ?? dataKeys[0]).bytes),
    utf8(`shard of nobody\n${email}`),
  )
  return shards[new DataView(hash.buffer).getUint32(0) % shards.length] ?? FIRST_SHARD
}

/**
 * The live user with a normalised e-mail address, or null. An unknown address costs two reads as well, so that the
 * time tells nothing.
 */
export async function findAccount(system: System, email: string): Promise<Account | null> {
  const routingId = await routingIdOf(system, email)
  return system.database(shardOf(routingId)).first(accountByRoutingId, { routingId })
}
