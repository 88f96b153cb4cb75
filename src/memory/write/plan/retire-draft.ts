import { AppError } from '../../../core/errors.ts'
import { requireNotErased } from '../../erasures/being-erased.ts'
import { NOT_RETIRED } from '../../retirement/retired-fields.ts'
import type { Draft, Drafts } from './drafts.ts'
import type { Author, PlannedRow } from './planned-row.ts'

/** 409 for an item that is retired already. */
export function requireCurrent({ row }: Draft): void {
  if (row.retired_at !== null) throw new AppError('conflict', { detail: 'This item is retired already.' })
}

/** 409 for what a retired item does not take. */
export function requireNotRetired({ row }: Draft): void {
  if (row.retired_at !== null) throw restoreFirst()
}

export const restoreFirst = (): AppError =>
  new AppError('conflict', { detail: 'This item is retired: restore it first.' })

interface Retirement {
  reason: string | null
  /** The item that supersedes this one. */
  successor: string | null
}

/** The item is no longer true. It keeps all that it holds, and no search finds it. */
export function retireDraft(author: Author, drafts: Drafts, draft: Draft, { reason, successor }: Retirement): void {
  const row = {
    ...changedBy(author, draft.row),
    retired_at: author.now,
    retired_reason: reason,
    superseded_by: successor,
  }
  const change = drafts.changeOf(draft)
  change.events.push({ type: 'memory.updated', version: row.version, change: 'retired', superseded_by: successor })
  change.row = row
  draft.row = row
}

/** The item becomes current again, with new vectors. */
export function restoreDraft(author: Author, drafts: Drafts, draft: Draft): void {
  if (draft.row.retired_at === null) throw new AppError('conflict', { detail: 'This item is current already.' })
  const row = restoredRow(changedBy(author, draft.row))
  const change = drafts.changeOf(draft)
  change.wordsChanged = true
  change.toEmbed = true
  // The rules of the project may have changed while it was retired.
  change.ttlChanged = true
  change.events.push({ type: 'memory.updated', version: row.version, change: 'restored' })
  change.row = row
  draft.row = row
}

function changedBy({ userId, now, erasing }: Author, row: PlannedRow): PlannedRow {
  requireNotErased(erasing, row)
  return { ...row, version: row.version + 1, updated_by: userId, updated_at: now }
}

/** An item that is current from its version on. */
export const restoredRow = (row: PlannedRow): PlannedRow => ({
  ...row,
  ...NOT_RETIRED,
  vector_version: row.version,
  embedding_status: 'pending',
  embedding_model: null,
  embedding_error: null,
})
