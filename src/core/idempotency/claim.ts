import { and, gt, isNotNull, or } from 'drizzle-orm'
import { z } from 'zod'
import type { AuthContext, IdempotencyClaim } from '../context.ts'
import type { Database, Statement } from '../database/database.ts'
import { eraseInPages } from '../database/erase-in-pages.ts'
import { query } from '../database/query.ts'
import { joined, sql, type Sql } from '../database/sql.ts'
import { AppError, invalid } from '../errors.ts'
import { anyLeftMore } from '../queue.ts'
import { idempotency_keys, type idempotency_progress } from '../table.ts'
import { sha256 } from '../values/hash.ts'
import { at, HELD_AT_PLACE, heldAt, keyPlaceOf, type HeldPlace, type KeyPlace } from './key-place.ts'
import { doneOf, takeUpProgress } from './done-operations.ts'
import type { RowOf } from '../database/row.ts'
import { DAY_MS, MINUTE_MS } from '../values/durations.ts'

export const KEPT_MS = DAY_MS
/** An unfinished key is freed this long after its request's last sign of life (contract §1): it has died. */
export const RUNNING_MS = MINUTE_MS
/** A request that runs for long gives a sign of life this often. */
const RENEW_MS = RUNNING_MS / 4

const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255
const Key = z.string().regex(new RegExp(`^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY_CHARACTERS}}$`))

/** A stored key. `status` null: the request that holds it still runs. */
export type StoredKey = Pick<typeof idempotency_keys.$inferSelect, 'fingerprint' | 'write_id' | 'status' | 'resource'>

/** Reads the header; the fingerprint binds the key to this very body. `status` is that of a first answer. */
export async function readIdempotencyKey(
  request: Request,
  url: URL,
  body: Uint8Array<ArrayBuffer>,
  status: number,
): Promise<IdempotencyClaim | null> {
  const header = request.headers.get('idempotency-key')
  if (header === null) return null
  const key = Key.safeParse(header)
  if (!key.success)
    throw invalid('Idempotency-Key', 'invalid_header', 'Idempotency-Key must be 1 to 255 printable characters.')
  return {
    key: key.data,
    path: url.pathname,
    fingerprint: await sha256(`${url.search}\n${new TextDecoder().decode(body)}`),
    status,
    done: [],
  }
}

const CLAIM = `
  insert into idempotency_keys (tenant_id, user_id, path, key, fingerprint, write_id, status, resource, created_at)
  values (:claim_tenant, :claim_user, :claim_path, :claim_key, :fingerprint, :claim_request, :status, :resource, :now)
  on conflict (tenant_id, user_id, path, key) do update
    set fingerprint = excluded.fingerprint, write_id = excluded.write_id, status = excluded.status,
        resource = excluded.resource, created_at = excluded.created_at
    where created_at <= :now - ${KEPT_MS} or (status is null and created_at <= :now - ${RUNNING_MS})`

const { fingerprint, write_id, status, resource } = idempotency_keys
const STORED = { fingerprint, write_id, status, resource }

const keyAt = query((db, place: KeyPlace) => db.select(STORED).from(idempotency_keys).where(at(place)))

const unexpiredKeyAt = query((db, place: KeyPlace & { keptSince: number; aliveSince: number }) =>
  db
    .select(STORED)
    .from(idempotency_keys)
    .where(
      and(
        at(place),
        gt(idempotency_keys.created_at, place.keptSince),
        or(isNotNull(status), gt(idempotency_keys.created_at, place.aliveSince)),
      ),
    ),
)

const renewKey = query((db, place: HeldPlace & { now: number }) =>
  db
    .update(idempotency_keys)
    .set({ created_at: place.now })
    .where(heldAt(place))
    .returning({ key: idempotency_keys.key }),
)

export interface CommittedKey {
  /** First of the batch: takes the key, finished at once, as it shares the effect's commit. */
  take: Statement
  /** The condition for the effect: this request holds the key. Its names begin with `claim_`. */
  holds: Sql
  /** Reads the key back: who holds it, and the outcome that it keeps. */
  read: Statement
  /** Last of the batch: frees the key again unless `effect`, a condition, tells that it took place. */
  free(effect: Sql): Statement
}

/** The statements of a verb that commits its key together with its effect. */
export function committedKey(
  ctx: AuthContext,
  claim: IdempotencyClaim,
  status: number,
  resource: string,
): CommittedKey {
  const place = keyPlaceOf(ctx, claim)
  const held = { ...place, claim_request: ctx.requestId }
  const { fingerprint } = claim
  return {
    take: ctx.db.statement(CLAIM, { ...held, fingerprint, status, resource, now: ctx.now() }),
    holds: sql(`exists (select 1 from idempotency_keys where ${HELD_AT_PLACE})`, held),
    read: ctx.db.statement(keyAt, place),
    free: (effect) =>
      ctx.db.statement(
        `delete from idempotency_keys where ${HELD_AT_PLACE} and not (${effect.sql})`,
        joined(held, effect.params),
      ),
  }
}

/** The stored key of a request, to be asked before its effect. */
export async function storedKey(ctx: AuthContext, claim: IdempotencyClaim): Promise<StoredKey | null> {
  const now = ctx.now()
  const since = { keptSince: now - KEPT_MS, aliveSince: now - RUNNING_MS }
  return ctx.db.first(unexpiredKeyAt, { ...keyPlaceOf(ctx, claim), ...since })
}

/** The stored answer of a key that another request holds, to be replayed. 409 for another body, or while there is none. */
export function replayOf(claim: IdempotencyClaim, stored: StoredKey): { status: number; resource: string } {
  if (stored.fingerprint !== claim.fingerprint) {
    throw new AppError('idempotency_mismatch', { detail: 'This Idempotency-Key was used with another request.' })
  }
  if (stored.status === null || stored.resource === null) throw inProgress()
  return { status: stored.status, resource: stored.resource }
}

export const inProgress = (): AppError =>
  new AppError('idempotency_in_progress', {
    detail: 'The request with this Idempotency-Key is still running.',
    headers: { 'Retry-After': '1' },
  })

/**
 * Takes a key before the effect; answers what to replay where another request finished with it. It fills
 * `claim.done` with the operations of a request that broke off.
 */
export async function claimKey(
  ctx: AuthContext,
  claim: IdempotencyClaim,
): Promise<{ status: number; resource: string } | null> {
  const place = keyPlaceOf(ctx, claim)
  const { fingerprint } = claim
  const now = ctx.now()
  const [, [stored], progress] = await ctx.db.batch<
    [never, StoredKey, RowOf<typeof idempotency_progress, 'operations'>]
  >([
    ctx.db.statement(CLAIM, { ...place, claim_request: ctx.requestId, fingerprint, status: null, resource: null, now }),
    ctx.db.statement(keyAt, place),
    ctx.db.statement(takeUpProgress, { ...place, fingerprint, now }),
  ])
  claim.done = doneOf(progress)
  return !stored || stored.write_id === ctx.requestId ? null : replayOf(claim, stored)
}

/** For a commit that guards itself by the key: reads it back, for `requireHeld`. */
export const readKey = (ctx: AuthContext, claim: IdempotencyClaim): Statement =>
  ctx.db.statement(keyAt, keyPlaceOf(ctx, claim))

/** The key as it stands now, or null. */
export const holderOf = (ctx: AuthContext, claim: IdempotencyClaim): Promise<StoredKey | null> =>
  ctx.db.first(keyAt, keyPlaceOf(ctx, claim))

/** Throws 409 where another request has taken the key over: the commit then wrote nothing. */
export function requireHeld(ctx: AuthContext, stored: StoredKey | null): void {
  if (stored?.write_id !== ctx.requestId) throw inProgress()
}

/**
 * For a verb that may run longer than `RUNNING_MS`. Answers a function that renews the claim; call it between steps.
 * It throws 409 if another request has taken the key over.
 */
export function claimKeeper(ctx: AuthContext): () => Promise<void> {
  const claim = ctx.idempotency
  let renewedAt = ctx.now()
  return async () => {
    const now = ctx.now()
    if (!claim || now - renewedAt < RENEW_MS) return
    const rows = await ctx.db.write(renewKey, { ...keyPlaceOf(ctx, claim), claim_request: ctx.requestId, now })
    if (rows.length === 0) throw inProgress()
    renewedAt = now
  }
}

/** Erases keys and progress past their time. Answers whether there may be more. */
export const sweepKeys = (db: Database, now: number): Promise<boolean> =>
  anyLeftMore(['idempotency_keys', 'idempotency_progress'], (table) =>
    eraseInPages(db, table, sql('created_at <= :kept_since', { kept_since: now - KEPT_MS })),
  )
