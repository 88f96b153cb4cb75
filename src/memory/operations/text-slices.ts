import { invalid } from '../../core/errors.ts'
import { portionsBySize } from '../../core/values/portions.ts'
import { MAX_TEXT_CHARACTERS } from '../item.ts'
import { unspacedCharacters } from '../keyword/tokenize.ts'
import type { Operation } from '../write/operation.ts'
import { STORED_PER_INDEXED } from '../write/stored-costs.ts'

/** Texts of one commit have at most this many characters together, as many as one item may: a commit holds the database. */
export const MAX_COMMIT_CHARACTERS = MAX_TEXT_CHARACTERS

/** A grant and a tag are a row and its indexes each, and cost as much as this many characters. */
const CHARACTERS_PER_GRANT = 12
const CHARACTERS_PER_TAG = 16

const textOf = (operation: Operation): string => ('input' in operation ? (operation.input.content?.text ?? '') : '')

const charactersOf = (operation: Operation): number => textOf(operation).length

/**
 * Characters of an operation's own text, and what else it writes as characters that cost as much. Those of a script without
 * spaces have the most words, so each costs as much as two.
 */
function costOf(operation: Operation): number {
  const characters = charactersOf(operation) + unspacedCharacters(textOf(operation))
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

const sum = (operations: readonly Operation[], of: (operation: Operation) => number): number =>
  operations.reduce((all, operation) => all + of(operation), 0)

const restOf = (characters: number): number => Math.max(0, MAX_COMMIT_CHARACTERS - characters) * STORED_PER_INDEXED

/** What the stored items that operations touch may cost besides them, in bytes. null: one operation is never too much. */
export const maxStoredCost = (operations: readonly Operation[], atomic: boolean): number | null =>
  operations.length === 1 ? null : restOf(sum(operations, atomic ? charactersOf : costOf))

/** The operations in order, cut where one commit would cost more than the largest text. `stored`: as `storedCosts` tells. */
export const textSlices = <T extends { operation: Operation }>(
  list: readonly T[],
  stored: readonly number[] = [],
): T[][] =>
  portionsBySize(
    [...list.entries()],
    MAX_COMMIT_CHARACTERS,
    ([index, { operation }]) => costOf(operation) + Math.floor((stored[index] ?? 0) / STORED_PER_INDEXED),
  ).map((slice) => slice.map(([, one]) => one))

/** Throws 422 where operations that are one commit have texts of more characters than that. `stored`: of all their items. */
export function requireOneCommit(operations: readonly Operation[], stored = 0): void {
  const characters = sum(operations, charactersOf) + Math.ceil(stored / STORED_PER_INDEXED)
  if (characters <= MAX_COMMIT_CHARACTERS) return
  throw invalid(
    'operations',
    'texts_too_long',
    `The texts of an atomic batch count as ${characters} characters together; at most ${MAX_COMMIT_CHARACTERS} are allowed, since they are one commit.`,
  )
}
