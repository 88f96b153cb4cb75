import { AFTER_MONTHS, BEFORE_MONTHS } from './beside-months.ts'
import { dayOf, daysAgo, everyYear, monthOf, MONTHS, yearOf, type Days, type Unit, type Yearly } from './calendar.ts'
import { folded } from './folded.ts'
import { phrases, type MonthName } from './phrases.ts'

/** What is read of a question. */
export const MAX_READ = 512
const MAX_COUNT = 30
const MAX_MONTH_DAY = 31

export interface FoundDate {
  /** As the question says it. */
  text: string
  days: Days | Yearly
}

/** Where a phrase stands, in UTF-16 units. */
interface Place {
  at: number
  end: number
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

const IN_WORD = /[\p{L}\p{M}\p{N}]/u
const HANGUL = /\p{Script=Hangul}/u
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

const isBetween = (text: string, at: number): boolean =>
  at === 0 || !IN_WORD.test(text.slice(at - 1, at)) || !IN_WORD.test(text.slice(at, at + 1))

/** A phrase may begin here. A digit follows a letter of these scripts as a word of its own. */
const mayBegin = (text: string, at: number): boolean =>
  isBetween(text, at) ||
  UNSPACED.test(text.slice(at - 1, at + 1)) ||
  (HANGUL.test(text.slice(at - 1, at)) && /\d/.test(text.slice(at, at + 1)))

/** A phrase may end here. Korean particles follow a word. */
const mayEnd = (text: string, at: number): boolean =>
  isBetween(text, at) ||
  UNSPACED.test(text.slice(at - 1, at + 1)) ||
  (HANGUL.test(text.slice(at - 1, at)) && !text.startsWith('날', at))

/** The ends of the words of a text in a script without spaces. Made after a phrase was found, since it costs a millisecond. */
function wordBreaks(text: string): ReadonlySet<number> {
  const segments = new Intl.Segmenter('zh', { granularity: 'word' }).segment(text)
  return new Set([...segments].flatMap(({ index, segment }) => [index, index + segment.length]))
}

/** Yesterday, last week, two months ago. */
function relativeDates(text: string, today: number): Place[] {
  const { fixed, counted } = phrases()
  const found: Place[] = []
  const add = (at: number, end: number, unit: Unit, count: number): void => {
    if (mayEnd(text, end)) found.push({ at, end, days: daysAgo(today, unit, count) })
  }
  for (let at = 0; at < text.length; at++) {
    if (!mayBegin(text, at)) continue
    const beginning = text.slice(at, at + 2)
    for (const phrase of fixed.get(beginning) ?? [])
      if (text.startsWith(phrase.text, at)) add(at, at + phrase.text.length, phrase.unit, phrase.count)
    const candidates = [...(counted.get(beginning) ?? []), ...(isPartOfNumber(text, at) ? [] : (counted.get('') ?? []))]
    for (const { before, endings } of candidates) {
      const number = text.startsWith(before, at) ? numberAt(text, at + before.length) : null
      if (!number) continue
      for (const { after, unit } of endings)
        if (text.startsWith(after, number.end)) add(at, number.end + after.length, unit, number.value)
    }
  }
  let breaks: ReadonlySet<number> | null = null
  const isWhole = (edge: number): boolean =>
    isBetween(text, edge) || !UNSPACED.test(text.slice(edge - 1, edge + 1)) || (breaks ??= wordBreaks(text)).has(edge)
  return found.filter(({ at, end }) => isWhole(at) && isWhole(end))
}

/** `1.5`, `twenty-one` and `half a` go on before it. */
const isPartOfNumber = (text: string, at: number): boolean => /(?:\d[.,]|\p{L}-|\bhalf )$/u.test(text.slice(0, at))

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
function isoDates(text: string): Place[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}.-])((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?(?![\p{N}-])/gu)].flatMap(
    ({ index, 0: whole, 1: year, 2: month, 3: day }) =>
      placeOf(index, whole, daysOf(Number(month) - 1, numberOrNull(day), Number(year))),
  )
}

/** The months of Chinese numerals, from January on. */
const NUMERALS = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二']

/** `2023年5月8日`, `5月`, `五月`, `2023년 5월`, `2023年`. A weekday such as `月曜日` is none. */
function ideographicDates(text: string): Place[] {
  const dated = /(?<!\d)(?:((?:19|20)\d\d) ?[年년] ?)?(\d{1,2}) ?[月월](?!曜|요일)(?: ?(\d{1,2}) ?[日号號일])?/gu
  const years = /(?<!\d)((?:19|20)\d\d) ?[年년](?! ?[前전])/gu
  const named = /(?<![一二三四五六七八九十])(十[一二]?|[一二三四五六七八九])月(?!曜)/gu
  return [
    ...[...text.matchAll(dated)].flatMap(({ index, 0: whole, 1: year, 2: month, 3: day }) =>
      placeOf(index, whole, daysOf(Number(month) - 1, numberOrNull(day), numberOrNull(year))),
    ),
    ...[...text.matchAll(named)].flatMap(({ index, 0: whole, 1: month = '' }) =>
      placeOf(index, whole, everyYear(NUMERALS.indexOf(month), null)),
    ),
    ...[...text.matchAll(years)].flatMap(({ index, 0: whole, 1: year }) => placeOf(index, whole, yearOf(Number(year)))),
  ]
}

const placeOf = (at: number, whole: string, days: Days | Yearly | null): Place[] =>
  days ? [{ at, end: at + whole.length, days }] : []

const numberOrNull = (digits: string | undefined): number | null => (digits === undefined ? null : Number(digits))

/** null: there is no such day or month. */
function daysOf(month: number, day: number | null, year: number | null): Days | Yearly | null {
  if (month < 0 || month >= MONTHS) return null
  if (year === null) return everyYear(month, day)
  return day === null ? monthOf(year, month) : dayOf(year, month, day)
}

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

const ORDINALS = new Set(['st', 'nd', 'rd', 'th', 'er', 'º', 'ª'])
/** Between a day and a month, or a month and a year: `8th of May`, `8 de mayo de 2023`. */
const OF = new Set(['of', 'de', 'del'])

/** `8 May 2023`, `May 8, 2023`, `May 2023`, `in May`, and a year alone. */
function namedDates(text: string, original: string): Place[] {
  const words = [...text.matchAll(/\d+|[\p{L}\p{M}ºª]+/gu)].map(({ 0: word, index }) => ({
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
  const before = dayBefore(cut, nth, names)
  const after = before ? null : dayAfter(cut, nth)
  const day = before ?? after
  const year = yearAfter(cut, after ? nth + 1 : nth)
  const [first, last] = [before ?? word, year ?? after ?? word]
  const isDate = year !== null || names.some((name) => (day ? isDated(name) : hasContext(cut, nth, name)))
  const days = isDate ? daysOf(names[0]?.month ?? 0, day && Number(day.text), year && Number(year.text)) : null
  return days && isBetween(text, first.at) && isBetween(text, last.end) ? { at: first.at, end: last.end, days } : null
}

/** With a day it is one without a year. */
const isDated = ({ isShort, language }: MonthName): boolean => !isShort || language === 'en'

/** Without a day and a year it stands beside a word that makes it a time. */
const hasContext = ({ words }: Cut, nth: number, { isShort, language }: MonthName): boolean =>
  !isShort &&
  (BEFORE_MONTHS[language]?.has(words[nth - 1]?.text ?? '') === true ||
    AFTER_MONTHS[language]?.has(words[nth + 1]?.text ?? '') === true)

const VERBS = new Set(['may', 'march'])

/** The day before a month: `8 May`, `8. Mai`, `8th of May`. A full stop is of other languages than English. */
function dayBefore({ text, original, words }: Cut, nth: number, names: readonly MonthName[]): Word | null {
  const month = words[nth]
  const gap = names.some(({ language, isShort }) => language !== 'en' && !isShort) ? /^[ .]*$/ : /^ *$/
  let at = nth - 1
  if (OF.has(words[at]?.text ?? '')) at -= 1
  if (ORDINALS.has(words[at]?.text ?? '')) at -= 1
  const day = words[at]
  if (!day || !isDay(day.text) || !areNear(text, words.slice(at, nth + 1), gap)) return null
  const isVerb = VERBS.has(month?.text ?? '') && original[month?.at ?? 0] === month?.text[0] && at === nth - 1
  return isVerb ? null : day
}

/** The day after a month: `May 8`, `Aug. 8`. */
function dayAfter({ text, words }: Cut, nth: number): Word | null {
  const day = words[nth + 1]
  const isOne = day && isDay(day.text) && areNear(text, words.slice(nth, nth + 2), /^[ .]*$/)
  return isOne && text[day.end] !== '%' ? day : null
}

const isDay = (digits: string): boolean =>
  /^\d{1,2}$/.test(digits) && Number(digits) >= 1 && Number(digits) <= MAX_MONTH_DAY

/** The year after a month or a day: `May 8th, 2023`, `mayo de 2023`. */
function yearAfter({ text, words }: Cut, nth: number): Word | null {
  let at = nth + 1
  if (ORDINALS.has(words[at]?.text ?? '')) at += 1
  if (OF.has(words[at]?.text ?? '')) at += 1
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
  const isPart = /[\p{L}\p{N}$€£#.,:/-]$/u.test(text.slice(0, at)) || /^[.,:/-]?[\p{L}\p{N}%]/u.test(text.slice(end))
  return isPart ? null : { at, end, days: yearOf(Number(digits)) }
}
