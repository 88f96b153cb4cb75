import { z } from 'zod'
import type { AuthContext, IdempotencyClaim } from '../context.ts'
import type { Database, SqlValue, Statement } from '../database/database.ts'
import { eraseInPages } from '../database/erase-in-pages.ts'
import { AppError, invalid } from '../errors.ts'
import { sha256 } from '../values/hash.ts'

export const KEPT_MS = 24 * 3_600_000
/** An unfinished key is freed this long after its request's last sign of life (contract §1): it has died. */
export const RUNNING_MS = 60_000
/** A request that runs for long gives a sign of life this often. */
const RENEW_MS = RUNNING_MS / 4

const Key = z.string().regex(/^[\x21-\x7e]{1,255}$/)

/** What is stored of a key. `status` null: the request that holds it still runs. */
export interface StoredKey {
  fingerprint: string
  write_id: string
  status: number | null
  resource: string | null
}

/** Reads the header; the fingerprint binds the key to this very body. */
export async function readIdempotencyKey(
  request: Request,
  url: URL,
  body: Uint8Array<ArrayBuffer>,
): Promise<IdempotencyClaim | null> {
  const header = request.headers.get('idempotency-key')
  if (header === null) return null
  const key = Key.safeParse(header)
  if (!key.success)
    throw invalid('Idempotency-Key', 'invalid_header', 'Idempotency-Key takes 1 to 255 printable characters.')
  return {
    key: key.data,
    path: url.pathname,
    fingerprint: await sha256(`${url.search}\n${new TextDecoder().decode(body)}`),
  }
}

const CLAIM = `
  insert into idempotency_keys (tenant_id, user_id, path, key, fingerprint, write_id, status, resource, created_at)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
  on conflict (tenant_id, user_id, path, key) do update
    set fingerprint = excluded.fingerprint, write_id = excluded.write_id, status = excluded.status,
        resource = excluded.resource, created_at = excluded.created_at
    where created_at <= ?9 - ${KEPT_MS} or (status is null and created_at <= ?9 - ${RUNNING_MS})`

const READ = `select fingerprint, write_id, status, resource from idempotency_keys
  where tenant_id = ? and user_id = ? and path = ? and key = ?`

export interface CommittedKey {
  /** First of the batch: takes the key, finished at once, as it shares the effect's commit. */
  take: Statement
  /** The condition for the effect, in SQL with a plain `?` for each of `values`: this request holds the key. */
  holds: string
  values: string[]
  /** Reads the key back: who holds it, and what came of it. */
  read: Statement
  /** Last of the batch: frees the key again unless `effect`, a condition in SQL, tells that it took place. */
  free(effect: string, ...values: SqlValue[]): Statement
}

/** The statements of a verb that commits its key together with its effect. */
export function committedKey(
  ctx: AuthContext,
  claim: IdempotencyClaim,
  status: number,
  resource: string,
): CommittedKey {
  const at = [ctx.principal.tenantId, ctx.principal.userId, claim.path, claim.key]
  const where = 'tenant_id = ? and user_id = ? and path = ? and key = ?'
  return {
    take: ctx.db.statement(CLAIM, ...at, claim.fingerprint, ctx.requestId, status, resource, ctx.now()),
    holds: `exists (select 1 from idempotency_keys where ${where} and write_id = ?)`,
    values: [...at, ctx.requestId],
    read: ctx.db.statement(READ, ...at),
    free: (effect, ...values) =>
      ctx.db.statement(
        `delete from idempotency_keys where ${where} and write_id = ? and not (${effect})`,
        ...at,
        ctx.requestId,
        ...values,
      ),
  }
}

/** The stored key of a request, to be asked before its effect. */
export async function storedKey(ctx: AuthContext, claim: IdempotencyClaim): Promise<StoredKey | null> {
  const row = await ctx.db.first<StoredKey & { created_at: number }>(
    `${READ} and created_at > ? and (status is not null or created_at > ?)`,
    ctx.principal.tenantId,
    ctx.principal.userId,
    claim.path,
    claim.key,
    ctx.now() - KEPT_MS,
    ctx.now() - RUNNING_MS,
  )
  return row
}

/** What a key that somebody else holds means: its stored outcome to replay, or 409. */
export function replayOf(claim: IdempotencyClaim, stored: StoredKey): { status: number; resource: string } {
  if (stored.fingerprint !== claim.fingerprint) {
    throw new AppError('idempotency_mismatch', { detail: 'This Idempotency-Key was used with another request.' })
  }
  if (stored.status === null || stored.resource === null) throw inProgress()
  return { status: stored.status, resource: stored.resource }
}

const inProgress = (): AppError =>
  new AppError('idempotency_in_progress', {
    detail: 'The request with this Idempotency-Key is still running.',
    headers: { 'Retry-After': '1' },
  })

/** Takes a key before the effect; answers what to replay where another request finished with it. */
export async function claimKey(
  ctx: AuthContext,
  claim: IdempotencyClaim,
): Promise<{ status: number; resource: string } | null> {
  const { tenantId, userId } = ctx.principal
  const [, [stored]] = await ctx.db.batch<[never, StoredKey]>([
    ctx.db.statement(
      CLAIM,
      tenantId,
      userId,
      claim.path,
      claim.key,
      claim.fingerprint,
      ctx.requestId,
      null,
      null,
      ctx.now(),
    ),
    ctx.db.statement(READ, tenantId, userId, claim.path, claim.key),
  ])
  return !stored || stored.write_id === ctx.requestId ? null : replayOf(claim, stored)
}

/**
 * For a verb that may run longer than `RUNNING_MS`: what it gets, called between its steps, renews the claim in time.
 * Throws 409 where another request has taken the key over meanwhile, since this one had stalled: one of both goes on.
 */
export function claimKeeper(ctx: AuthContext): () => Promise<void> {
  const claim = ctx.idempotency
  let renewedAt = ctx.now()
  return async () => {
    const now = ctx.now()
    if (!claim || now - renewedAt < RENEW_MS) return
    const { tenantId, userId } = ctx.principal
    const rows = await ctx.db.write(
      `update idempotency_keys set created_at = ?
       where tenant_id = ? and user_id = ? and path = ? and key = ? and write_id = ? returning key`,
      now,
      tenantId,
      userId,
      claim.path,
      claim.key,
      ctx.requestId,
    )
    if (rows.length === 0) throw inProgress()
    renewedAt = now
  }
}

/** Keeps the outcome of a claimed key; only 2xx is kept, anything else frees the key. */
export async function settleKey(
  ctx: AuthContext,
  claim: IdempotencyClaim,
  outcome: { status: number; resource: string } | null,
): Promise<void> {
  const { tenantId, userId } = ctx.principal
  const where = 'where tenant_id = ? and user_id = ? and path = ? and key = ? and write_id = ?'
  const at = [tenantId, userId, claim.path, claim.key, ctx.requestId] as const
  if (outcome)
    await ctx.db.write(
      `update idempotency_keys set status = ?, resource = ? ${where}`,
      outcome.status,
      outcome.resource,
      ...at,
    )
  else await ctx.db.write(`delete from idempotency_keys ${where}`, ...at)
}

/** Erases keys past their time. */
export const sweepKeys = (db: Database, now: number): Promise<void> =>
  eraseInPages(db, 'idempotency_keys', 'created_at <= ?', now - KEPT_MS)
