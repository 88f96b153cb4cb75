import type { AuthContext, IdempotencyClaim } from '../../core/context.ts'
import type { Statement } from '../../core/database/database.ts'
import { slices } from '../../core/database/slices.ts'
import type { Params } from '../../core/database/sql.ts'
import type { Vocabulary } from '../../core/embedding.ts'
import { accessParams, readerParams } from '../access.ts'
import { RESEND_AFTER_MS } from '../embedding/queue.ts'
import { KEYED_FORM } from '../keyword/index-form.ts'
import type { KeywordEntry } from '../keyword/keyword-index.ts'
import { postingsOf } from '../keyword/postings.ts'
import { speakerKey } from '../speakers/speaker-key.ts'
import { hasNormalNames } from '../names/normal-names.ts'
import type { Change, Plan } from './plan/change.ts'
import {
  DELETE_ITEMS,
  heldParams,
  insertItems,
  RELEASE_CUSTOM_IDS,
  TOMBSTONE_ITEMS,
  UPDATE_ITEMS,
} from './commit-sql.ts'
import { RESTORE_ITEMS, RETIRE_ITEMS, stampSuccessors } from './retirement-sql.ts'

/** The values that the statements of one commit share. */
export interface Commit {
  ctx: AuthContext
  /** The stamp that the statements on items leave, and by which all others select. */
  writeId: string
  changes: readonly Change[]
  /** Texts for the keyword index, by item. */
  keywordEntries: ReadonlyMap<string, KeywordEntry>
  /** It writes too much to the keyword index to merge segments as well. */
  isLong: boolean
  /** The idempotency key that the request must hold for anything to be written. */
  claim: IdempotencyClaim | null
}

/** An item at the version that the plan read. */
export const itemAtBase = ({ row, base }: Change): { id: string; base: number } => ({ id: row.id, base })

/** The item stood in the database before. */
export const existed = ({ base }: { base: number }): boolean => base > 0

/** The item is current when the commit is done. */
export const isCurrent = ({ deleted, row }: Change): boolean => !deleted && row.retired_at === null

export const keywordEntriesOf = (changes: readonly Change[], vocabulary: Vocabulary): Commit['keywordEntries'] =>
  new Map(
    changes
      .filter((change) => change.wordsChanged && isCurrent(change))
      .map(({ row, base }) => [
        row.id,
        { id: row.id, isNew: base === 0, ...postingsOf(row.text, row.occurred_at, vocabulary) },
      ]),
  )

/** Deletes expired items whose `custom_id` a new item takes. */
export function expirations({ ctx, writeId }: Commit, expired: readonly string[]): Statement[] {
  const rows = expired.map((item) => ({ id: item }))
  return slices(rows).map((json) =>
    ctx.db.statement(TOMBSTONE_ITEMS, { items: json, write_id: writeId, now: ctx.now(), reason: 'expired' }),
  )
}

export const deletions = (commit: Commit): Statement[] =>
  guarded(
    commit,
    DELETE_ITEMS,
    { ...accessParams(commit.ctx), write_id: commit.writeId },
    commit.changes.filter((change) => change.deleted && existed(change)).map(itemAtBase),
  )

/** Retired items become current before they are updated. */
export const restores = (commit: Commit): Statement[] =>
  guarded(
    commit,
    RESTORE_ITEMS,
    accessParams(commit.ctx),
    updated(commit)
      .filter(({ wasRetired }) => wasRetired)
      .map(itemAtBase),
  )

/** They come after all that is written of the items, and select them by the stamp. */
export function retirements({ ctx, writeId, changes }: Commit): Statement[] {
  const rows = changes
    .filter(({ deleted, row }) => !deleted && row.retired_at !== null)
    .map(({ row: { id, retired_at, retired_reason, superseded_by } }) => ({
      id,
      retired_at,
      retired_reason,
      superseded_by,
    }))
  return slices(rows).map((json) => ctx.db.statement(RETIRE_ITEMS, { items: json, write_id: writeId, now: ctx.now() }))
}

export const successorStamps = (commit: Commit, successors: Plan['successors']): Statement[] => {
  const rows = [...successors].map(([id, base]) => ({ id, base }))
  const { ctx, writeId } = commit
  return guarded(
    commit,
    stampSuccessors(ctx.principal),
    { ...readerParams(ctx), now: ctx.now(), write_id: writeId },
    rows,
  )
}

export const customIdReleases = (commit: Commit, released: readonly string[]): Statement[] =>
  guarded(
    commit,
    RELEASE_CUSTOM_IDS,
    accessParams(commit.ctx),
    updated(commit)
      .map(itemAtBase)
      .filter(({ id }) => released.includes(id)),
  )

export function updates(commit: Commit): Statement[] {
  const nextAttemptAt = commit.ctx.now() + RESEND_AFTER_MS
  const rows = updated(commit).map(({ row, base, toEmbed, earlierTexts, metadataChanged, ttlChanged }) => ({
    ...row,
    via_version: row.text_version,
    text: earlierTexts.length > 0 ? row.text : undefined,
    metadata: metadataChanged ? row.metadata : undefined,
    base,
    to_embed: toEmbed,
    ttl_changed: ttlChanged,
    names_due: !hasNormalNames(row),
    speaker_key: speakerKey(row),
    next_attempt_at: nextAttemptAt,
    word_count: commit.keywordEntries.get(row.id)?.length ?? null,
  }))
  return guarded(commit, UPDATE_ITEMS, { ...accessParams(commit.ctx), write_id: commit.writeId }, rows)
}

export function insertions(commit: Commit): Statement[] {
  const now = commit.ctx.now()
  const rows = commit.changes
    .filter((change) => !existed(change))
    .map(({ row, deleted, deduplicate, keepsTimes, turn }) => ({
      ...row,
      via_version: row.text_version,
      speaker_key: speakerKey(row),
      turn_key: turn?.key ?? null,
      turn_part: turn?.part ?? null,
      turn_new_at: turn?.newAt ?? null,
      deduplicate,
      keeps_times: keepsTimes,
      next_attempt_at: now + RESEND_AFTER_MS,
      word_count: commit.keywordEntries.get(row.id)?.length ?? 0,
      indexed_by: KEYED_FORM,
      indexed_version: row.version,
      deleted_at: deleted ? now : null,
      delete_reason: deleted ? 'deleted' : null,
    }))
  const { ctx, writeId } = commit
  const params = { ...readerParams(ctx), now: ctx.now(), write_id: writeId, max_items: ctx.config.quotas.items }
  return guarded(commit, insertItems(ctx.principal), params, rows)
}

const updated = ({ changes }: Commit): Change[] => changes.filter((change) => !change.deleted && existed(change))

const guarded = ({ ctx, claim }: Commit, statement: string, params: Params, rows: readonly unknown[]): Statement[] =>
  slices(rows).map((json) => ctx.db.statement(statement, { ...params, ...heldParams(ctx, claim), items: json }))
