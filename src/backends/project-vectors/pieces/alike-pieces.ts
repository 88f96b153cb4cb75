import { layout, type PieceKernel } from './piece-kernel.ts'

/** Cosines of two pieces below it count as none. */
const FLOOR = 0.35
/** Bytes that the kernel writes for a line: its number (u32) and the cosine (f32). */
const FOUND_BYTES = 8
const F32 = Float32Array.BYTES_PER_ELEMENT
/** Pieces alike that are kept for all asked ones together. They take some 2 MB of an isolate. */
const MAX_KEPT = 100_000

/** The pieces that are like one piece, as far as they were compared with it. */
export interface Alike {
  /** Lines of the kernel that were compared. */
  lines: number
  pieces: number[]
  /** Of each of these pieces, from the floor to 1. */
  cosines: number[]
  /** When it was asked last, as a count of all questions. */
  askedAt: number
}

/**
 * Keeps which pieces are like an asked one. Few are, and questions repeat their words, so a question is compared with
 * hardly more than the pieces that have come since it was asked last.
 */
export class AlikePieces {
  readonly #kernel: PieceKernel
  readonly #maxKept: number
  /** By asked piece. */
  readonly #byPiece = new Map<number, Alike>()
  #kept = 0
  #questions = 0

  constructor(kernel: PieceKernel, maxKept = MAX_KEPT) {
    this.#kernel = kernel
    this.#maxKept = maxKept
  }

  /** Of each of these pieces, which have a vector, those of all lines that are like it. Memory from `free` on is used. */
  of(asked: readonly number[], free: number): Alike[] {
    this.#questions += 1
    const all = asked.map((piece) => {
      let known = this.#byPiece.get(piece)
      if (!known) this.#byPiece.set(piece, (known = { lines: 0, pieces: [], cosines: [], askedAt: 0 }))
      known.askedAt = this.#questions
      return known
    })
    all.forEach((known, nth) => {
      if (known.lines < this.#kernel.lines) this.#compare(asked[nth] ?? 0, known, free)
    })
    if (this.#kept > this.#maxKept) this.#forget()
    return all
  }

  /** Forgets the pieces that were asked longest ago until half of the room is free, since each time it orders them all. */
  #forget(): void {
    for (const [piece, { pieces }] of [...this.#byPiece].sort(([, a], [, b]) => a.askedAt - b.askedAt)) {
      if (this.#kept <= this.#maxKept / 2) break
      this.#byPiece.delete(piece)
      this.#kept -= pieces.length
    }
  }

  /** Compares a piece with the lines that it was not compared with, and adds those that are like it. */
  #compare(asked: number, known: Alike, free: number): void {
    const { exports, packed, lines } = this.#kernel
    const at = layout(free, [
      ['row', packed],
      ['values', 2 * packed],
      ['inverse', F32],
      ['scratch', 2 * packed],
      ['found', (lines - known.lines + 3) * FOUND_BYTES],
    ])
    this.#kernel.reserve(at.end)
    this.#kernel.writeRows(at.row, [asked])
    const sum = exports.unpackRow(at.row, packed, at.values)
    exports.inverseLengths(at.row, packed, 1, at.scratch, at.inverse)
    const { buffer } = exports.memory
    const [inverse = 0] = new Float32Array(buffer, at.inverse, 1)
    const { row, inverse: inverses } = this.#kernel.lineAt(known.lines)
    const count = lines - known.lines
    const found = exports.alike(
      row,
      packed,
      inverses,
      known.lines,
      count,
      at.values,
      inverse,
      sum,
      FLOOR,
      at.scratch,
      at.found,
    )
    const { pieces } = this.#kernel
    const linesFound = new Uint32Array(buffer, at.found, 2 * found)
    const cosines = new Float32Array(buffer, at.found, 2 * found)
    for (let one = 0; one < 2 * found; one += 2) {
      known.pieces.push(pieces[linesFound[one] ?? 0] ?? 0)
      known.cosines.push(cosines[one + 1] ?? 0)
    }
    known.lines = lines
    this.#kept += found
  }
}
