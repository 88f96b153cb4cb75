import { and, isNull } from 'drizzle-orm'
import type { AuthContext, IdempotencyClaim } from '../context.ts'
import { ABORT } from '../database/abort.ts'
import type { Statement } from '../database/database.ts'
import { query } from '../database/query.ts'
import { ALWAYS, joined } from '../database/sql.ts'
import { idempotency_keys } from '../table.ts'
import { HELD_AT_PLACE, heldAt, keyPlaceOf, type HeldPlace } from './key-place.ts'
import { eraseProgress } from './done-operations.ts'

const finishKey = query((db, place: HeldPlace & { status: number; resource: string }) =>
  db.update(idempotency_keys).set({ status: place.status, resource: place.resource }).where(heldAt(place)),
)

const freeKey = query((db, place: HeldPlace) =>
  db.delete(idempotency_keys).where(and(heldAt(place), isNull(idempotency_keys.status))),
)

/**
 * For the one commit of a verb that runs under a claimed key: settles the key with the id by which `replay` finds the
 * resource again. `onlyIf` is a condition that holds where the effect took place. The whole batch is undone where this
 * request no longer holds the key, as another may have taken it over.
 */
export function settleStatement(ctx: AuthContext, resource: string, onlyIf = ALWAYS): Statement {
  const claim = ctx.idempotency
  if (!claim) return ctx.db.statement('select 1 where 0')
  return ctx.db.statement(
    settle(onlyIf.sql),
    joined(
      keyPlaceOf(ctx, claim),
      {
        claim_fingerprint: claim.fingerprint,
        claim_request: ctx.requestId,
        claim_status: claim.status,
        claim_resource: resource,
        claim_at: ctx.now(),
      },
      onlyIf.params,
    ),
  )
}

/** The row of a held key exists, so this insert always runs into it and updates it. */
const settle = (onlyIf: string): string => `
  insert into idempotency_keys (tenant_id, user_id, path, key, fingerprint, write_id, status, resource, created_at)
  select :claim_tenant, :claim_user, :claim_path, :claim_key, :claim_fingerprint, :claim_request,
    iif(exists (select 1 from idempotency_keys where ${HELD_AT_PLACE}), :claim_status, ${ABORT}), :claim_resource, :claim_at
  where ${onlyIf}
  on conflict (tenant_id, user_id, path, key) do update set status = excluded.status, resource = excluded.resource`

/** Keeps the outcome of a claimed key whose verb commits in several steps; only 2xx is kept. */
export async function settleKey(
  ctx: AuthContext,
  claim: IdempotencyClaim,
  outcome: { status: number; resource: string },
): Promise<void> {
  const held = { ...keyPlaceOf(ctx, claim), claim_request: ctx.requestId }
  await ctx.db.batch([ctx.db.statement(finishKey, { ...held, ...outcome }), eraseProgress(ctx, claim)])
}

/** Frees the key of a request that failed, unless its effect has settled it. A retry goes on from its progress. */
export async function freeClaim(ctx: AuthContext, claim: IdempotencyClaim): Promise<void> {
  await ctx.db.write(freeKey, { ...keyPlaceOf(ctx, claim), claim_request: ctx.requestId })
}
