import type { AuthContext } from '../../core/context.ts'
import { MAX_TEXT_CHARACTERS } from '../item.ts'
import { customIdKey, movesOf } from './custom-ids.ts'
import { placeOf, type Operation } from './operation.ts'
import type { PlannedRow } from './planned-row.ts'

/** To read and write this many stored bytes again costs about as much as to index one character. */
export const STORED_PER_INDEXED = 20

/** UTF-8 has at most four bytes a character, so more bytes are more characters than one commit may have. */
const MAX_DATED_BYTES = 4 * MAX_TEXT_CHARACTERS

const DATED = '(select value from json_each(?9))'

/**
 * SQL: what `memory_items i`, one of `found`, costs to read and to write again, in bytes. `octet_length` reads no text. The
 * words of an item of ?9 are indexed again, so its characters cost; `length` reads a text whole, so it is asked of few.
 */
export const STORED_COST = `iif(i.id in ${DATED}, ${STORED_PER_INDEXED} * iif(
    (select sum(octet_length(d.text)) from found f cross join memory_items d on d.row = f.row where d.id in ${DATED})
      <= ${MAX_DATED_BYTES}, length(i.text), octet_length(i.text)),
  octet_length(i.text) + octet_length(i.metadata))`

type StoredItem = Pick<PlannedRow, 'id' | 'project_id' | 'namespace' | 'custom_id'> & { cost: number }

/** The cost of the items that each operation touches. An equal text that a store finds is as long as its own. */
export function storedCosts(
  { principal }: AuthContext,
  operations: readonly Operation[],
  items: readonly StoredItem[],
): number[] {
  const named = new Map(items.map((item) => [item.id, item]))
  const holders = new Map(items.filter((item) => item.custom_id !== null).map((item) => [customIdKey(item), item]))
  const moves = movesOf(operations)
  return operations.map((operation, index) => {
    if (operation.op === 'store') {
      const { projectId, namespace } = placeOf(principal, operation.input)
      const { custom_id = null } = operation.input
      if (projectId === null || custom_id === null) return 0
      return holders.get(customIdKey({ project_id: projectId, namespace, custom_id }))?.cost ?? 0
    }
    const item = named.get(operation.id)
    if (!item || operation.op !== 'update') return item?.cost ?? 0
    const met = (moves[index] ?? []).map(({ namespace = item.namespace, customId = item.custom_id }) =>
      holders.get(customIdKey({ ...item, namespace, custom_id: customId })),
    )
    return [...new Set([item, ...met])].reduce((sum, one) => sum + (one?.cost ?? 0), 0)
  })
}
