import { AppError } from '../../core/errors.ts'
import type { Change, PlannedRow } from './operation.ts'

type Place = Pick<PlannedRow, 'project_id' | 'namespace' | 'custom_id'>

/** What is unique: a `custom_id` in its project and namespace (contract §3). */
export const keyOf = (row: Place): string => JSON.stringify([row.project_id, row.namespace, row.custom_id])

export const customIdTaken = (): AppError =>
  new AppError('custom_id_taken', { detail: 'Another item holds this custom_id here.' })

/** Items of the plan whose `custom_id` passes to another one of it, by an update: they have to let go of it first. */
export function passedOn(changes: Iterable<Change>, before: (id: string) => Place | undefined): string[] {
  const updates = [...changes].filter((change) => change.base > 0 && !change.deleted)
  const heirs = new Map(updates.filter(({ row }) => row.custom_id !== null).map(({ row }) => [keyOf(row), row.id]))
  return updates
    .map(({ row }) => row.id)
    .filter((id) => {
      const held = before(id)
      const heir = held && held.custom_id !== null ? heirs.get(keyOf(held)) : undefined
      return heir !== undefined && heir !== id
    })
}
