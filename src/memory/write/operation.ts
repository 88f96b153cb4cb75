import type { AppError } from '../../core/errors.ts'
import type { StoreInput, UpdateInput } from '../item.ts'
import type { PlannedRow } from './planned-row.ts'

/** When an imported item was stored and changed elsewhere, in milliseconds. */
export interface KeptTimes {
  createdAt: number
  updatedAt: number
}

/** What a caller may do to one item. Every writing verb is a list of these: one, or up to 50 in a batch. */
export type Operation =
  | { op: 'store'; input: StoreInput; times?: KeptTimes | null }
  | { op: 'update'; id: string; input: UpdateInput; ifMatch?: ReadonlySet<number> | null }
  | { op: 'delete'; id: string; ifMatch?: ReadonlySet<number> | null }
  | { op: 'retrieve'; id: string }

/** The result of one operation, with the item as the operation left it. */
export type OperationResult =
  | { kind: 'done'; status: 200 | 201; row: PlannedRow; deduplicated: boolean }
  | { kind: 'deleted'; row: PlannedRow }
  | { kind: 'refused'; error: AppError; row: PlannedRow | null }
