import type { Embedder } from '../core/ports.ts'

const DIMENSION = 768
/** Lengths of the parts of words that are hashed too. They bring inflections and compounds together. */
const GRAMS = [4, 5]
const GRAM_WEIGHT = 0.2

/**
 * Deterministic feature hashing (Weinberger et al., 2009) of words and parts of words, so that the service runs without
 * a model. It finds shared words and spellings, not synonyms.
 */
export const localEmbedder: Embedder = {
  model: 'local/feature-hashing-v2',
  dimension: DIMENSION,
  maxTokens: 512,
  fusionWeight: 0.02,
  embed: async (texts) => texts.map(embedOne),
}

function embedOne(text: string): Float32Array {
  const vector = new Float32Array(DIMENSION)
  const words = wordCounts(text)
  for (const [word, count] of words) {
    // Each repetition of a word adds less, and short words weigh little.
    const weight = Math.sqrt(count) * (word.length <= 3 ? 0.2 : word.length === 4 ? 0.45 : 1)
    addFeature(vector, word, 0, word.length, 0, weight)
    const padded = ` ${word} `
    for (const size of GRAMS) {
      for (let at = 0; at + size <= padded.length; at++)
        addFeature(vector, padded, at, at + size, size, weight * GRAM_WEIGHT)
    }
  }
  if (words.size === 0) addCharacters(vector, text)
  normalize(vector)
  return vector
}

/** A text without words resembles a text with the same characters. The whole text is a feature too, so no vector is zero. */
function addCharacters(vector: Float32Array, text: string): void {
  addFeature(vector, text, 0, text.length, 0, 1)
  for (const character of text) addFeature(vector, character, 0, character.length, 1, GRAM_WEIGHT)
}

function normalize(vector: Float32Array): void {
  let squares = 0
  for (const value of vector) squares += value * value
  const norm = Math.sqrt(squares) || 1
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / norm
}

function wordCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of text
    .normalize('NFKD')
    .toLowerCase()
    .match(/[\p{L}\p{N}]{1,64}/gu) ?? []) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

/** FNV-1a with the finaliser of MurmurHash3. It mixes the lowest bits well, which choose dimension and sign. */
function addFeature(vector: Float32Array, text: string, from: number, to: number, seed: number, weight: number): void {
  let hash = 0x811c9dc5 ^ seed
  for (let index = from; index < to; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  hash ^= hash >>> 16
  const at = (hash >>> 1) % vector.length
  vector[at] = (vector[at] ?? 0) + (hash & 1 ? weight : -weight)
}
