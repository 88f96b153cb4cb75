import type { Days, Yearly } from './calendar.ts'
import { folded } from './folded.ts'
import { namedDates } from './named-dates.ts'
import { ideographicDates, isoDates } from './numeric-dates.ts'
import { relativeDates } from './relative-dates.ts'

/** What is read of a question. */
export const MAX_READ = 512

export interface FoundDate {
  /** As the question says it. */
  text: string
  days: Days | Yearly
}

/** A digit of any script as that of ASCII. */
const DIGITS = /[٠-٩۰-۹०-९０-９]/gu
const BASES = [0x0660, 0x06f0, 0x0966, 0xff10]
const asciiDigit = (one: string): string => {
  const code = one.charCodeAt(0)
  return String(code - (BASES.find((base) => code >= base && code < base + 10) ?? 0))
}

/**
 * The time that a question names: the longest phrase of its first `MAX_READ` characters, of several equally long ones the
 * first. `today`: midnight of the day on which it is asked, as `Days` has it.
 */
export function findDate(question: string, today: number): FoundDate | null {
  const read = question.normalize('NFC').replaceAll(/\s+/gu, ' ').slice(0, MAX_READ)
  const text = folded(read).replaceAll(DIGITS, asciiDigit)
  const all = [...relativeDates(text, today), ...isoDates(text), ...ideographicDates(text), ...namedDates(text, read)]
  const [longest] = all.toSorted((a, b) => b.end - b.at - (a.end - a.at) || a.at - b.at)
  return longest ? { text: read.slice(longest.at, longest.end), days: longest.days } : null
}
