import type { Chunk } from '../core/vectors.ts'

/** Share of a chunk that the next one repeats. So a passage at a boundary is whole in one of the two. */
const OVERLAP = 0.15

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/**
 * Cuts a text into chunks of at most `maxTokens` model tokens (estimated), at the ends of sentences where possible. Each
 * chunk begins with the last sentences of the one before.
 */
export function sentenceChunks(text: string, maxTokens: number): Chunk[] {
  if (estimateTokens(text) <= maxTokens) return [{ start: 0, end: text.length }]
  const sentences = [...segmenter.segment(text)].flatMap(({ segment, index }) => fitting(segment, index, maxTokens))
  const found: Chunk[] = []
  for (let first = 0; first < sentences.length;) {
    let next = first
    let tokens = 0
    let size = 0
    for (; next < sentences.length; next++, tokens += size) {
      size = estimateTokens(slice(text, sentences[next]))
      if (next > first && tokens + size > maxTokens) break
    }
    found.push({ start: sentences[first]?.start ?? 0, end: sentences[next - 1]?.end ?? text.length })
    if (next >= sentences.length) break
    // The overlap leaves room for the next sentence. Otherwise the next chunk would hold nothing new.
    const room = Math.min(tokens * OVERLAP, maxTokens - size)
    first = Math.max(first + 1, overlapFrom(text, sentences, next, room))
  }
  return found
}

/** Index of the first sentence of the overlap: the sentences from it up to `next` have at most `maxTokens`. */
function overlapFrom(text: string, sentences: Chunk[], next: number, maxTokens: number): number {
  let first = next
  for (let tokens = 0; first > 0; first--) {
    tokens += estimateTokens(slice(text, sentences[first - 1]))
    if (tokens > maxTokens) break
  }
  return first
}

const slice = (text: string, part: Chunk | undefined): string => (part ? text.slice(part.start, part.end) : '')

/** Cuts a sentence that is too long after a space, or else between two characters. */
function fitting(sentence: string, start: number, maxTokens: number): Chunk[] {
  if (estimateTokens(sentence) <= maxTokens) return [{ start, end: start + sentence.length }]
  const parts: Chunk[] = []
  for (let from = 0; from < sentence.length;) {
    let end = Math.min(sentence.length, from + maxTokens * LATIN_CHARACTERS)
    while (estimateTokens(sentence.slice(from, end)) > maxTokens) end = from + Math.ceil((end - from) * 0.8)
    if (end < sentence.length) {
      const space = sentence.lastIndexOf(' ', end - 1)
      if (space > from + (end - from) / 2) end = space + 1
      // A cut never parts a surrogate pair.
      else if (/[\uD800-\uDBFF]/.test(sentence.charAt(end - 1))) end -= end - 1 > from ? 1 : -1
    }
    parts.push({ start: start + from, end: start + end })
    from = end
  }
  return parts
}

/** Characters of a model token, estimated low: the model's tokenizer is not here, and the model drops what is too long. */
const LATIN_CHARACTERS = 3

function estimateTokens(text: string): number {
  let other = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x24f) other += 1
  return Math.ceil((text.length - other) / LATIN_CHARACTERS) + other
}
