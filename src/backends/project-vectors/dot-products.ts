import { growMemory } from './grow-memory.ts'
import kernelWasm from './kernel/kernel.wasm'

type Kernel = {
  memory: WebAssembly.Memory
  /** `src/backends/project-vectors/kernel/dot-products.ts`; `query`, `vectors` and `sums` are offsets in the memory. */
  dotProducts(query: number, vectors: number, dimension: number, count: number, sums: number): void
}

/** The kernel reads this much at once: the query is padded to a multiple of it, and a read may pass the last vector. */
const STEP_BYTES = 8

/** All objects of the isolate share one instance, because a call needs nothing of an earlier one. */
const kernel = new WebAssembly.Instance(kernelWasm).exports as Kernel

/** Exact dot products of a query with vectors of its length that lie side by side. The next call overwrites the result. */
export function dotProducts(query: Int8Array, vectors: Int8Array): Int32Array {
  const dimension = query.length
  const count = vectors.length / dimension
  const queryAt = count * Int32Array.BYTES_PER_ELEMENT
  const vectorsAt = queryAt + Math.ceil(dimension / STEP_BYTES) * STEP_BYTES
  growMemory(kernel.memory, vectorsAt + vectors.length + STEP_BYTES)
  const bytes = new Int8Array(kernel.memory.buffer)
  bytes.set(query, queryAt)
  bytes.fill(0, queryAt + dimension, vectorsAt)
  bytes.set(vectors, vectorsAt)
  kernel.dotProducts(queryAt, vectorsAt, dimension, count, 0)
  return new Int32Array(kernel.memory.buffer, 0, count)
}
