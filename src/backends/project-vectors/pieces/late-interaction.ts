import { AlikePieces, type Alike } from './alike-pieces.ts'
import { heaviest, type PieceCounts, type PieceTable } from './asked-pieces.ts'
import { layout, PieceKernel } from './piece-kernel.ts'
import type { PieceList } from './piece-lists.ts'

/** Weight of the late interaction in the semantic score. The rest is the cosine's. */
const INTERACTION_WEIGHT = 0.5
const F32 = Float32Array.BYTES_PER_ELEMENT
const U32 = Uint32Array.BYTES_PER_ELEMENT
const U16 = Uint16Array.BYTES_PER_ELEMENT

/** The kernels that all objects of the isolate share, by table. */
const kernels = new WeakMap<PieceTable, { kernel: PieceKernel; alike: AlikePieces }>()

/**
 * Late interaction of a question with each part, 0 to 1: Σ w(p) · max s(p, r) / Σ w(p), over the distinct pieces p of the
 * question and the pieces r of the part. s is the cosine of their vectors, w(p) the rarity of p among the parts counted
 * times the length of its vector. null: no piece of the question has a vector.
 */
export function lateInteraction(
  table: PieceTable,
  question: Uint16Array,
  counts: PieceCounts,
  parts: readonly PieceList[],
): Float32Array | null {
  const asked = heaviest(table, question, counts)
  const total = asked.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return null
  const { kernel, alike } = kernelOf(table)
  const written = writeParts(kernel, parts)
  const lists = alike.of(
    asked.map(({ piece }) => piece),
    written.end,
  )
  const weights = asked.map(({ weight }) => weight / total)
  return weightedBest(kernel, weights, lists, written)
}

/** The semantic score of an item, 0 to 1. One without pieces keeps its cosine. */
export const semanticScore = (similarity: number, interaction: number | null): number =>
  interaction === null ? similarity : (1 - INTERACTION_WEIGHT) * similarity + INTERACTION_WEIGHT * interaction

function kernelOf(table: PieceTable): { kernel: PieceKernel; alike: AlikePieces } {
  let shared = kernels.get(table)
  if (!shared) {
    const kernel = new PieceKernel(table)
    kernels.set(table, (shared = { kernel, alike: new AlikePieces(kernel) }))
  }
  return shared
}

/** Parts in the memory of the kernel: the offsets of their pieces, of where each part ends, and of what is free. */
interface WrittenParts {
  pieces: number
  ends: number
  end: number
  count: number
  /** Pieces of the longest part. */
  longest: number
}

/** Writes the pieces of all parts, one part behind the other, and adds a line for each piece that is new. */
function writeParts(kernel: PieceKernel, parts: readonly PieceList[]): WrittenParts {
  const pieces = parts.reduce((sum, { lists, list }) => sum + lists.lengthOf(list), 0)
  const at = layout(kernel.free, [
    ['pieces', pieces * U16],
    ['ends', parts.length * U32],
  ])
  kernel.reserve(at.end)
  const { buffer } = kernel.exports.memory
  const all = new Uint16Array(buffer, at.pieces, pieces)
  const ends = new Uint32Array(buffer, at.ends, parts.length)
  let end = 0
  let longest = 0
  parts.forEach(({ lists, list }, nth) => {
    const length = lists.lengthOf(list)
    lists.copy(list, all, end)
    ends[nth] = end += length
    longest = Math.max(longest, length)
  })
  kernel.addLines(at.pieces, pieces)
  return { ...at, count: parts.length, longest }
}

/** The sum of each part: weight × best cosine, of each asked piece that has such a weight and such a list. */
function weightedBest(
  kernel: PieceKernel,
  weights: readonly number[],
  lists: readonly Alike[],
  { pieces, ends, end, count, longest }: WrittenParts,
): Float32Array {
  const width = Math.ceil(lists.length / 4) * 4
  const most = Math.min(
    kernel.lines,
    lists.reduce((sum, list) => sum + list.pieces.length, 0),
  )
  const at = layout(end, [
    ['weights', width * F32],
    ['cosines', most * width * F32],
    ['lines', longest * U32],
    ['sums', count * F32],
  ])
  kernel.reserve(at.end)
  const { exports, placeOf } = kernel
  const { buffer } = exports.memory
  // The weight of what fills a line up to four is 0.
  new Float32Array(buffer, at.weights, width).fill(0).set(weights)
  const places = new Uint16Array(buffer, placeOf)
  const placed = place(lists, width, places, new Float32Array(buffer, at.cosines, most * width).fill(0))
  exports.weightedBest(pieces, ends, count, placeOf, at.cosines, width, at.weights, at.lines, at.sums)
  for (const piece of placed) places[piece] = 0
  return new Float32Array(buffer, at.sums, count).slice()
}

/** Gives each piece of the lists a place and writes its cosines there. Answers the pieces by place. */
function place(lists: readonly Alike[], width: number, places: Uint16Array, cosines: Float32Array): number[] {
  const placed: number[] = []
  lists.forEach((list, nth) => {
    list.pieces.forEach((piece, at) => {
      if (places[piece] === 0) places[piece] = placed.push(piece)
      cosines[((places[piece] ?? 0) - 1) * width + nth] = list.cosines[at] ?? 0
    })
  })
  return placed
}
