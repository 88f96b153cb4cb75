import { AppError, invalid } from '../../core/errors.ts'
import type { Permission, StoreInput } from '../item.ts'
import type { Draft, Drafts } from './drafts.ts'
import type { PlannedRow } from './planned-row.ts'
import { requireCurrent } from './retire-draft.ts'
import { requireVersion, requireWritable } from './writable-draft.ts'

type Named = NonNullable<StoreInput['supersedes']>[number]

/** The items that a store supersedes, found and found fit for it: 404, 403, 412 or 409, each of all items before the next. */
export function findSuperseded(drafts: Drafts, input: StoreInput): Draft[] {
  if (input.supersedes === undefined && input.supersede_reason != null) {
    throw invalid('supersede_reason', 'invalid_combination', 'supersede_reason needs supersedes.')
  }
  const named = input.supersedes ?? []
  const found = named.map(({ id }) => drafts.find(id))
  found.forEach((draft) => requireWritable(draft))
  found.forEach((draft, index) => requireVersion(draft, versionsOf(named[index])))
  found.forEach((draft) => requireCurrent(draft))
  return found
}

const versionsOf = (named: Named | undefined): ReadonlySet<number> | null =>
  named?.if_version === undefined ? null : new Set([named.if_version])

/** 422 where one of the items is the successor itself, or has a reader who may not read the successor. */
export function requireSuccessor(superseded: readonly Draft[], successor: PlannedRow): void {
  superseded.forEach(({ row }, index) => requireReaders(row, successor, `supersedes.${index}`))
}

function requireReaders(row: PlannedRow, successor: PlannedRow, path: string): void {
  if (row.id === successor.id) throw invalid(path, 'own_item', 'An item cannot supersede itself.')
  if (row.project_id !== successor.project_id || row.namespace !== successor.namespace) {
    throw invalid(path, 'other_place', 'An item can supersede only items of its own project and namespace.')
  }
  if (successor.visibility === 'private' && !readersInclude(successor, row)) {
    throw invalid(
      path,
      'wider_readers',
      'A private item can supersede only private items of the same creator, with readers who can read it too.',
    )
  }
}

function readersInclude(successor: PlannedRow, row: PlannedRow): boolean {
  if (row.visibility !== 'private' || row.created_by !== successor.created_by) return false
  const readers = new Set(grantsOf(successor).map(({ user_id }) => user_id))
  return grantsOf(row).every(({ user_id }) => readers.has(user_id))
}

const grantsOf = ({ permissions }: PlannedRow): Permission[] => JSON.parse(permissions ?? '[]') as Permission[]

/** A store that leaves its item retired has no current item to supersede others with. */
export const retiredSuccessor = (): AppError =>
  new AppError('conflict', {
    detail: 'The item with this custom_id is retired and has this text: restore it before it supersedes others.',
  })
