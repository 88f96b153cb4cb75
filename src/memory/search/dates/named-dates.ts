import { AFTER_MONTHS, BEFORE_MONTHS, OF_MONTHS } from './beside-months.ts'
import { daysOf, yearOf } from './calendar.ts'
import { phrases, type MonthName } from './phrases.ts'
import { isBetween, type Place } from './place.ts'

const MAX_MONTH_DAY = 31

interface Word {
  text: string
  at: number
  end: number
}

/** A question cut into words and numbers. */
interface Cut {
  text: string
  /** The same with its capitals. */
  original: string
  words: readonly Word[]
}

const ORDINALS = new Set(['st', 'nd', 'rd', 'th', 'er', 'º', 'ª', '°'])
/** Languages that write the day after the month: `May 8`. In Italian, `mai 8` is "never 8". */
const MONTH_FIRST = new Set(['en', 'es', 'pt', 'ar', 'hi'])
/** Short names that are usual words of other languages: with a year and no day they are no month, as in "was hat sie 2020". */
const NEVER_WITHOUT_DAY = new Set(['ago', 'mag', 'out', 'set', 'sie', 'tem'])
/** It names no January. */
const CITY = 'rio de janeiro'
/** The Turkish ending that says "in": `martta`, `nisanda`. */
const TURKISH_IN = /[dt][ae]$/

/** `8 May 2023`, `May 8, 2023`, `May 2023`, `in May`, and a year alone. */
export function namedDates(text: string, original: string): Place[] {
  const words = [...text.matchAll(/\d+|[\p{L}\p{M}ºª°]+/gu)].map(({ 0: word, index }) => ({
    text: word,
    at: index,
    end: index + word.length,
  }))
  const cut = { text, original, words }
  return words.flatMap((word, nth) => monthAt(cut, nth) ?? yearAt(text, word) ?? [])
}

function monthAt(cut: Cut, nth: number): Place | null {
  const { text, words } = cut
  const word = words[nth]
  const names = word && phrases().months.get(word.text)
  if (!names || !isBetween(text, word.at) || !isBetween(text, word.end)) return null
  if (isOfCity(text, word)) return null
  const before = dayBefore(cut, nth, names)
  const after = before ? null : dayAfter(cut, nth, names)
  const day = before ?? after
  const year = day || !NEVER_WITHOUT_DAY.has(word.text) ? yearAfter(cut, after ? nth + 1 : nth, names) : null
  const [first, last] = [before ?? word, year ?? after ?? word]
  const isDate = year !== null || names.some((name) => (day ? isDated(name) : hasContext(cut, nth, name)))
  const days = isDate ? daysOf(names[0]?.month ?? 0, day && Number(day.text), year && Number(year.text)) : null
  return days && isBetween(text, first.at) && isBetween(text, last.end) ? { at: first.at, end: last.end, days } : null
}

/** `salário de janeiro` is of the month. */
function isOfCity(text: string, { at }: Word): boolean {
  const start = at - CITY.lastIndexOf(' ') - 1
  return start >= 0 && isBetween(text, start) && text.startsWith(CITY, start)
}

/** Whether a day and the name are a date without a year. */
const isDated = ({ isShort, language }: MonthName): boolean => !isShort || language === 'en'

/** Without a day and a year it stands beside a word that makes it a time. */
function hasContext({ text, words }: Cut, nth: number, { isShort, language }: MonthName): boolean {
  if (isShort) return false
  const [before, month, after] = [words[nth - 1], words[nth], words[nth + 1]]
  return (
    BEFORE_MONTHS[language]?.has(before?.text ?? '') === true ||
    AFTER_MONTHS[language]?.has(text.slice(month?.end, after?.end).trim()) === true ||
    (language === 'tr' && TURKISH_IN.test(month?.text ?? ''))
  )
}

const isOf = (names: readonly MonthName[], word: Word | undefined): boolean =>
  names.some(({ language }) => OF_MONTHS[language]?.has(word?.text ?? ''))

const VERBS = new Set(['may', 'march'])

/** The day before a month: `8 May`, `8. Mai`, `8th of May`. A full stop is of other languages than English. */
function dayBefore({ text, original, words }: Cut, nth: number, names: readonly MonthName[]): Word | null {
  const month = words[nth]
  const gap = names.some(({ language, isShort }) => language !== 'en' && !isShort) ? /^[ .]*$/ : /^ *$/
  let at = nth - 1
  if (isOf(names, words[at])) at -= 1
  if (ORDINALS.has(words[at]?.text ?? '')) at -= 1
  const day = words[at]
  if (!day || !isDay(day.text) || !areNear(text, words.slice(at, nth + 1), gap)) return null
  const isVerb = VERBS.has(month?.text ?? '') && original[month?.at ?? 0] === month?.text[0] && at === nth - 1
  return isVerb ? null : day
}

/** The day after a month, with its ordinal: `May 8`, `Aug. 8`, `May 8th`. In other languages, a year follows. */
function dayAfter(cut: Cut, nth: number, names: readonly MonthName[]): Word | null {
  const { text, words } = cut
  const [, day, ordinal] = words.slice(nth, nth + 3)
  const isOne = day && isDay(day.text) && areNear(text, words.slice(nth, nth + 2), /^[ .]*$/)
  if (!isOne || text[day.end] === '%') return null
  const isUsual =
    names.some((name) => isDated(name) && MONTH_FIRST.has(name.language)) || yearAfter(cut, nth + 1, names) !== null
  if (!isUsual) return null
  return ordinal?.at === day.end && ORDINALS.has(ordinal.text) ? { ...day, end: ordinal.end } : day
}

const isDay = (digits: string): boolean =>
  /^\d{1,2}$/.test(digits) && Number(digits) >= 1 && Number(digits) <= MAX_MONTH_DAY

/** The year after a month or a day: `May 8th, 2023`, `mayo de 2023`. */
function yearAfter({ text, words }: Cut, nth: number, names: readonly MonthName[]): Word | null {
  let at = nth + 1
  if (ORDINALS.has(words[at]?.text ?? '')) at += 1
  if (isOf(names, words[at])) at += 1
  const year = words[at]
  return year && isYear(year.text) && areNear(text, words.slice(nth, at + 1), /^[ .,]*$/) ? year : null
}

const isYear = (digits: string): boolean => /^(?:19|20)\d\d$/.test(digits)

/** Only what `gap` allows stands between the words. */
const areNear = (text: string, words: readonly Word[], gap: RegExp): boolean =>
  words.every(({ end }, nth) => nth === words.length - 1 || gap.test(text.slice(end, words[nth + 1]?.at)))

/** A year that is no amount, version or part of a longer number. */
function yearAt(text: string, { text: digits, at, end }: Word): Place | null {
  if (!isYear(digits)) return null
  const isPart =
    /[\p{L}\p{N}$€£#.,:/-]$/u.test(text.slice(Math.max(0, at - 2), at)) ||
    /^[.,:/-]?[\p{L}\p{N}%]/u.test(text.slice(end))
  return isPart ? null : { at, end, days: yearOf(Number(digits)) }
}
