import { invalid, type AppError } from '../../core/errors.ts'
import { codePoints } from '../../core/values/code-points.ts'
import { MAX_TEXT_CHARACTERS } from '../item.ts'
import { movesWords, type Plan } from './plan/change.ts'
import { textOf, type Operation } from './operation.ts'
import type { Snapshot } from './snapshot.ts'

/** Characters of text that an atomic batch may have (contract §3): as many as one item, since it is one commit. */
export const MAX_ATOMIC_CHARACTERS = MAX_TEXT_CHARACTERS
/** Terms that a commit indexes in about 30 ms of the database. A batch that is not atomic is cut before it has that many. */
export const MAX_ATOMIC_TERMS = 40_000

/**
 * Throws 422 where the texts of an atomic batch are too long together: those of the request, and those of stored items
 * whose date or place changes and whose text the request does not bring. A plan that is refused writes nothing.
 */
export function requireFewCharacters(
  operations: readonly Operation[],
  { results, changes }: Plan,
  { items }: Snapshot,
): void {
  if (results.some((result) => result.kind === 'refused')) return
  const brought = new Set<string>()
  let ofRequest = 0
  for (const [index, operation] of operations.entries()) {
    const text = textOf(operation)
    if (text === undefined) continue
    ofRequest += codePoints(text)
    const id = results[index]?.row?.id
    if (id !== undefined) brought.add(id)
  }
  let ofStored = 0
  for (const change of changes.values()) {
    const before = items.get(change.row.id)?.row
    if (before && !brought.has(before.id) && !change.deleted && movesWords(change.row, before))
      ofStored += codePoints(before.text)
  }
  if (ofRequest + ofStored > MAX_ATOMIC_CHARACTERS) throw tooManyCharacters(ofRequest, ofStored)
}

const tooManyCharacters = (ofRequest: number, ofStored: number): AppError =>
  tooLong(
    `This batch has ${count(ofRequest + ofStored)} characters of text: ${count(ofRequest)} in the request and ` +
      `${count(ofStored)} in stored items whose date or place changes. An atomic batch can have ` +
      `${count(MAX_ATOMIC_CHARACTERS)}. Send fewer operations, or leave out "atomic".`,
  )

/** Throws 422 where the texts of an atomic batch have too many different words and parts of words, each text by itself. */
export function requireFewTerms(entries: Iterable<{ terms: number }>): void {
  let terms = 0
  for (const entry of entries) terms += entry.terms
  if (terms <= MAX_ATOMIC_TERMS) return
  throw tooLong(
    `The texts of this batch have ${count(terms)} different words and parts of words, each text counted by itself. An atomic batch can ` +
      `have ${count(MAX_ATOMIC_TERMS)}. Send fewer operations, or leave out "atomic".`,
  )
}

const tooLong = (message: string): AppError => invalid('operations', 'texts_too_long', message)

const count = (n: number): string => n.toLocaleString('en-US')
