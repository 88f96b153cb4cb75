import { betweenCharacters } from '../../core/values/code-points.ts'
import type { Chunk } from '../../core/vectors.ts'
import { narrow } from '../keyword/fold.ts'

const MAX_SNIPPET_CHARACTERS = 300
/** Endings that a stem may have and its word may not (`studi`, `studying`). They are cut off before the text is searched. */
const STEM_TAIL = /(?:i|y|e)$/

/**
 * The part of a text that matches best: the window with the most terms of the query, inside the best chunk where there
 * is one. A short text is its own snippet. `terms` come from `queryTerms`.
 */
export function snippet(
  text: string,
  terms: readonly string[],
  bestChunk: () => Chunk | null,
  size = MAX_SNIPPET_CHARACTERS,
): string {
  const { start, end } = bestWindow(text, terms, bestChunk, size)
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

/** Where a snippet of a text lies; its beginning for a snippet of another text. */
export function placeOf(shown: string, text: string): Chunk {
  for (const inner of [shown, shown.slice(0, -1), shown.slice(1), shown.slice(1, -1)]) {
    const start = text.indexOf(inner)
    if (start >= 0) return { start, end: start + inner.length }
  }
  return { start: 0, end: 0 }
}

/** As `snippet`, of at most `size` UTF-16 units: what a reranker reads of a text. */
export function bestPart(text: string, terms: readonly string[], bestChunk: () => Chunk | null, size: number): string {
  const { start, end } = bestWindow(text, terms, bestChunk, size)
  return text.slice(start, end)
}

function bestWindow(text: string, terms: readonly string[], bestChunk: () => Chunk | null, size: number): Chunk {
  if (text.length <= size) return { start: 0, end: text.length }
  const { start, end } = bestChunk() ?? { start: 0, end: text.length }
  return windowAt(text, start + bestOffset(text.slice(start, end), terms, size), size)
}

/** Begins a third of a window before the occurrence that most different terms follow closely. */
function bestOffset(part: string, terms: readonly string[], size: number): number {
  const pattern = patternOf(terms)
  if (!pattern) return 0
  const occurrences = part
    .matchAll(pattern)
    .take(MAX_LOOKED_AT)
    .filter(({ 0: found, index }) => beginsWord(part, found, index))
    .map(({ 0: found, index }) => ({ at: index, word: found.toLowerCase() }))
    .take(MAX_OCCURRENCES)
    .toArray()
  let best = { at: 0, words: 0 }
  for (const [index, { at }] of occurrences.entries()) {
    const words = new Set<string>()
    for (let next = index; next < occurrences.length; next++) {
      const occurrence = occurrences[next]
      if (!occurrence || occurrence.at > at + size / 2) break
      words.add(occurrence.word)
    }
    if (words.size > best.words) best = { at, words: words.size }
  }
  return Math.max(0, best.at - Math.floor(size / 3))
}

const MAX_OCCURRENCES = 500
/** Of these some stand inside words. */
const MAX_LOOKED_AT = 2_000

/** All results of a search share its list of terms, so that it is compiled once. */
const patterns = new WeakMap<readonly string[], RegExp | null>()

const PLAIN = /^[a-z0-9]/i
const IN_WORD = /[\p{L}\p{N}]$/u

/**
 * A root of a script without spaces may stand within a run. The pattern looks behind for ASCII alone: each search compiles
 * one, and the classes of all letters take ten times as long to compile as the roots.
 */
const beginsWord = (part: string, found: string, at: number): boolean =>
  !PLAIN.test(found) || !IN_WORD.test(part.slice(Math.max(0, at - 2), at))
const beginningWith = (root: string): string => `${PLAIN.test(root) ? '(?<![a-z0-9])' : ''}${RegExp.escape(root)}`

/** Matches what begins like a term; null: there is no term. */
function patternOf(terms: readonly string[]): RegExp | null {
  const known = patterns.get(terms)
  if (known !== undefined) return known
  const roots = terms
    .map((term) => narrow(term.length > 3 ? term.replace(STEM_TAIL, '') : term))
    .filter((root) => root !== '')
  const pattern = roots.length === 0 ? null : new RegExp(roots.map(beginningWith).join('|'), 'giu')
  patterns.set(terms, pattern)
  return pattern
}

/** A window of `size` from about `from` that begins and ends between words. */
function windowAt(text: string, from: number, size: number): Chunk {
  const latest = Math.max(0, text.length - size)
  const begin = Math.min(from, latest)
  const gap = begin === 0 ? 0 : text.slice(begin, begin + 40).search(/\s/)
  const start = begin === 0 ? 0 : gap < 0 ? betweenCharacters(text, begin) : begin + gap + 1
  const until = betweenCharacters(text, Math.min(text.length, start + size))
  const space = until === text.length ? -1 : text.lastIndexOf(' ', until)
  const end = space > start + size / 2 ? space : until
  return { start, end }
}
