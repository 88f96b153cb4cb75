import type { Embedder } from '../core/ports.ts'

const DIMENSION = 768

/**
 * Deterministic feature hashing of words and character trigrams, so that the service runs whole without a model.
 * Lexical: it finds shared words and spellings, not meanings.
 */
export const localEmbedder: Embedder = {
  model: 'local/feature-hashing-v1',
  dimension: DIMENSION,
  maxTokens: 512,
  fusionWeight: 0.3,
  embed: async (texts) => texts.map(embedOne),
}

function embedOne(text: string): Float32Array {
  const vector = new Float32Array(DIMENSION)
  for (const word of text
    .normalize('NFKD')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) {
    add(vector, `w:${word}`, 1)
    const padded = ` ${word} `
    for (let at = 0; at + 3 <= padded.length; at++) add(vector, padded.slice(at, at + 3), 0.3)
  }
  const norm = Math.hypot(...vector) || 1
  return vector.map((value) => value / norm)
}

function add(vector: Float32Array, feature: string, weight: number): void {
  let hash = 0x811c9dc5
  for (let at = 0; at < feature.length; at++) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193)
  const slot = (hash >>> 1) % DIMENSION
  vector[slot] = (vector[slot] ?? 0) + (hash & 1 ? weight : -weight)
}
