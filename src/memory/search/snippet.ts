import type { Chunk } from '../embedding/chunk.ts'

const MAX_SNIPPET_CHARACTERS = 300
/** Of a word of the query, this much is looked for: the index's stems are no parts of the text. */
const STEM_TAIL = /(?:i|y|e)$/

/**
 * The part of a text that matches best: the window with most of the query's words, within the best chunk where one
 * is known. A short text is its own snippet, and asks for no chunk. `terms` are as `queryTerms` gives them: letters and
 * digits only.
 */
export function snippet(text: string, terms: readonly string[], bestChunk: () => Chunk | null): string {
  if (text.length <= MAX_SNIPPET_CHARACTERS) return text
  const { start, end } = bestChunk() ?? { start: 0, end: text.length }
  const part = text.slice(start, end)
  return excerpt(text, start + bestPlace(part, terms))
}

/** Where to begin: a third of a window before the place around which most different words stand. */
function bestPlace(part: string, terms: readonly string[]): number {
  const roots = terms
    .map((term) => (term.length > 3 ? term.replace(STEM_TAIL, '') : term))
    .filter((root) => root !== '')
  if (roots.length === 0) return 0
  const places = [...part.matchAll(new RegExp(roots.join('|'), 'giu'))]
    .map((match) => ({ at: match.index, word: match[0].toLowerCase() }))
    .slice(0, MAX_PLACES)
  let best = { at: 0, words: 0 }
  for (const [index, { at }] of places.entries()) {
    const words = new Set<string>()
    for (let next = index; next < places.length; next++) {
      const place = places[next]
      if (!place || place.at > at + MAX_SNIPPET_CHARACTERS / 2) break
      words.add(place.word)
    }
    if (words.size > best.words) best = { at, words: words.size }
  }
  return Math.max(0, best.at - MAX_SNIPPET_CHARACTERS / 3)
}

const MAX_PLACES = 500

/** A window from about `from`, begun and ended between words, with … where text was left out. */
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

/** The place itself, or the one before where a cut would go through a surrogate pair and leave half a character. */
const between = (text: string, at: number): number => (/[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at - 1 : at)
