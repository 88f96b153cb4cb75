import { and, eq } from 'drizzle-orm'
import type { AuthContext, DoneOperation, IdempotencyClaim } from '../context.ts'
import type { SqlValue, Statement } from '../database/database.ts'
import { query } from '../database/query.ts'
import { idempotency_progress } from '../table.ts'
import { AT_PLACE, placeOf, placeValues, type KeyPlace } from './key-place.ts'

type ProgressRow = Pick<typeof idempotency_progress.$inferSelect, 'operations'>

/** Reads the operations that were done under a key, and keeps them for another 24 h. */
export const takeUpProgress = query((db, place: KeyPlace & { fingerprint: string; now: number }) =>
  db
    .update(idempotency_progress)
    .set({ created_at: place.now })
    .where(
      and(
        eq(idempotency_progress.tenant_id, place.tenant),
        eq(idempotency_progress.user_id, place.user),
        eq(idempotency_progress.path, place.path),
        eq(idempotency_progress.key, place.key),
        eq(idempotency_progress.fingerprint, place.fingerprint),
      ),
    )
    .returning({ operations: idempotency_progress.operations }),
)

export const doneOf = (rows: readonly ProgressRow[]): DoneOperation[] =>
  rows.flatMap(({ operations }) => JSON.parse(operations) as DoneOperation[])

/**
 * Adds to a commit the record of those operations that it carries out. `onlyIf` is a condition in SQL over each of them,
 * as `e.value`, with `?` for its values: an operation that lost a race is not recorded.
 */
export const progressStatement = (
  ctx: AuthContext,
  claim: IdempotencyClaim,
  commit: { id: string; operations: readonly DoneOperation[] },
  onlyIf: string,
  ...values: SqlValue[]
): Statement =>
  ctx.db.statement(
    `insert into idempotency_progress (tenant_id, user_id, path, key, fingerprint, commit_id, created_at, operations)
     select ?, ?, ?, ?, ?, ?, ?, json_group_array(json(e.value)) from json_each(?) e where ${onlyIf} having count(*) > 0`,
    ...placeValues(placeOf(ctx, claim)),
    claim.fingerprint,
    commit.id,
    ctx.now(),
    JSON.stringify(commit.operations),
    ...values,
  )

/** Erases the progress of a key that its request has finished, since the outcome replaces it. */
export const eraseProgress = (ctx: AuthContext, claim: IdempotencyClaim): Statement => {
  const place = placeValues(placeOf(ctx, claim))
  return ctx.db.statement(
    `delete from idempotency_progress where ${AT_PLACE}
       and exists (select 1 from idempotency_keys where ${AT_PLACE} and write_id = ?)`,
    ...place,
    ...place,
    ctx.requestId,
  )
}
