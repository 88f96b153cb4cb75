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
