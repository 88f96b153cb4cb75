const PAGE_BYTES = 65_536

/** Grows the memory of a kernel to these bytes or more. It never shrinks. A view of it is of no use after it grew. */
export function growMemory(memory: WebAssembly.Memory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES))
}
