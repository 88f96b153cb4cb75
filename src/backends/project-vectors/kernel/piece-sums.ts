// AssemblyScript: `npm run wasm` compiles it to kernel.wasm, together with dot-products.ts and late-interaction.ts.

/** Bytes of a row that one step unpacks, to 16 values. Their sums stay in registers over all rows. */
const STEP: i32 = 8

/** `sums` and two values times their scale (f64). `pair`: the values as the lower two of four i32. */
function added(sums: v128, pair: v128, scale: v128): v128 {
  return f64x2.add(sums, f64x2.mul(f64x2.convert_low_i32x4_s(pair), scale))
}

/** The upper two of four i32 as the lower two. */
function upper(four: v128): v128 {
  return v128.shuffle<i64>(four, four, 1, 1)
}

/**
 * Adds `count` rows of 4-bit values, each stored plus 8, the first of a byte in its low half, times their scales (f64) to
 * `sums` (f64). The rows lie side by side, of `packed` bytes each, a multiple of 8.
 */
export function addRows(rows: usize, packed: i32, scales: usize, count: i32, sums: usize): void {
  for (let at = 0; at < packed; at += STEP) {
    let a = v128.load(sums)
    let b = v128.load(sums, 16)
    let c = v128.load(sums, 32)
    let d = v128.load(sums, 48)
    let e = v128.load(sums, 64)
    let f = v128.load(sums, 80)
    let g = v128.load(sums, 96)
    let h = v128.load(sums, 112)
    let row = rows + at
    for (let n = 0; n < count; n++) {
      const scale = f64x2.splat(load<f64>(scales + 8 * n))
      const both = v128.load_zero<u64>(row)
      const low = v128.and(both, i8x16.splat(15))
      const high = i8x16.shr_u(both, 4)
      const bytes = v128.shuffle<i8>(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
      const values = i8x16.sub(bytes, i8x16.splat(8))
      const first = i16x8.extend_low_i8x16_s(values)
      const second = i16x8.extend_high_i8x16_s(values)
      const ab = i32x4.extend_low_i16x8_s(first)
      const cd = i32x4.extend_high_i16x8_s(first)
      const ef = i32x4.extend_low_i16x8_s(second)
      const gh = i32x4.extend_high_i16x8_s(second)
      a = added(a, ab, scale)
      b = added(b, upper(ab), scale)
      c = added(c, cd, scale)
      d = added(d, upper(cd), scale)
      e = added(e, ef, scale)
      f = added(f, upper(ef), scale)
      g = added(g, gh, scale)
      h = added(h, upper(gh), scale)
      row += packed
    }
    v128.store(sums, a)
    v128.store(sums, b, 16)
    v128.store(sums, c, 32)
    v128.store(sums, d, 48)
    v128.store(sums, e, 64)
    v128.store(sums, f, 80)
    v128.store(sums, g, 96)
    v128.store(sums, h, 112)
    sums += 128
  }
}
