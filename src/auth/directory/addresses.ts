import { and, eq, isNotNull } from 'drizzle-orm'
import type { System } from '../../core/context.ts'
import { violatedConstraint } from '../../core/database/d1-errors.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { query, wholeRow } from '../../core/database/query.ts'
import { AppError, unavailable } from '../../core/errors.ts'
import { FIRST_SHARD, shardOf } from '../../core/shards.ts'
import { directoryDatabase } from './accounts.ts'
import { RESERVED_MS, spend, SPENT } from './reservation.ts'
import { settleAddresses } from './settle.ts'
import { directory, tenant_directory } from './table.ts'

/** An account as the directory has it. */
export interface AddressEntry {
  email: string
  routingId: string
  userId: string
  tenantId: string
}

const entryOf = query((db, by: { email: string }) =>
  db
    .select({ routing_id: directory.routing_id, expires_at: directory.expires_at })
    .from(directory)
    .where(eq(directory.email, by.email)),
)

const insertEntry = query((db, row: typeof directory.$inferSelect) =>
  db.insert(directory).values(wholeRow(directory, row)),
)

const insertTenant = query((db, row: typeof tenant_directory.$inferSelect) =>
  db.insert(tenant_directory).values(wholeRow(tenant_directory, row)).onConflictDoNothing(),
)

const deleteReservation = query((db, by: { email: string; routingId: string }) =>
  db
    .delete(directory)
    .where(and(eq(directory.email, by.email), eq(directory.routing_id, by.routingId), isNotNull(directory.expires_at))),
)

const emailTaken = (): AppError =>
  new AppError('email_taken', { detail: 'An account with this e-mail address already exists.' })

/** The client of that sign-up may not know how it ended, and sends it again. */
function signUpUnderWay(waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return new AppError('conflict', {
    detail: 'A sign-up with this e-mail address is in progress.',
    headers: { 'Retry-After': String(seconds) },
  })
}

/** Why an address cannot be had: an account has it, or a sign-up under way. Its entry may be gone by now. */
async function addressInUse(system: System, email: string): Promise<AppError> {
  const entry = await directoryDatabase(system).first(entryOf, { email })
  if (entry?.expires_at === null) return emailTaken()
  return signUpUnderWay((entry?.expires_at ?? 0) - system.now())
}

/**
 * Refuses an address that has an account, or that a sign-up under way has reserved: 409. A reservation that has expired is
 * settled first, with the shard that it leads to.
 */
export async function requireFreeAddress(system: System, email: string): Promise<void> {
  const entry = await directoryDatabase(system).first(entryOf, { email })
  if (!entry) return
  if (entry.expires_at === null) throw emailTaken()
  if (system.now() < entry.expires_at) throw signUpUnderWay(entry.expires_at - system.now())
  const shard = shardOf(entry.routing_id)
  if ((await settleAddresses(system, shard, [entry.routing_id])).length > 0) throw emailTaken()
}

/**
 * Reserves the address of an account that is about to be committed in another shard than the directory's, for a minute.
 * 409 where somebody else was faster.
 */
export async function reserveAddress(system: System, { email, routingId, userId }: AddressEntry): Promise<void> {
  if (shardOf(routingId) === FIRST_SHARD) return
  const expiresAt = system.now() + RESERVED_MS
  try {
    await directoryDatabase(system).write(insertEntry, {
      email,
      routing_id: routingId,
      user_id: userId,
      expires_at: expiresAt,
    })
  } catch (error) {
    throw violatedConstraint(error) === 'directory.email' ? await addressInUse(system, email) : error
  }
}

/**
 * The statements by which the commit of an account enters it in the directory, or spends its reservation. They fail on
 * `directory.email` where the address is taken, and on `SPENT` where the reservation was given up.
 */
export function addressStatements(system: System, db: Database, entry: AddressEntry): Statement[] {
  const { email, routingId, userId, tenantId } = entry
  if (db.shard !== FIRST_SHARD) return [spend(system, db, routingId)]
  return [
    db.statement(insertEntry, { email, routing_id: routingId, user_id: userId, expires_at: null }),
    db.statement(insertTenant, { id: tenantId, shard: db.shard }),
  ]
}

/** Confirms a reservation whose account is committed. After a failure a sweep confirms it. */
export async function confirmAddress(system: System, { routingId }: AddressEntry): Promise<void> {
  const shard = shardOf(routingId)
  if (shard !== FIRST_SHARD) await settleAddresses(system, shard, [routingId])
}

/** Frees the address of a sign-up whose commit was refused as a whole. After a failure a sweep frees it. */
export async function freeAddress(system: System, { email, routingId }: AddressEntry): Promise<void> {
  if (shardOf(routingId) !== FIRST_SHARD) await directoryDatabase(system).write(deleteReservation, { email, routingId })
}

/** The client's error for a violated constraint of `addressStatements`; null for any other error. */
export async function addressFault(system: System, { email }: AddressEntry, error: unknown): Promise<AppError | null> {
  const constraint = violatedConstraint(error)
  if (constraint === 'directory.email') return addressInUse(system, email)
  return constraint === SPENT ? unavailable('The directory', error) : null
}
