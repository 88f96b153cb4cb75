import { portionsBySize } from '../../core/values/portions.ts'
import { MAX_TEXT_CHARACTERS } from '../item.ts'
import { unspacedCharacters } from '../keyword/cut.ts'
import { indexesStoredText, textOf, type Operation } from '../write/operation.ts'
import { STORED_PER_INDEXED } from '../write/stored-costs.ts'

/** What one commit may cost, in characters that are indexed: as much as the longest text. A commit holds the database. */
export const MAX_COMMIT_CHARACTERS = MAX_TEXT_CHARACTERS

/** A grant and a tag are a row and its indexes each, and cost as much as this many characters. */
const CHARACTERS_PER_GRANT = 12
const CHARACTERS_PER_TAG = 16

/** What an operation writes. Texts of a script without spaces have the most words, so each character costs as much as two. */
function costOf(operation: Operation): number {
  const text = textOf(operation) ?? ''
  const characters = text.length + unspacedCharacters(text)
  if (!('input' in operation)) return characters
  const { content, permissions = [], tags = [] } = operation.input
  const metadata = JSON.stringify(content?.metadata ?? {}).length
  return (
    characters +
    Math.floor(metadata / STORED_PER_INDEXED) +
    permissions.length * CHARACTERS_PER_GRANT +
    tags.length * CHARACTERS_PER_TAG
  )
}

/** What the stored item of an operation adds, by its bytes. The words of one whose date or place changes are indexed again. */
const storedCostOf = (operation: Operation, bytes: number): number =>
  indexesStoredText(operation) ? bytes : Math.floor(bytes / STORED_PER_INDEXED)

/**
 * Bytes of the stored items that operations may touch in one commit besides what they bring. Past them the database
 * tells the bytes of each. null: one operation is never too much.
 */
export function maxStoredBytes(operations: readonly Operation[]): number | null {
  if (operations.length === 1) return null
  const rest = Math.max(0, MAX_COMMIT_CHARACTERS - operations.reduce((sum, operation) => sum + costOf(operation), 0))
  return operations.some(indexesStoredText) ? rest : rest * STORED_PER_INDEXED
}

/** The operations in order, cut where one commit would cost more than the longest text. `stored`: as `storedCosts` tells. */
export const textSlices = <T extends { operation: Operation }>(
  list: readonly T[],
  stored: readonly number[] = [],
): T[][] =>
  portionsBySize(
    [...list.entries()],
    MAX_COMMIT_CHARACTERS,
    ([index, { operation }]) => costOf(operation) + storedCostOf(operation, stored[index] ?? 0),
  ).map((slice) => slice.map(([, one]) => one))
