import type { Principal } from '../../core/context.ts'
import type { AppError } from '../../core/errors.ts'
import { asNew } from '../../core/http/written.ts'
import { DEFAULT_NAMESPACE, toMemoryItem, type MemoryItem, type StoreInput, type UpdateInput } from '../item.ts'
import type { Turn } from '../conversations/turn.ts'
import type { PlannedRow } from './plan/planned-row.ts'

/** When an imported item was stored and changed elsewhere, in milliseconds. */
export interface KeptTimes {
  createdAt: number
  updatedAt: number
}

/** An imported item that is retired. */
export interface KeptRetirement {
  reason: string | null
  /** When it was retired elsewhere; null: now. */
  at: number | null
}

/** What a caller may do to one item. Every writing verb is a list of these: one, or up to 50 in a batch. */
export type Operation =
  | {
      op: 'store'
      input: StoreInput
      times?: KeptTimes | null
      retirement?: KeptRetirement | null
      turn?: Turn | null
      /** 412 where an item has the `custom_id`. */
      ifAbsent?: boolean
    }
  | { op: 'update'; id: string; input: UpdateInput; ifMatch?: ReadonlySet<number> | null }
  | { op: 'delete'; id: string; ifMatch?: ReadonlySet<number> | null }
  | { op: 'retire'; id: string; reason: string | null; ifMatch?: ReadonlySet<number> | null }
  | { op: 'restore'; id: string; ifMatch?: ReadonlySet<number> | null }
  | { op: 'retrieve'; id: string }

/** The result of one operation, with the item as the operation left it. `written`: the commit writes something for it. `isLost`: other requests were faster. */
export type OperationResult =
  | { kind: 'done'; status: 200 | 201; row: PlannedRow; deduplicated: boolean; written: boolean }
  | { kind: 'deleted'; row: PlannedRow }
  | { kind: 'refused'; error: AppError; row: PlannedRow | null; isLost?: true }

/** The item as an operation has left it. */
export function itemOf({ status, row, deduplicated }: Extract<OperationResult, { kind: 'done' }>): MemoryItem {
  const item = toMemoryItem(row)
  if (deduplicated) return { ...item, deduplicated: true }
  return status === 201 ? asNew(item) : item
}

/** The text that an operation brings. */
export const textOf = (operation: Operation): string | undefined =>
  'input' in operation ? operation.input.content?.text : undefined

/** A restore, or an update that brings no text and changes the date or the place of its item: the stored text is indexed again. */
export function indexesStoredText(operation: Operation): boolean {
  if (operation.op === 'restore') return true
  if (operation.op !== 'update' || operation.input.content?.text !== undefined) return false
  const { occurred_at, visibility, context } = operation.input
  return occurred_at !== undefined || visibility !== undefined || context?.namespace !== undefined
}

/** The answer of a store tells whether a text is stored, or whether an item has another subject. */
export const storeTells = ({ deduplicate, custom_id, context }: StoreInput): boolean =>
  deduplicate === true || (custom_id != null && context?.subject !== undefined)

/** The answer of an update tells whether merged metadata has room, or whether the item has another subject. */
export const updateTells = ({ merge_metadata, context }: UpdateInput): boolean =>
  merge_metadata === true || context?.subject !== undefined

/** Where a store puts its item, and whom it is about. The project is null where the caller names none and has no default. */
export const destinationOf = ({ defaultProjectId }: Principal, { context }: StoreInput) => ({
  projectId: context?.project_id ?? defaultProjectId,
  namespace: context?.namespace ?? DEFAULT_NAMESPACE,
  subject: context?.subject ?? null,
})
