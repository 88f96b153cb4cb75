import { BEFORE_MONTHS, BEHIND_MONTHS } from './beside-months.ts'
import { dayOf, daysAgo, everyYear, monthOf, yearOf, type Days, type Yearly } from './calendar.ts'
import { folded } from './folded.ts'
import { phrases } from './phrases.ts'

/** What is read of a question. */
export const MAX_READ = 512
const MAX_COUNT = 30
const MAX_MONTH_DAY = 31

export interface FoundDate {
  /** Where it stands in the question. */
  at: number
  length: number
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
  const text = folded(question.slice(0, MAX_READ)).replaceAll(DIGITS, asciiDigit)
  const all = [...relativeDates(text, today), ...isoDates(text), ...ideographicDates(text), ...namedDates(text)]
  const [longest] = all.toSorted((a, b) => b.length - a.length || a.at - b.at)
  return longest ?? null
}

const IN_WORD = /[\p{L}\p{M}\p{N}]/u
/** Scripts whose words stand together, or have particles behind them. */
const JOINED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const isBoundary = (text: string, at: number): boolean => {
  const [before, behind] = [text.slice(at - 1, at), text.slice(at, at + 1)] as const
  return at === 0 || !IN_WORD.test(before) || !IN_WORD.test(behind) || JOINED.test(before) || JOINED.test(behind)
}

/** Yesterday, last week, two months ago. */
function relativeDates(text: string, today: number): FoundDate[] {
  const { fixed, counted } = phrases()
  const found: FoundDate[] = []
  const add = (at: number, end: number, days: Days): void => {
    if (isBoundary(text, end)) found.push({ at, length: end - at, days })
  }
  for (let at = 0; at < text.length; at++) {
    if (!isBoundary(text, at)) continue
    const beginning = text.slice(at, at + 2)
    for (const phrase of fixed.get(beginning) ?? [])
      if (text.startsWith(phrase.text, at)) add(at, at + phrase.text.length, daysAgo(today, phrase.unit, phrase.count))
    const withNumber = [...(counted.get(beginning) ?? []), ...(beginsNumber(text, at) ? (counted.get('') ?? []) : [])]
    for (const { before, behind, unit } of withNumber) {
      if (!text.startsWith(before, at)) continue
      const number = numberAt(text, at + before.length)
      if (!number || !text.startsWith(behind, number.end)) continue
      add(at, number.end + behind.length, daysAgo(today, unit, number.value))
    }
  }
  return found
}

const beginsNumber = (text: string, at: number): boolean =>
  /\d/.test(text.slice(at, at + 1)) || phrases().numbers.has(text.slice(at, at + 1))

function numberAt(text: string, at: number): { value: number; end: number } | null {
  const digits = /^\d{1,2}(?!\d)/.exec(text.slice(at, at + 3))?.[0]
  if (digits !== undefined) {
    const value = Number(digits)
    return value >= 1 && value <= MAX_COUNT ? { value, end: at + digits.length } : null
  }
  const named = phrases()
    .numbers.get(text.slice(at, at + 1))
    ?.find(({ word }) => text.startsWith(word, at))
  return named ? { value: named.value, end: at + named.word.length } : null
}

/** `2023-05-08` and `2023-05`. */
function isoDates(text: string): FoundDate[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}.-])(\d{4})-(\d\d)(?:-(\d\d))?(?![\p{N}-])/gu)].flatMap(
    ({ index, 0: whole, 1: year, 2: month, 3: day }) => {
      const days = daysOf(Number(month) - 1, day === undefined ? null : Number(day), Number(year))
      return days ? [{ at: index, length: whole.length, days }] : []
    },
  )
}

/** `2023年5月8日`, `5月`, `2023년 5월`. */
function ideographicDates(text: string): FoundDate[] {
  const dated = /(?<!\d)(?:(\d{4}) ?[年년] ?)?(\d{1,2}) ?[月월](?: ?(\d{1,2}) ?[日号號일])?/gu
  const years = /(?<!\d)((?:19|20)\d\d) ?[年년](?! ?[前전])/gu
  return [
    ...[...text.matchAll(dated)].flatMap(({ index, 0: whole, 1: year, 2: month, 3: day }) => {
      const days = daysOf(Number(month) - 1, numberOrNull(day), numberOrNull(year))
      return days ? [{ at: index, length: whole.length, days }] : []
    }),
    ...[...text.matchAll(years)].map(({ index, 0: whole, 1: year }) => ({
      at: index,
      length: whole.length,
      days: yearOf(Number(year)),
    })),
  ]
}

const numberOrNull = (digits: string | undefined): number | null => (digits === undefined ? null : Number(digits))

/** null: there is no such day or month. */
function daysOf(month: number, day: number | null, year: number | null): Days | Yearly | null {
  if (month < 0 || month > 11) return null
  if (year === null) return everyYear(month, day)
  return day === null ? monthOf(year, month) : dayOf(year, month, day)
}

interface Word {
  text: string
  at: number
  end: number
}

/** Between the parts of a date: `8. Mai`, `May 8th, 2023`, `8 de mayo de 2023`. */
const FILLERS = new Set(['of', 'de', 'del', 'st', 'nd', 'rd', 'th', 'er', 'º', 'ª'])
const GAP = /^[\s.,]*$/

/** `8 May 2023`, `May 8, 2023`, `May 2023`, `in May`, and a year alone. */
function namedDates(text: string): FoundDate[] {
  const words = [...text.matchAll(/\d+|[\p{L}\p{M}ºª]+/gu)].map(({ 0: word, index }) => ({
    text: word,
    at: index,
    end: index + word.length,
  }))
  return words.flatMap((word, nth) => monthAt(text, words, nth) ?? yearAt(text, word) ?? [])
}

function monthAt(text: string, words: readonly Word[], nth: number): FoundDate | null {
  const word = words[nth]
  const name = word && phrases().months.get(word.text)
  if (!name) return null
  const before = dayBeside(text, words, nth, -1)
  const behind = before ? null : dayBeside(text, words, nth, 1)
  const year = yearBehind(text, words, behind?.nth ?? nth)
  const day = before ?? behind
  const [first, last] = [before?.word ?? word, year ?? behind?.word ?? word]
  const isTold = year !== null || (name.isShort ? name.isEnglish && day !== null : day !== null || isTime(words, nth))
  const days = isTold ? daysOf(name.month, day && Number(day.word.text), year && Number(year.text)) : null
  return days && { at: first.at, length: last.end - first.at, days }
}

/** In Han, no word beside it is needed. */
const isTime = (words: readonly Word[], nth: number): boolean =>
  JOINED.test(words[nth]?.text ?? '') ||
  BEFORE_MONTHS.has(words[nth - 1]?.text ?? '') ||
  BEHIND_MONTHS.has(words[nth + 1]?.text ?? '')

/** The number of a day before or behind a month, past up to two fillers: `8th of May`. */
function dayBeside(
  text: string,
  words: readonly Word[],
  nth: number,
  step: -1 | 1,
): { word: Word; nth: number } | null {
  for (const at of [nth + step, nth + 2 * step, nth + 3 * step]) {
    const word = words[at]
    if (!word || !isNear(text, words, nth, at)) return null
    if (/^\d{1,2}$/.test(word.text)) return isDay(word.text) ? { word, nth: at } : null
    if (!FILLERS.has(word.text)) return null
  }
  return null
}

const isDay = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= MAX_MONTH_DAY

/** The year behind a month or a day, past up to two fillers: `May 8th of 2023`. */
function yearBehind(text: string, words: readonly Word[], nth: number): Word | null {
  for (const at of [nth + 1, nth + 2, nth + 3]) {
    const word = words[at]
    if (!word || !isNear(text, words, nth, at)) return null
    if (isYear(word.text)) return word
    if (!FILLERS.has(word.text)) return null
  }
  return null
}

const isYear = (digits: string): boolean => /^(19|20)\d\d$/.test(digits)

/** Only blanks, points and commas stand between the words. */
function isNear(text: string, words: readonly Word[], one: number, other: number): boolean {
  const [from, to] = [Math.min(one, other), Math.max(one, other)]
  for (let at = from; at < to; at++) {
    if (!GAP.test(text.slice(words[at]?.end, words[at + 1]?.at))) return false
  }
  return true
}

/** A year that is no amount, version or part of a longer number. */
function yearAt(text: string, { text: digits, at, end }: Word): FoundDate | null {
  if (!isYear(digits)) return null
  const isPart = /[\p{L}\p{N}$€£#.,:/-]$/u.test(text.slice(0, at)) || /^[.,:/-]?[\p{L}\p{N}%]/u.test(text.slice(end))
  return isPart ? null : { at, length: end - at, days: yearOf(Number(digits)) }
}
