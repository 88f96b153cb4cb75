import type { Unit } from './calendar.ts'
import { COUNTED, FIXED, MONTHS, NUMBERS, SHORT_MONTHS } from './phrase-lists.ts'

/** A phrase without a number: `count` units ago. */
interface Fixed {
  text: string
  unit: Unit
  count: number
}

/** A phrase with a number: what stands after it says the unit. */
interface Counted {
  before: string
  endings: readonly { after: string; unit: Unit }[]
}

/** The name of a month in one language. */
export interface MonthName {
  /** From 0. */
  month: number
  language: string
  /** `set`, `out` and `ago` are short names of months somewhere: it needs a year, or in English a day. */
  isShort: boolean
}

interface Phrases {
  /** By their first two UTF-16 units. */
  fixed: ReadonlyMap<string, readonly Fixed[]>
  /** By the first two units before the number; those that begin with it by ''. */
  counted: ReadonlyMap<string, readonly Counted[]>
  /** By their first unit, the longest first. */
  numbers: ReadonlyMap<string, readonly { word: string; value: number }[]>
  months: ReadonlyMap<string, readonly MonthName[]>
}

let made: Phrases | null = null

/** Made at the first question. */
export const phrases = (): Phrases => (made ??= makePhrases())

function makePhrases(): Phrases {
  const fixed = linesOf(FIXED).map(([unit = '', count, ...words]) => ({
    unit: unit as Unit,
    count: Number(count),
    text: words.join(' '),
  }))
  const numbers = linesOf(NUMBERS)
    .map(([value, ...words]) => ({ value: Number(value), word: words.join(' ') }))
    .toSorted((a, b) => b.word.length - a.word.length)
  return {
    fixed: Map.groupBy(fixed, ({ text }) => text.slice(0, 2)),
    counted: Map.groupBy(countedPhrases(), ({ before }) => before.slice(0, 2)),
    numbers: Map.groupBy(numbers, ({ word }) => word.slice(0, 1)),
    months: monthNames(),
  }
}

function countedPhrases(): Counted[] {
  const all = linesOf(COUNTED).map(([unit = '', ...words]) => {
    const [before = '', after = ''] = words.join(' ').split('#')
    return { unit: unit as Unit, before, after }
  })
  return [...Map.groupBy(all, ({ before }) => before)].map(([before, endings]) => ({ before, endings }))
}

function monthNames(): Map<string, readonly MonthName[]> {
  const named = (list: string, isShort: boolean) =>
    linesOf(list).map(([month, language = '', name = '']) => ({ name, month: Number(month), language, isShort }))
  return Map.groupBy([...named(MONTHS, false), ...named(SHORT_MONTHS, true)], ({ name }) => name)
}

const linesOf = (list: string): string[][] =>
  list
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
