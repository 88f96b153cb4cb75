import { and, eq } from 'drizzle-orm'
import type { AuthContext, DoneOperation, IdempotencyClaim } from '../context.ts'
import type { Statement } from '../database/database.ts'
import { query } from '../database/query.ts'
import { joined, type Sql } from '../database/sql.ts'
import { idempotency_progress } from '../table.ts'
import { AT_PLACE, HELD_AT_PLACE, keyPlaceOf, type KeyPlace } from './key-place.ts'

type ProgressRow = Pick<typeof idempotency_progress.$inferSelect, 'operations'>

/** Reads the operations that were done under a key, and keeps them for another 24 h. */
export const takeUpProgress = query((db, place: KeyPlace & { fingerprint: string; now: number }) =>
  db
    .update(idempotency_progress)
    .set({ created_at: place.now })
    .where(
      and(
        eq(idempotency_progress.tenant_id, place.claim_tenant),
        eq(idempotency_progress.user_id, place.claim_user),
        eq(idempotency_progress.path, place.claim_path),
        eq(idempotency_progress.key, place.claim_key),
        eq(idempotency_progress.fingerprint, place.fingerprint),
      ),
    )
    .returning({ operations: idempotency_progress.operations }),
)

export const doneOf = (rows: readonly ProgressRow[]): DoneOperation[] =>
  rows.flatMap(({ operations }) => JSON.parse(operations) as DoneOperation[])

/**
 * Adds to a commit the record of those operations that it carries out. `onlyIf` is a condition over each of them, as
 * `e.value`: an operation that lost a race is not recorded.
 */
export const progressStatement = (
  ctx: AuthContext,
  claim: IdempotencyClaim,
  commit: { id: string; operations: readonly DoneOperation[] },
  onlyIf: Sql,
): Statement =>
  ctx.db.statement(
    `insert into idempotency_progress (tenant_id, user_id, path, key, fingerprint, commit_id, created_at, operations)
     select :claim_tenant, :claim_user, :claim_path, :claim_key, :claim_fingerprint, :claim_commit, :claim_at,
       json_group_array(json(e.value))
     from json_each(:claim_operations) e where ${onlyIf.sql} having count(*) > 0`,
    joined(
      keyPlaceOf(ctx, claim),
      {
        claim_fingerprint: claim.fingerprint,
        claim_commit: commit.id,
        claim_at: ctx.now(),
        claim_operations: JSON.stringify(commit.operations),
      },
      onlyIf.params,
    ),
  )

/** Erases the progress of a key that its request has finished, since the outcome replaces it. */
export const eraseProgress = (ctx: AuthContext, claim: IdempotencyClaim): Statement =>
  ctx.db.statement(
    `delete from idempotency_progress where ${AT_PLACE}
       and exists (select 1 from idempotency_keys where ${HELD_AT_PLACE})`,
    { ...keyPlaceOf(ctx, claim), claim_request: ctx.requestId },
  )
