import type { Chunk } from '../embedding/chunk.ts'

const MAX_SNIPPET_CHARACTERS = 300
/** Endings that a stem may have and its word may not (`studi`, `studying`). They are cut off before the text is searched. */
const STEM_TAIL = /(?:i|y|e)$/

/**
 * The part of a text that matches best: the window with the most terms of the query, inside the best chunk where there
 * is one. A short text is its own snippet. `terms` come from `queryTerms` and hold letters and digits only.
 */
export function snippet(text: string, terms: readonly string[], bestChunk: () => Chunk | null): string {
  if (text.length <= MAX_SNIPPET_CHARACTERS) return text
  const { start, end } = bestChunk() ?? { start: 0, end: text.length }
  const part = text.slice(start, end)
  return excerpt(text, start + bestOffset(part, terms))
}

/** Begins a third of a window before the occurrence that most different terms follow closely. */
function bestOffset(part: string, terms: readonly string[]): number {
  const roots = terms
    .map((term) => (term.length > 3 ? term.replace(STEM_TAIL, '') : term))
    .filter((root) => root !== '')
  if (roots.length === 0) return 0
  const occurrences = [...part.matchAll(new RegExp(roots.join('|'), 'giu'))]
    .map((match) => ({ at: match.index, word: match[0].toLowerCase() }))
    .slice(0, MAX_OCCURRENCES)
  let best = { at: 0, words: 0 }
  for (const [index, { at }] of occurrences.entries()) {
    const words = new Set<string>()
    for (let next = index; next < occurrences.length; next++) {
      const occurrence = occurrences[next]
      if (!occurrence || occurrence.at > at + MAX_SNIPPET_CHARACTERS / 2) break
      words.add(occurrence.word)
    }
    if (words.size > best.words) best = { at, words: words.size }
  }
  return Math.max(0, best.at - MAX_SNIPPET_CHARACTERS / 3)
}

const MAX_OCCURRENCES = 500

/** A window from about `from` that begins and ends between words. … marks left-out text. */
function excerpt(text: string, from: number): string {
  const latest = Math.max(0, text.length - MAX_SNIPPET_CHARACTERS)
  const begin = Math.min(from, latest)
  const gap = begin === 0 ? 0 : text.slice(begin, begin + 40).search(/\s/)
  const start = begin === 0 ? 0 : gap < 0 ? between(text, begin) : begin + gap + 1
  const until = between(text, Math.min(text.length, start + MAX_SNIPPET_CHARACTERS))
  const space = until === text.length ? -1 : text.lastIndexOf(' ', until)
  const end = space > start + MAX_SNIPPET_CHARACTERS / 2 ? space : until
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

/** The offset, or the one before it where a cut would part a surrogate pair. */
const between = (text: string, at: number): number => (/[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at - 1 : at)
