import { findCards } from './card.ts'
import { findSecrets, merged } from './find-secrets.ts'
import type { Found } from './found.ts'
import { findIbans } from './iban.ts'
import { findNamedValue } from './named-value.ts'

/** What the guard asks of a project for a kind of finding. */
type Category = 'secrets' | 'cards' | 'ibans'

export interface Finding extends Found {
  category: Category
}

/** What is in one string. A number that belongs to a secret counts as the secret. */
export const findIn = (text: string): Finding[] => withNumbers(text, findSecrets(text))

/** What is in a value of metadata, also where only its name says that it is a secret. */
export const findInValue = (name: string, value: string): Finding[] =>
  withNumbers(value, merged([...findSecrets(value), ...findNamedValue(name, value)]))

function withNumbers(text: string, secrets: readonly Found[]): Finding[] {
  const of = (category: Category, found: readonly Found[]): Finding[] => found.map((one) => ({ ...one, category }))
  const apart = ({ start, end }: Found): boolean => !secrets.some((one) => start < one.end && one.start < end)
  const numbers = [of('cards', findCards(text)), of('ibans', findIbans(text))].flat().filter(apart)
  return [...of('secrets', secrets), ...merged(numbers)].toSorted((a, b) => a.start - b.start)
}
