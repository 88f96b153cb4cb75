// AssemblyScript: `npm run wasm` compiles it to kernel.wasm, together with dot-products.ts and late-interaction.ts.

/** Bytes of a row that one step unpacks, to 32 values. Their sums stay in registers over all rows. */
const STEP: i32 = 16

/** `sums` and four values (i16x8, the lower or the upper four) times their scale. */
function addedLow(sums: v128, eight: v128, scale: v128): v128 {
  return f32x4.add(sums, f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(eight)), scale))
}

function addedHigh(sums: v128, eight: v128, scale: v128): v128 {
  return f32x4.add(sums, f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(eight)), scale))
}

/**
 * Adds the rows of `count` pieces (u16), times their scales (f32), to `sums` (f32). A row has `packed` bytes, a multiple of
 * 16, with two 4-bit values each, stored plus 8. The sums stand as bytes are unpacked: of 16 bytes the 16 low halves, then
 * the 16 high halves.
 */
export function addPieces(pieces: usize, count: i32, rows: usize, packed: i32, scales: usize, sums: usize): void {
  for (let at = 0; at < packed; at += STEP) {
    let a = v128.load(sums)
    let b = v128.load(sums, 16)
    let c = v128.load(sums, 32)
    let d = v128.load(sums, 48)
    let e = v128.load(sums, 64)
    let f = v128.load(sums, 80)
    let g = v128.load(sums, 96)
    let h = v128.load(sums, 112)
    for (let n = 0; n < count; n++) {
      const piece: usize = load<u16>(pieces + 2 * n)
      const scale = v128.load_splat<f32>(scales + 4 * piece)
      const both = v128.load(rows + piece * packed + at)
      const low = i8x16.sub(v128.and(both, i8x16.splat(15)), i8x16.splat(8))
      const high = i8x16.sub(i8x16.shr_u(both, 4), i8x16.splat(8))
      const ab = i16x8.extend_low_i8x16_s(low)
      const cd = i16x8.extend_high_i8x16_s(low)
      const ef = i16x8.extend_low_i8x16_s(high)
      const gh = i16x8.extend_high_i8x16_s(high)
      a = addedLow(a, ab, scale)
      b = addedHigh(b, ab, scale)
      c = addedLow(c, cd, scale)
      d = addedHigh(d, cd, scale)
      e = addedLow(e, ef, scale)
      f = addedHigh(f, ef, scale)
      g = addedLow(g, gh, scale)
      h = addedHigh(h, gh, scale)
    }
    v128.store(sums, a)
    v128.store(sums, b, 16)
    v128.store(sums, c, 32)
    v128.store(sums, d, 48)
    v128.store(sums, e, 64)
    v128.store(sums, f, 80)
    v128.store(sums, g, 96)
    v128.store(sums, h, 112)
    sums += 8 * STEP
  }
}
