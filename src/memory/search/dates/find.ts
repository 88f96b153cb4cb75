import { firstCharacters } from '../../../core/values/code-points.ts'
import type { Days, Yearly } from './calendar.ts'
import { folded } from './folded.ts'
import { homographsOf } from './homographs.ts'
import { namedDates } from './named-dates.ts'
import { normalized } from './normalized.ts'
import { ideographicDates, isoDates } from './numeric-dates.ts'
import { relativeDates } from './relative-dates.ts'

/** Characters of a question that are read. */
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
  const { text: read, asWritten } = normalized(firstCharacters(question, MAX_READ))
  const text = folded(read).replaceAll(DIGITS, asciiDigit)
  const isHomograph = homographsOf(text)
  const dates = [...isoDates(text), ...ideographicDates(text), ...namedDates(text, read)]
  const relative = relativeDates(text, today)
  const begins = new Set([...dates, ...relative].map(({ at }) => at))
  const all = [...relative.filter(({ end }) => !begins.has(wholeAt(text, end))), ...dates]
  const [longest] = all
    .filter(({ at, end }) => !isHomograph(text.slice(at, end)))
    .toSorted((a, b) => b.end - b.at - (a.end - a.at) || a.at - b.at)
  return longest ? { text: asWritten(longest.at, longest.end), days: longest.days } : null
}

/** Where the longer time that contains a phrase begins, as in "the last week of June 2023"; -1: there is none. */
function wholeAt(text: string, end: number): number {
  const of = /^ (?:of(?: the year)?|des(?: jahres)?|vom) /.exec(text.slice(end))?.[0]
  return of === undefined ? -1 : end + of.length
}
