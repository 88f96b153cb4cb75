import { AppError, invalid, isAppError } from '../../../core/errors.ts'
import type { Permission, StoreInput } from '../../item.ts'
import type { Draft, Drafts } from './drafts.ts'
import type { PlannedRow } from './planned-row.ts'
import { requireCurrent } from './retire-draft.ts'
import { requireVersion, requireWritable } from './writable-draft.ts'

type Named = NonNullable<StoreInput['supersedes']>[number]

/** The items that a store supersedes. Checks all of them for 404, then for 403, for 412 and for 409. */
export function findSuperseded(drafts: Drafts, input: StoreInput): Draft[] {
  if (input.supersedes === undefined && input.supersede_reason != null) {
    throw invalid('supersede_reason', 'invalid_combination', 'supersede_reason needs supersedes.')
  }
  const named = input.supersedes ?? []
  const found = named.map(({ id }, index) => at(index, () => drafts.find(id)))
  found.forEach((draft, index) => at(index, () => requireWritable(draft)))
  found.forEach((draft, index) => at(index, () => requireVersion(draft, versionsOf(named[index]))))
  found.forEach((draft, index) => at(index, () => requireCurrent(draft)))
  return found
}

/** The fault of an item names its place among those that the store supersedes. */
function at<T>(index: number, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!isAppError(error)) throw error
    throw new AppError(error.code, { detail: `supersedes.${index}: ${error.detail}`, cause: error })
  }
}

const versionsOf = (named: Named | undefined): ReadonlySet<number> | null =>
  named?.if_version === undefined ? null : new Set([named.if_version])

/** 422 where one of the items is the successor itself, or has a reader who may not read the successor. */
export function requireSuccessor(superseded: readonly Draft[], successor: PlannedRow): void {
  superseded.forEach(({ row }, index) => requireReaders(row, successor, `supersedes.${index}`))
}

/** 422 where a later change of the successor would hide it from a reader of an item that it superseded in the same commit. */
export function requireStillReadable(superseded: readonly Draft[], successor: PlannedRow): void {
  for (const { row } of superseded)
    requireReaders(row, successor, row.namespace === successor.namespace ? 'visibility' : 'context.namespace')
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

/** A store that leaves its item retired, or an imported line of a retired item, has no current item to supersede others with. */
export const retiredSuccessor = (): AppError =>
  new AppError('conflict', {
    detail: 'A retired item cannot supersede others: restore it first.',
  })
