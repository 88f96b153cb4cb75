import { AppError } from '../../../core/errors.ts'
import { storedForms } from '../../../core/values/normal-form.ts'
import type { Change } from './change.ts'
import type { Operation } from '../operation.ts'
import type { PlannedRow } from './planned-row.ts'
import type { SnapshotItem } from '../snapshot.ts'

type CustomIdRow = Pick<PlannedRow, 'project_id' | 'namespace' | 'custom_id'>

/** A `custom_id` is unique in its project and namespace (contract §3). */
export const customIdKey = (row: CustomIdRow): string => JSON.stringify([row.project_id, row.namespace, row.custom_id])

const customIdTaken = (): AppError =>
  new AppError('custom_id_taken', { detail: 'Another item in this namespace already has this custom_id.' })

/**
 * The item that has a `custom_id`. Where an earlier version of the service stored it in two forms, the item that has it in the
 * form NFC comes first: the other one may still get another name (`src/memory/names/normal-names.ts`).
 */
export function holderAmong<Holder extends Pick<SnapshotItem, 'row'>>(
  items: Iterable<Holder>,
  wanted: CustomIdRow,
): Holder | null {
  const { custom_id } = wanted
  if (custom_id === null) return null
  const forms = storedForms(custom_id)
  const holders = [...items].filter(
    ({ row }) =>
      row.project_id === wanted.project_id &&
      row.namespace === wanted.namespace &&
      row.custom_id !== null &&
      forms.includes(row.custom_id),
  )
  return holders.find(({ row }) => row.custom_id === custom_id) ?? holders[0] ?? null
}

/**
 * A store under a taken `custom_id` updates its holder. 409 where the caller may not read and change that item, and 412 where the
 * store is to make an item.
 */
export function requireReplaceable(holder: Pick<SnapshotItem, 'readable' | 'writable'>, ifAbsent = false): void {
  if (!holder.readable || !holder.writable) throw customIdTaken()
  if (ifAbsent)
    throw new AppError('precondition_failed', { detail: 'An item in this namespace already has this custom_id.' })
}

/** 409 where another item than `id` holds the `custom_id` that an update gives to it. */
export function requireFree(holder: Pick<SnapshotItem, 'row'> | null, id: string): void {
  if (holder && holder.row.id !== id) throw customIdTaken()
}

/** Updated items whose `custom_id` passes to another updated item. They have to release it first. */
export function idsToRelease(changes: Iterable<Change>, rowBefore: (id: string) => CustomIdRow | undefined): string[] {
  const updated = [...changes].filter((change) => change.base > 0 && !change.deleted).map(({ row }) => row)
  const newHolders = new Map(updated.filter((row) => row.custom_id !== null).map((row) => [customIdKey(row), row.id]))
  return updated
    .map(({ id }) => id)
    .filter((id) => {
      const before = rowBefore(id)
      const holder = before && before.custom_id !== null ? newHolders.get(customIdKey(before)) : undefined
      return holder !== undefined && holder !== id
    })
}

/** Undefined: the namespace or `custom_id` that is stored; null: no `custom_id`. */
interface Move {
  namespace: string | undefined
  customId: string | null | undefined
}

/**
 * For each operation: where it may move its item. Each earlier update of the same item may be refused, so the item may
 * stand where any of them could have moved it.
 */
export function movesOf(operations: readonly Operation[]): Move[][] {
  const reached = new Map<string, Map<string, Move>>()
  return operations.map((operation) => {
    if (operation.op !== 'update') return []
    const { context, custom_id } = operation.input
    if (context?.namespace === undefined && custom_id === undefined) return []
    const before = reached.get(operation.id) ?? distinct([{ namespace: undefined, customId: undefined }])
    const after = distinct(
      [...before.values()].map(({ namespace, customId }) => ({
        namespace: context?.namespace ?? namespace,
        customId: custom_id === undefined ? customId : custom_id,
      })),
    )
    reached.set(operation.id, new Map([...before, ...after]))
    return [...after.values()]
  })
}

/** JSON leaves out what is undefined, and keeps null. */
const distinct = (moves: readonly Move[]): Map<string, Move> =>
  new Map(moves.map((move) => [JSON.stringify(move), move]))
