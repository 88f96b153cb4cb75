import { EMBEDDED_DIMENSION as DIMENSION } from './dimension.ts'
import { growMemory } from '../project-vectors/grow-memory.ts'
import kernelWasm from '../project-vectors/kernel/kernel.wasm'

type Kernel = {
  memory: WebAssembly.Memory
  /** `src/backends/project-vectors/kernel/piece-sums.ts`; all but `count` and `packed` are offsets in the memory. */
  addPieces(pieces: number, count: number, rows: number, packed: number, scales: number, sums: number): void
}

/** A byte holds two dimensions of 4 bits each. */
export const ROW_BYTES = DIMENSION / 2
/** Pieces of one call. */
const MAX_PIECES = 4_096
const PIECES_AT = DIMENSION * Float32Array.BYTES_PER_ELEMENT
const SCALES_AT = PIECES_AT + MAX_PIECES * Uint16Array.BYTES_PER_ELEMENT
/** Where the kernel has the sum of each dimension: of 32 those with an even number stand first. */
const PLACES = Uint8Array.from({ length: DIMENSION }, (_, at) => at - (at % 32) + ((at % 32) >> 1) + 16 * (at % 2))

/**
 * Sums of the vectors of pieces. The whole table lies in the memory of the kernel: to copy the rows of each text there takes
 * longer than to add them.
 */
export class PieceSums {
  readonly #kernel = new WebAssembly.Instance(kernelWasm).exports as Kernel
  readonly #rowsAt: number
  readonly #pieces: Uint16Array
  readonly #sums: Float32Array

  constructor(rows: Uint8Array, scales: Float32Array) {
    const { memory } = this.#kernel
    this.#rowsAt = SCALES_AT + scales.byteLength
    growMemory(memory, this.#rowsAt + rows.length)
    new Uint8Array(memory.buffer).set(rows, this.#rowsAt)
    new Float32Array(memory.buffer, SCALES_AT).set(scales)
    this.#pieces = new Uint16Array(memory.buffer, PIECES_AT, MAX_PIECES)
    this.#sums = new Float32Array(memory.buffer, 0, DIMENSION)
  }

  /** Writes the sum of the vectors of pieces, by dimension. */
  write(pieces: Uint16Array, to: Float32Array): void {
    this.#sums.fill(0)
    for (let at = 0; at < pieces.length; at += MAX_PIECES) {
      const some = pieces.subarray(at, at + MAX_PIECES)
      this.#pieces.set(some)
      this.#kernel.addPieces(PIECES_AT, some.length, this.#rowsAt, ROW_BYTES, SCALES_AT, 0)
    }
    for (let at = 0; at < DIMENSION; at++) to[at] = this.#sums[PLACES[at] ?? 0] ?? 0
  }
}
