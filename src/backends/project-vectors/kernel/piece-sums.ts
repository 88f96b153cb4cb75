// AssemblyScript: `npm run wasm` compiles it to kernel.wasm, together with dot-products.ts and late-interaction.ts.

/** Values that one step unpacks: of 8 bytes. */
const VALUES: i32 = 16

/** Adds two values times their scale to two sums (f64). `pair`: the values as the lower two of four i32. */
function addPair(sums: usize, pair: v128, scale: v128): void {
  v128.store(sums, f64x2.add(v128.load(sums), f64x2.mul(f64x2.convert_low_i32x4_s(pair), scale)))
}

/**
 * Adds `count` rows of 4-bit values, each stored plus 8, the first of a byte in its low half, times their scales (f64) to
 * `sums` (f64). The rows lie side by side, of `packed` bytes each, a multiple of 8.
 */
export function addRows(rows: usize, packed: i32, scales: usize, count: i32, sums: usize): void {
  for (let n = 0; n < count; n++) {
    const scale = f64x2.splat(load<f64>(scales + 8 * n))
    let to = sums
    for (let at = 0; at < packed; at += VALUES / 2) {
      const both = v128.load_zero<u64>(rows + at)
      const low = v128.and(both, i8x16.splat(15))
      const high = i8x16.shr_u(both, 4)
      const bytes = v128.shuffle<i8>(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
      const values = i8x16.sub(bytes, i8x16.splat(8))
      for (let half = 0; half < 2; half++) {
        const eight = half === 0 ? i16x8.extend_low_i8x16_s(values) : i16x8.extend_high_i8x16_s(values)
        const first = i32x4.extend_low_i16x8_s(eight)
        const second = i32x4.extend_high_i16x8_s(eight)
        addPair(to, first, scale)
        addPair(to + 16, v128.shuffle<i64>(first, first, 1, 1), scale)
        addPair(to + 32, second, scale)
        addPair(to + 48, v128.shuffle<i64>(second, second, 1, 1), scale)
        to += 64
      }
    }
    rows += packed
  }
}
