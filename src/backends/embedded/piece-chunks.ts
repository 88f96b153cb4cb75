import { withShortMarks } from '../../core/values/short-marks.ts'
import type { CutChunk } from '../../core/vectors.ts'
import { addSegments } from './word-pieces.ts'

/** Pieces of a chunk. A longer one finds less (README.md beside this file). */
const MAX_PIECES = 64
/** Share of a chunk that the next one repeats, so that a phrase at a boundary is whole in one of the two. */
const OVERLAP = 0.25
/** A text with more of them has longer ones. */
export const MAX_CHUNKS = 256
/** Cuts between words may make more chunks than the pieces alone: then chunks grow by this. */
const GROWTH = 1.1
/** A segment between white space is cut where it has more pieces than this. */
const MAX_UNIT_PIECES = MAX_PIECES * OVERLAP

/** A part that no cut divides: its offset, and its greatest number of pieces. */
interface Unit {
  start: number
  pieces: number
  /** Index of its first piece among those of the text; null: a part of a segment, whose own pieces are unknown. */
  at: number | null
}

/** Indexes of the first unit of a chunk and of the one behind it. */
type Span = [first: number, next: number]

/**
 * Cuts a text into chunks of 64 word pieces that overlap by a quarter, between words where possible. A chunk that cuts no
 * segment has its pieces.
 */
export function pieceChunks(text: string): CutChunk[] {
  const found: number[] = []
  const units = unitsOf(text, found)
  const all = new Uint16Array(found)
  const pieces = units.reduce((sum, unit) => sum + unit.pieces, 0)
  const least = Math.max(MAX_PIECES, Math.ceil(pieces / (MAX_CHUNKS * (1 - OVERLAP))))
  for (let max = least; ; max = Math.ceil(max * GROWTH)) {
    const spans = spansOf(units, max)
    if (spans.length <= MAX_CHUNKS) return spans.map((span) => toChunk(text, units, span, all))
  }
}

/** White space belongs to the unit before it, and to the first chunk where the text begins with it. */
function toChunk(text: string, units: readonly Unit[], [first, next]: Span, all: Uint16Array): CutChunk {
  const own = units.slice(first, next)
  const chunk = { start: first === 0 ? 0 : (own[0]?.start ?? 0), end: units[next]?.start ?? text.length }
  if (own.some(({ at }) => at === null)) return chunk
  const last = own.at(-1)
  return { ...chunk, pieces: all.subarray(own[0]?.at ?? 0, (last?.at ?? 0) + (last?.pieces ?? 0)) }
}

function spansOf(units: readonly Unit[], maxPieces: number): Span[] {
  let first = 0
  let next = endOf(units, first, maxPieces)
  const spans: Span[] = [[first, next]]
  for (let unit = units[next]; unit; unit = units[next]) {
    // The next unit must fit beside what is repeated. Otherwise the next chunk would hold nothing new.
    first = Math.max(first + 1, overlapFrom(units, next, Math.min(maxPieces * OVERLAP, maxPieces - unit.pieces)))
    next = endOf(units, first, maxPieces)
    spans.push([first, next])
  }
  return spans
}

/** Index behind the last unit of a chunk, which has at least one. */
function endOf(units: readonly Unit[], first: number, maxPieces: number): number {
  let next = first
  for (let pieces = 0, unit = units[next]; unit && (next === first || pieces + unit.pieces <= maxPieces);) {
    pieces += unit.pieces
    unit = units[++next]
  }
  return next
}

/** Index of the first unit of the overlap: the units from it up to `next` have at most `maxPieces`. */
function overlapFrom(units: readonly Unit[], next: number, maxPieces: number): number {
  let first = next
  for (let pieces = units[first - 1]?.pieces ?? 0; first > 0 && pieces <= maxPieces;) {
    first--
    pieces += units[first - 1]?.pieces ?? 0
  }
  return first
}

/** The units of a text. Its pieces are added to `found`. */
function unitsOf(text: string, found: number[]): Unit[] {
  const units: Unit[] = []
  let at = 0
  addSegments(text, found, (start, end) => {
    const pieces = found.length - at
    if (pieces <= MAX_UNIT_PIECES) units.push({ start, pieces, at })
    else addParts(text.slice(start, end), start, units)
    at = found.length
  })
  return units
}

/** Scripts without spaces, addresses, identifiers: runs of plain letters and digits, and characters with their marks. */
function addParts(segment: string, start: number, units: Unit[]): void {
  for (const { 0: part, index } of segment.matchAll(/[a-z0-9]{1,16}|.\p{M}*/giu))
    units.push({ start: start + index, pieces: Math.max(1, baseCharacters(part)), at: null })
}

/** No text has more pieces than characters without their marks. */
const baseCharacters = (part: string): number =>
  withShortMarks(part)
    .normalize('NFD')
    .replace(/\p{M}+/gu, '').length
