import type { AuthContext, IdempotencyClaim } from '../../core/context.ts'
import type { SqlValue, Statement } from '../../core/database/database.ts'
import type { accessValues } from '../access.ts'
import * as sql from './commit-sql.ts'
import { postingsOf } from '../keyword/postings.ts'
import { RESEND_AFTER_MS } from '../embedding/queue.ts'
import type { Change } from './operation.ts'
import { slices } from '../../core/database/slices.ts'
import type { KeywordEntry } from '../keyword/keyword-index.ts'

/** One commit, as its statements need it. */
export interface Write {
  ctx: AuthContext
  /** The stamp that an item's own statement leaves, and that whatever belongs to the item follows. */
  id: string
  access: ReturnType<typeof accessValues>
  changes: readonly Change[]
  /** What goes into the keyword index, by item. */
  words: ReadonlyMap<string, KeywordEntry>
  /** The idempotency key that the request must hold for anything to be written. */
  claim: IdempotencyClaim | null
}

/** An item as the statements find it. */
export const target = ({ row, base }: Change): { id: string; base: number } => ({ id: row.id, base })

/** Whether the item was there before. */
export const existed = ({ base }: { base: number }): boolean => base > 0

export const wordsOf = (changes: readonly Change[]): Write['words'] =>
  new Map(
    changes
      .filter((change) => change.reworded && !change.deleted)
      .map(({ row, base }) => [row.id, { id: row.id, isNew: base === 0, ...postingsOf(row.text) }]),
  )

/** Ends the expired holders of a `custom_id` that a new item takes. */
export function expirations({ ctx, id }: Write, expired: readonly string[]): Statement[] {
  const rows = expired.map((item) => ({ id: item }))
  return slices(rows).map((json) => ctx.db.statement(sql.TOMBSTONE, ctx.now(), id, json, 'expired'))
}

export const deletions = (write: Write): Statement[] =>
  guarded(write, sql.DELETE, write.changes.filter((change) => change.deleted && existed(change)).map(target))

export const releases = (write: Write, released: readonly string[]): Statement[] =>
  guarded(
    write,
    sql.RELEASE_CUSTOM_IDS,
    changed(write)
      .map(target)
      .filter(({ id }) => released.includes(id)),
  )

export function updates(write: Write): Statement[] {
  const nextAttemptAt = write.ctx.now() + RESEND_AFTER_MS
  const rows = changed(write).map(({ row, base, reembedded }) => ({
    ...row,
    base,
    reembedded,
    next_attempt_at: nextAttemptAt,
    word_count: write.words.get(row.id)?.length ?? null,
  }))
  return guarded(write, sql.UPDATE, rows)
}

export function insertions(write: Write): Statement[] {
  const now = write.ctx.now()
  const rows = write.changes
    .filter((change) => !existed(change))
    .map(({ row, deleted, deduplicate }) => ({
      ...row,
      deduplicate,
      next_attempt_at: now + RESEND_AFTER_MS,
      word_count: write.words.get(row.id)?.length ?? 0,
      deleted_at: deleted ? now : null,
      delete_reason: deleted ? 'deleted' : null,
    }))
  return guarded(write, sql.insertItems(write.ctx.principal), rows, write.ctx.config.quotas.items)
}

const changed = ({ changes }: Write): Change[] => changes.filter((change) => !change.deleted && existed(change))

const guarded = (
  { ctx, id, access, claim }: Write,
  statement: string,
  rows: readonly unknown[],
  ...more: SqlValue[]
): Statement[] =>
  slices(rows).map((json) =>
    ctx.db.statement(statement, ...access, json, id, claim?.path ?? null, claim?.key ?? null, ...more),
  )
