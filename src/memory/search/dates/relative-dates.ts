import { daysAgo, type Unit } from './calendar.ts'
import { phrases } from './phrases.ts'
import { isBetween, mayBegin, mayEnd, UNSPACED, type Place } from './place.ts'

const MAX_COUNT = 30

/** The ends of the words of a text in a script without spaces. Made after a phrase was found, since it costs a millisecond. */
function wordBreaks(text: string): ReadonlySet<number> {
  const segments = new Intl.Segmenter('zh', { granularity: 'word' }).segment(text)
  return new Set([...segments].flatMap(({ index, segment }) => [index, index + segment.length]))
}

/** Yesterday, last week, two months ago. */
export function relativeDates(text: string, today: number): Place[] {
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

/** `1.5`, `twenty-one` and `half a` go on before it: six units say so. */
const isPartOfNumber = (text: string, at: number): boolean =>
  /(?:\d[.,]|\p{L}-|\bhalf )$/u.test(text.slice(Math.max(0, at - 6), at))

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
