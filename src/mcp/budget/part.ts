import type { Chunk } from '../../core/vectors.ts'
import { characterCost, textCost } from './cost.ts'

/** UTF-16 units at the end of a part in which it looks for a space to end after. */
const SPACE_WITHIN = 40

/** The longest part of a text from `start` that takes at most `maxCost`. */
export function partFrom(text: string, start: number, maxCost: number): Chunk {
  const end = forward(text, start, maxCost)
  if (end === text.length) return { start, end }
  const space = text.slice(Math.max(start + 1, end - SPACE_WITHIN), end).search(/\s\S*$/)
  return { start, end: space < 0 ? end : Math.max(start + 1, end - SPACE_WITHIN) + space + 1 }
}

/**
 * The same around what matches a query. Of what is left a third stands before, unless the text ends soon. Of a match that
 * does not fit, as much is left out.
 */
export function partAround(text: string, match: Chunk, maxCost: number): Chunk {
  const left = (maxCost - textCost(text.slice(match.start, match.end))) / 3
  const before = left < 0 ? forward(text, match.start, -left) : backward(text, match.start, left)
  const isLast = forward(text, before, maxCost) === text.length
  const start = isLast ? backward(text, text.length, maxCost) : before
  const space = start === 0 ? -1 : text.slice(start, Math.min(match.start, start + SPACE_WITHIN)).search(/\s/)
  return partFrom(text, space < 0 ? start : start + space + 1, maxCost)
}

/** The UTF-16 offset of the character with this number, or the end of the text. */
export function offsetOf(text: string, characters: number): number {
  let at = 0
  for (let left = characters; left > 0 && at < text.length; left--) at += unitsAt(text, at)
  return at
}

function forward(text: string, from: number, maxCost: number): number {
  let left = maxCost
  let at = from
  while (at < text.length) {
    left -= characterCost(text.codePointAt(at) ?? 0)
    if (left < 0) break
    at += unitsAt(text, at)
  }
  return at
}

function backward(text: string, from: number, maxCost: number): number {
  let left = maxCost
  let at = from
  while (at > 0) {
    const before = /[\uDC00-\uDFFF]/.test(text.charAt(at - 1)) ? at - 2 : at - 1
    left -= characterCost(text.codePointAt(before) ?? 0)
    if (left < 0) break
    at = before
  }
  return at
}

const unitsAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
