import dotsWasm from './kernel/dots.wasm'

type Kernel = {
  memory: WebAssembly.Memory
  /** `src/backends/project-vectors/kernel/dots.ts`; places in the memory. */
  dots(query: number, vectors: number, dimension: number, count: number, sums: number): void
}

/** What the kernel reads at once: it wants the query padded to a multiple of it, and may read so far past the last vector. */
const STEP_BYTES = 8
const WASM_PAGE_BYTES = 65_536

/** One serves the isolate, as no call leaves anything behind that another needs. */
const kernel = new WebAssembly.Instance(dotsWasm).exports as Kernel

/** Dot products of a query with the vectors of its length that stand side by side, exact. Good until the next call. */
export function dots(query: Int8Array, vectors: Int8Array): Int32Array {
  const dimension = query.length
  const count = vectors.length / dimension
  const queryAt = count * Int32Array.BYTES_PER_ELEMENT
  const vectorsAt = queryAt + Math.ceil(dimension / STEP_BYTES) * STEP_BYTES
  reserve(vectorsAt + vectors.length + STEP_BYTES)
  const bytes = new Int8Array(kernel.memory.buffer)
  bytes.set(query, queryAt)
  bytes.fill(0, queryAt + dimension, vectorsAt)
  bytes.set(vectors, vectorsAt)
  kernel.dots(queryAt, vectorsAt, dimension, count, 0)
  return new Int32Array(kernel.memory.buffer, 0, count)
}

/** The memory grows to what a page of the largest dimension needs. */
function reserve(bytes: number): void {
  const missing = bytes - kernel.memory.buffer.byteLength
  if (missing > 0) kernel.memory.grow(Math.ceil(missing / WASM_PAGE_BYTES))
}
