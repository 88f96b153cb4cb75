import { codePoints, firstCharacters, lastCharacters } from '../../core/values/code-points.ts'
import { contentWords } from './function-words.ts'

/** Characters of a query. Of a longer message its beginning and its end ask. */
export const MAX_QUERY_CHARACTERS = 4_096

/** A message with fewer content words leans on the one before: `and for my sister?` */
const FEW_CONTENT_WORDS = 4

export interface Message {
  role: string
  text: string
}

/** What messages ask: the last one of the user, with the user's one before it if it says little. null: the user said nothing. */
export function queryOf(messages: readonly Message[]): string | null {
  const said = messages.filter(({ role, text }) => role === 'user' && text.trim() !== '').map(({ text }) => text.trim())
  const last = said.at(-1)
  if (last === undefined) return null
  const previous = contentWords(last).size < FEW_CONTENT_WORDS ? said.at(-2) : undefined
  return shortened(previous === undefined ? last : `${previous}\n${last}`)
}

function shortened(text: string): string {
  const fits = text.length <= 2 * MAX_QUERY_CHARACTERS && codePoints(text) <= MAX_QUERY_CHARACTERS
  const half = MAX_QUERY_CHARACTERS / 2
  return fits ? text : firstCharacters(text, half) + lastCharacters(text, half)
}
