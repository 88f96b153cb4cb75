import { codePoints } from '../../core/values/code-points.ts'
import type { Chunk } from '../../core/vectors.ts'
import { allot } from './allot.ts'
import { costOf, textCost } from './cost.ts'

/** A result with one text, of which a part can stand for the whole. */
export interface Showable {
  whole: Readonly<Record<string, unknown>>
  /** The member that holds the text. */
  textIn: 'content' | 'text' | 'description'
  /** The part that stands for the text where it does not fit. `maxCost` is in bytes, as `costOf` counts them. */
  partOf(text: string, maxCost: number): Chunk
  /** Part of the text is shown even where all of it fits. */
  inPart?: boolean
  /** No tool reads on where a part ends. */
  isPreview?: boolean
}

export type Shown = Readonly<Record<string, unknown>>

/** Members that are left out before a text gets too short, in this order, and what stands in their place. */
const GIVE_WAY: readonly (readonly [name: string, empty: unknown])[] = [
  ['metadata', {}],
  ['tags', []],
]

/** Other members give way to this much of a text: 300 characters of English. */
const MIN_TEXT_COST = 600
/** A comma, in both forms. */
const COMMA = 2

/** One result within a budget. `minTextCost`: other members give way until this much is left for the text, if it needs it. */
export function shownWithin(one: Showable, maxCost: number, minTextCost = MIN_TEXT_COST): Shown {
  if (one.inPart !== true && costOf(one.whole) <= maxCost) return one.whole
  const text = textOf(one)
  const needed = Math.min(minTextCost, textCost(text))
  const givesWay = GIVE_WAY.filter(([name, empty]) => name in one.whole && isFilled(one.whole[name], empty))
  for (let count = 0; ; count++) {
    const omitted = givesWay.slice(0, count)
    const left = maxCost - bareCost(one, omitted)
    if (left >= needed || count === givesWay.length) {
      return withPart(one, omitted, one.partOf(text, Math.max(0, left)))
    }
  }
}

/** The first results that fit into a budget, as parts where not all of them fit whole; at least one. */
export function shownOf(all: readonly Showable[], maxCost: number): Shown[] {
  const wholes = all.map(({ whole }) => costOf(whole) + COMMA)
  if (wholes.reduce((sum, cost) => sum + cost, 0) <= maxCost) return all.map(({ whole }) => whole)
  const needs = all.map((one, at) => {
    const [whole, bare] = [wholes[at] ?? 0, bareCost(one, GIVE_WAY)]
    return { whole, least: Math.min(whole, bare + COMMA + Math.min(MIN_TEXT_COST, textCost(textOf(one)))) }
  })
  const shown: Shown[] = []
  for (const [at, share] of allot(needs, maxCost).entries()) {
    const one = all[at]
    if (one) shown.push(shownWithin(one, share - COMMA, share / 2))
  }
  return shown
}

/** Whether a result lacks a part of what is stored. */
export const isInPart = (one: Shown): boolean => 'truncated' in one

const textOf = ({ whole, textIn }: Showable): string => String(whole[textIn])

const isFilled = (value: unknown, empty: unknown): boolean => JSON.stringify(value) !== JSON.stringify(empty)

/** What a result costs without its text and what gives way. */
function bareCost(one: Showable, omitted: typeof GIVE_WAY): number {
  const { length } = textOf(one)
  const marks = { truncated: true, omitted: omitted.map(([name]) => name) }
  const numbers = { text_length: length, offset: length, next_offset: length }
  return costOf({ ...one.whole, ...emptied(one, omitted), [one.textIn]: '', ...marks, ...numbers })
}

const emptied = ({ whole }: Showable, omitted: typeof GIVE_WAY): object =>
  Object.fromEntries(omitted.filter(([name]) => name in whole))

function withPart(one: Showable, omitted: typeof GIVE_WAY, { start, end }: Chunk): Shown {
  const text = textOf(one)
  const offset = codePoints(text.slice(0, start))
  const next = end === text.length ? null : offset + codePoints(text.slice(start, end))
  return {
    ...one.whole,
    ...emptied(one, omitted),
    [one.textIn]: text.slice(start, end),
    truncated: true,
    ...(end - start === text.length ? {} : { text_length: codePoints(text) }),
    ...(end - start === text.length || one.isPreview === true ? {} : { offset, next_offset: next }),
    ...(omitted.length === 0 ? {} : { omitted: omitted.map(([name]) => name) }),
  }
}
