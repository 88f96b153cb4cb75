import type { Unit } from './calendar.ts'
import { COUNTED, ENGLISH_MONTHS, FIXED, MONTHS, NUMBERS, SHORT_MONTHS } from './phrase-lists.ts'

/** What says a time before now without a number: `count` units ago. */
export interface Fixed {
  text: string
  unit: Unit
  count: number
}

/** What says it with a number between two texts. */
export interface Counted {
  before: string
  behind: string
  unit: Unit
}

interface MonthName {
  /** From 0. */
  month: number
  /** `set`, `out` and `ago` are short names of months somewhere: it needs a year, or in English a day. */
  isShort: boolean
  isEnglish: boolean
}

interface Phrases {
  /** By their first two UTF-16 units. */
  fixed: ReadonlyMap<string, readonly Fixed[]>
  /** By the first two units before the number; those that begin with it by ''. */
  counted: ReadonlyMap<string, readonly Counted[]>
  /** By their first unit, the longest first. */
  numbers: ReadonlyMap<string, readonly { word: string; value: number }[]>
  months: ReadonlyMap<string, MonthName>
}

let made: Phrases | null = null

/** Made at the first question. */
export const phrases = (): Phrases => (made ??= makePhrases())

function makePhrases(): Phrases {
  const fixed = linesOf(FIXED).map((line) => {
    const [unit = '', count, ...words] = line.split(' ')
    return { unit: unit as Unit, count: Number(count), text: words.join(' ') }
  })
  const counted = linesOf(COUNTED).map((line) => {
    const [unit = '', before = '', behind = ''] = /^(\w+) ([^#]*)#(.*)$/u.exec(line)?.slice(1) ?? []
    return { unit: unit as Unit, before, behind }
  })
  const numbers = numbered(NUMBERS).toSorted((a, b) => b.word.length - a.word.length)
  const english = new Set(numbered(ENGLISH_MONTHS).map(({ word }) => word))
  const months = (list: string, isShort: boolean) =>
    numbered(list).map(({ value, word }): [string, MonthName] => [
      word,
      { month: value, isShort, isEnglish: english.has(word) },
    ])
  return {
    fixed: Map.groupBy(fixed, ({ text }) => text.slice(0, 2)),
    counted: Map.groupBy(counted, ({ before }) => before.slice(0, 2)),
    numbers: Map.groupBy(numbers, ({ word }) => word.slice(0, 1)),
    // A whole name stands before a short one.
    months: new Map([...months(SHORT_MONTHS, true), ...months(MONTHS, false)]),
  }
}

const linesOf = (list: string): string[] => list.trim().split('\n')

const numbered = (list: string): { value: number; word: string }[] =>
  linesOf(list).map((line) => {
    const [value, ...words] = line.split(' ')
    return { value: Number(value), word: words.join(' ') }
  })
