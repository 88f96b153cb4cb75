/** A vector in a byte a dimension: the cosine of two is off by about 0.005, the order of neighbours hardly. */
export interface Int8Vector {
  bytes: Int8Array
  /** Times `bytes`: the vector. */
  scale: number
}

export function quantize(values: Float32Array): Int8Vector {
  let largest = 0
  for (const value of values) largest = Math.max(largest, Math.abs(value))
  const scale = largest === 0 ? 1 : largest / 127
  const bytes = new Int8Array(values.length)
  for (let at = 0; at < values.length; at++) bytes[at] = Math.round((values[at] ?? 0) / scale)
  return { bytes, scale }
}

/** Integer dot product of `a` with the vector at `from` in `page`: the loop that a search spends its time in. */
export function dot(a: Int8Array, page: Int8Array, from: number): number {
  let sum = 0
  const length = a.length
  for (let at = 0; at < length; at++) sum = (sum + Math.imul(a[at] as number, page[from + at] as number)) | 0
  return sum
}
