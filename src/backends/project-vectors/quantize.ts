/** A vector with one byte for each dimension. The cosine of two is off by about 0.005, which hardly changes the order. */
export interface Int8Vector {
  bytes: Int8Array
  /** `bytes` times `scale` is the vector. */
  scale: number
}

/** `bytes`: where the bytes go. */
export function quantize(values: Float32Array, bytes: Int8Array = new Int8Array(values.length)): Int8Vector {
  let largest = 0
  for (let at = 0; at < values.length; at++) largest = Math.max(largest, Math.abs(values[at] ?? 0))
  const scale = largest === 0 ? 1 : largest / 127
  // `Math.round` takes several times as long.
  for (let at = 0; at < values.length; at++) bytes[at] = Math.floor((values[at] ?? 0) / scale + 0.5)
  return { bytes, scale }
}

/** The vector of unit length that these bytes stand for. */
export function unitOf(bytes: Int8Array): Float32Array {
  const length = Math.hypot(...bytes) || 1
  return Float32Array.from(bytes, (byte) => byte / length)
}
