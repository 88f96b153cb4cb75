import type { Principal } from '../../core/context.ts'
import { storedForms } from '../../core/values/normal-form.ts'
import { MAX_TEXT_CHARACTERS } from '../item.ts'
import { customIdKey } from './plan/custom-ids.ts'
import { destinationOf, type Operation } from './operation.ts'
import type { PlannedRow } from './plan/planned-row.ts'

/** To read and write this many stored bytes again costs about as much as to index one character. */
export const STORED_PER_INDEXED = 20

/** Bytes of stored items that are read at once: they cost as much as the longest text that is indexed. */
export const MAX_STORED_BYTES = STORED_PER_INDEXED * MAX_TEXT_CHARACTERS

/** SQL: what `memory_items i` costs to read and to write again, in bytes. `octet_length` reads no text. */
export const STORED_COST = 'octet_length(i.text) + octet_length(i.metadata)'

type StoredItem = Pick<PlannedRow, 'id' | 'project_id' | 'namespace' | 'custom_id'> & { cost: number }

/** The cost of the item that each operation names. An equal text that a store finds is as long as its own. */
export function storedCosts(
  principal: Principal,
  operations: readonly Operation[],
  items: readonly StoredItem[],
): number[] {
  const named = new Map(items.map((item) => [item.id, item]))
  const holders = new Map(items.filter((item) => item.custom_id !== null).map((item) => [customIdKey(item), item]))
  return operations.map((operation) => {
    if (operation.op !== 'store') return named.get(operation.id)?.cost ?? 0
    const { projectId, namespace } = destinationOf(principal, operation.input)
    const { custom_id = null } = operation.input
    if (projectId === null || custom_id === null) return 0
    const keys = storedForms(custom_id).map((form) =>
      customIdKey({ project_id: projectId, namespace, custom_id: form }),
    )
    return Math.max(0, ...keys.map((key) => holders.get(key)?.cost ?? 0))
  })
}
