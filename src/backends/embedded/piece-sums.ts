import { EMBEDDED_DIMENSION as DIMENSION } from '../../core/embedder-settings.ts'
import kernelWasm from '../project-vectors/kernel/kernel.wasm'

type Kernel = {
  memory: WebAssembly.Memory
  /** `src/backends/project-vectors/kernel/piece-sums.ts`; `rows`, `scales` and `sums` are offsets in the memory. */
  addRows(rows: number, packed: number, scales: number, count: number, sums: number): void
}

/** A byte holds two dimensions of 4 bits each. */
export const ROW_BYTES = DIMENSION / 2
const ROW_WORDS = ROW_BYTES / Uint32Array.BYTES_PER_ELEMENT
const F64 = Float64Array.BYTES_PER_ELEMENT
/** Rows of one call, so that all fits into the 64 KiB of memory that the kernel begins with. */
const MAX_ROWS = 400
const SCALES_AT = DIMENSION * F64
const ROWS_AT = SCALES_AT + MAX_ROWS * F64

/** All calls share one instance: none needs anything of an earlier one. */
const kernel = new WebAssembly.Instance(kernelWasm).exports as Kernel
const sums = new Float64Array(kernel.memory.buffer, 0, DIMENSION)
const rowScales = new Float64Array(kernel.memory.buffer, SCALES_AT, MAX_ROWS)
const words = new Uint32Array(kernel.memory.buffer, ROWS_AT, MAX_ROWS * ROW_WORDS)

/** The sum of the vectors of pieces, by dimension. The next call overwrites it. */
export function sumOfPieces(rows: Uint8Array, scales: Float32Array, pieces: Uint16Array): Float64Array {
  const table = new Uint32Array(rows.buffer, rows.byteOffset, rows.length / Uint32Array.BYTES_PER_ELEMENT)
  sums.fill(0)
  let count = 0
  for (const piece of pieces) {
    const scale = scales[piece] ?? 0
    if (scale === 0) continue
    rowScales[count] = scale
    // To set a view of each row takes several times as long.
    for (let word = 0; word < ROW_WORDS; word++) words[count * ROW_WORDS + word] = table[piece * ROW_WORDS + word] ?? 0
    if (++count < MAX_ROWS) continue
    kernel.addRows(ROWS_AT, ROW_BYTES, SCALES_AT, count, 0)
    count = 0
  }
  kernel.addRows(ROWS_AT, ROW_BYTES, SCALES_AT, count, 0)
  return sums
}
