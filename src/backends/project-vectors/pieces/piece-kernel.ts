import { growMemory } from '../grow-memory.ts'
import kernelWasm from '../kernel/kernel.wasm'
import type { PieceTable } from './asked-pieces.ts'

/** `src/backends/project-vectors/kernel/late-interaction.ts`. */
type Exports = {
  memory: WebAssembly.Memory
  inverseLengths(rows: number, packed: number, count: number, scratch: number, to: number): void
  addLines(pieces: number, count: number, rows: number, lineOf: number, pieceOf: number, lines: number): number
  unpackRow(row: number, packed: number, to: number): number
  alike(
    rows: number,
    packed: number,
    inverses: number,
    first: number,
    count: number,
    asked: number,
    inverse: number,
    sum: number,
    floor: number,
    scratch: number,
    to: number,
  ): number
  weightedBest(
    pieces: number,
    ends: number,
    count: number,
    placeOf: number,
    cosines: number,
    width: number,
    weights: number,
    scratch: number,
    sums: number,
  ): void
}

/** A piece is a number of 16 bits. */
const MAX_PIECES = 65_536
const F32 = Float32Array.BYTES_PER_ELEMENT
const U16 = Uint16Array.BYTES_PER_ELEMENT

/**
 * The rows of the pieces that parts have had, in the memory of a WebAssembly instance, which all objects of the isolate
 * share. They lie side by side in the order in which the pieces came, a line for each.
 */
export class PieceKernel {
  readonly exports = new WebAssembly.Instance(kernelWasm).exports as Exports
  /** Bytes of a row. */
  readonly packed: number
  /** Offsets of the places of cosines, by piece (u16, zeros between two calls), and of an unpacked row with four cosines. */
  readonly placeOf = 0
  readonly unpacked: number
  /** The memory from here on belongs to the call. */
  readonly free: number
  readonly #table: PieceTable
  readonly #lineOf = MAX_PIECES * U16
  readonly #pieceOf: number
  readonly #inverses: number
  readonly #rows: number
  #lines = 0

  constructor(table: PieceTable) {
    const count = table.scales.length
    this.#table = table
    this.packed = table.rows.length / count
    this.#pieceOf = this.#lineOf + MAX_PIECES * U16
    this.#inverses = aligned(this.#pieceOf + count * U16)
    // The kernel compares four rows at once: three zeros stand behind the last one.
    this.#rows = aligned(this.#inverses + (count + 3) * F32)
    this.unpacked = aligned(this.#rows + table.rows.length)
    this.free = this.unpacked + 2 * this.packed + 4 * F32
    this.reserve(this.free)
  }

  /** Lines so far. */
  get lines(): number {
    return this.#lines
  }

  /** Offset of the row of a line, and of its 1 / length (f32). */
  lineAt(line: number): { row: number; inverse: number } {
    return { row: this.#rows + line * this.packed, inverse: this.#inverses + line * F32 }
  }

  /** The piece of each line. Valid until the memory grows. */
  get pieces(): Uint16Array {
    return new Uint16Array(this.exports.memory.buffer, this.#pieceOf, this.#lines)
  }

  /** Adds a line for each of the `count` pieces at this offset that has none. */
  addLines(pieces: number, count: number): void {
    const { scales } = this.#table
    const first = this.#lines
    const lines = this.exports.addLines(pieces, count, scales.length, this.#lineOf, this.#pieceOf, first)
    if (lines === first) return
    const { buffer } = this.exports.memory
    const added = new Uint16Array(buffer, this.#pieceOf + first * U16, lines - first)
    const at = this.lineAt(first)
    this.writeRows(at.row, added)
    this.exports.inverseLengths(at.row, this.packed, added.length, this.unpacked, at.inverse)
    // The kernel knows no scales: a vector is zero where its scale is.
    const inverses = new Float32Array(buffer, at.inverse, added.length)
    added.forEach((piece, nth) => {
      if (scales[piece] === 0) inverses[nth] = 0
    })
    this.#lines = lines
  }

  /** Writes the rows of these pieces at an offset, one behind the other. */
  writeRows(to: number, pieces: Iterable<number>): void {
    const bytes = new Uint8Array(this.exports.memory.buffer)
    let at = to
    for (const piece of pieces) {
      bytes.set(this.#table.rows.subarray(piece * this.packed, (piece + 1) * this.packed), at)
      at += this.packed
    }
  }

  /** The memory never shrinks. A view of it is of no use after this. */
  reserve(bytes: number): void {
    growMemory(this.exports.memory, bytes)
  }
}

/** Offsets of regions of these bytes from `free` on, one behind the other, each a multiple of 16. `end` lies behind them. */
export function layout<Name extends string>(
  free: number,
  regions: readonly [Name, number][],
): Record<Name | 'end', number> {
  const at: Partial<Record<Name | 'end', number>> = {}
  let end = aligned(free)
  for (const [name, bytes] of regions) {
    at[name] = end
    end = aligned(end + bytes)
  }
  at.end = end
  return at as Record<Name | 'end', number>
}

/** The next multiple of 16 bytes. */
const aligned = (bytes: number): number => Math.ceil(bytes / 16) * 16
