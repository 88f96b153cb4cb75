// AssemblyScript: `npm run wasm` compiles it to kernel.wasm, together with dot-products.ts and piece-sums.ts.

/** Bytes that one vector register holds. */
const STEP = 16
/** The offset that a stored value of 4 bits has, so that it is not negative. */
const OFFSET: i8 = 8
/** A product with the offset is a shift by this many bits. */
const OFFSET_BITS = 3

/** Adds its eight lanes. */
function sumOf(eight: v128): i32 {
  const four = i32x4.extadd_pairwise_i16x8_s(eight)
  return (
    i32x4.extract_lane(four, 0) +
    i32x4.extract_lane(four, 1) +
    i32x4.extract_lane(four, 2) +
    i32x4.extract_lane(four, 3)
  )
}

/**
 * Unpacks a row of 4-bit values, `packed` bytes, to a signed byte for each: of 16 packed bytes the 16 low halves, then the
 * 16 high halves. Answers the sum of the bytes.
 */
function unpack(row: usize, packed: i32, to: usize): i32 {
  let sums = i16x8.splat(0)
  for (let at = 0; at < packed; at += STEP) {
    const both = v128.load(row + at)
    const low = i8x16.sub(v128.and(both, i8x16.splat(15)), i8x16.splat(OFFSET))
    const high = i8x16.sub(i8x16.shr_u(both, 4), i8x16.splat(OFFSET))
    v128.store(to + 2 * at, low)
    v128.store(to + 2 * at + STEP, high)
    sums = i16x8.add(sums, i16x8.add(i16x8.extadd_pairwise_i8x16_s(low), i16x8.extadd_pairwise_i8x16_s(high)))
  }
  return sumOf(sums)
}

/** Writes 1 / length (f32) of each of `count` rows of a table; 0 for a row of zeros. `scratch` has room for an unpacked row. */
export function inverseLengths(table: usize, packed: i32, count: i32, scratch: usize, to: usize): void {
  for (let n = 0; n < count; n++) {
    unpack(table + n * packed, packed, scratch)
    let squares = i32x4.splat(0)
    for (let at = 0; at < 2 * packed; at += 8) {
      const eight = v128.load_ext<i8>(scratch + at)
      squares = i32x4.add(squares, i32x4.dot_i16x8_s(eight, eight))
    }
    const square =
      i32x4.extract_lane(squares, 0) +
      i32x4.extract_lane(squares, 1) +
      i32x4.extract_lane(squares, 2) +
      i32x4.extract_lane(squares, 3)
    store<f32>(to + 4 * n, square > 0 ? 1 / sqrt<f32>(f32(square)) : 0)
  }
}

/**
 * Gives each piece (u16) of a list that has no line yet the next one: `lineOf` (u16, by piece) counts lines from 1, and
 * `pieceOf` (u16, by line) tells the piece. Answers the number of lines. Pieces from `rows` on get none.
 */
export function addLines(pieces: usize, count: i32, rows: i32, lineOf: usize, pieceOf: usize, lines: i32): i32 {
  for (let at = pieces; at < pieces + 2 * count; at += 2) {
    const piece = i32(load<u16>(at))
    if (load<u16>(lineOf + 2 * piece) !== 0 || piece >= rows) continue
    store<u16>(pieceOf + 2 * lines, piece)
    store<u16>(lineOf + 2 * piece, ++lines)
  }
  return lines
}

/** Unpacks a row, and answers the sum of its values. */
export function unpackRow(row: usize, packed: i32, to: usize): i32 {
  return unpack(row, packed, to)
}

/** Four sums, of eight values each. */
function sumsOf(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = halves(i32x4.extadd_pairwise_i16x8_s(a), i32x4.extadd_pairwise_i16x8_s(b))
  const cd = halves(i32x4.extadd_pairwise_i16x8_s(c), i32x4.extadd_pairwise_i16x8_s(d))
  return i32x4.add(i32x4.shuffle(ab, cd, 0, 1, 4, 5), i32x4.shuffle(ab, cd, 2, 3, 6, 7))
}

/** The lanes 0 and 1, 2 and 3 of each, added: `a`, `b`, `a`, `b`. */
function halves(a: v128, b: v128): v128 {
  return i32x4.add(i32x4.shuffle(a, b, 0, 4, 2, 6), i32x4.shuffle(a, b, 1, 5, 3, 7))
}

/** Of 16 bytes of a row, the products of their low halves with `low` and of their high halves with `high`, added up. */
function products(row: usize, low: v128, high: v128): v128 {
  const both = v128.load(row)
  return i16x8.add(
    i16x8.relaxed_dot_i8x16_i7x16_s(low, v128.and(both, i8x16.splat(15))),
    i16x8.relaxed_dot_i8x16_i7x16_s(high, i8x16.shr_u(both, 4)),
  )
}

/**
 * Compares an unpacked row with each of `count` rows that lie side by side, from the line `first` on. Writes those of a
 * cosine of at least `floor`, eight bytes for each: the line (u32) and the cosine (f32). Answers how many. `inverses` (f32):
 * 1 / length of each row, `inverse` that of the unpacked one, and `sum` that of its values. It compares four rows at once:
 * behind the last one `inverses` has zeros. A sum of 16 bits holds 145 products of at most 225: up to 1,152 dimensions.
 */
export function alike(
  rows: usize,
  packed: i32,
  inverses: usize,
  first: i32,
  count: i32,
  asked: usize,
  inverse: f32,
  sum: i32,
  floor: f32,
  scratch: usize,
  to: usize,
): i32 {
  const least = f32x4.splat(floor)
  const length = f32x4.splat(inverse)
  const offset = i32x4.splat(sum << OFFSET_BITS)
  let found = 0
  for (let n = 0; n < count; n += 4) {
    let a = i16x8.splat(0)
    let b = i16x8.splat(0)
    let c = i16x8.splat(0)
    let d = i16x8.splat(0)
    const row = rows + n * packed
    for (let at = 0; at < packed; at += STEP) {
      const low = v128.load(asked + 2 * at)
      const high = v128.load(asked + 2 * at, STEP)
      a = i16x8.add(a, products(row + at, low, high))
      b = i16x8.add(b, products(row + packed + at, low, high))
      c = i16x8.add(c, products(row + 2 * packed + at, low, high))
      d = i16x8.add(d, products(row + 3 * packed + at, low, high))
    }
    const four = f32x4.convert_i32x4_s(i32x4.sub(sumsOf(a, b, c, d), offset))
    const cosine = f32x4.mul(f32x4.mul(four, v128.load(inverses + 4 * n)), length)
    let lanes = i32x4.bitmask(f32x4.ge(cosine, least))
    if (lanes === 0) continue
    v128.store(scratch, cosine)
    for (; lanes !== 0; lanes &= lanes - 1) {
      const lane = ctz(lanes)
      store<i32>(to, first + n + lane)
      store<f32>(to, load<f32>(scratch + 4 * lane), 4)
      to += 8
      found++
    }
  }
  return found
}

/**
 * Writes the f32 sum of each of `count` parts: over the `width` asked pieces, a multiple of four, weight × best cosine with
 * a piece of the part. The pieces (u16) of a part stand behind those of the part before; `ends` (u32) tells where each ends.
 * `placeOf` (u16, by piece): place of the piece's cosines among `cosines` (`width` f32 each), from 1; 0: it has none.
 */
export function weightedBest(
  pieces: usize,
  ends: usize,
  count: i32,
  placeOf: usize,
  cosines: usize,
  width: i32,
  weights: usize,
  scratch: usize,
  sums: usize,
): void {
  const before = cosines - 4 * width
  let piece = pieces
  for (let n = 0; n < count; n++) {
    const end = pieces + 2 * usize(load<u32>(ends + 4 * n))
    let line = scratch
    for (; piece < end; piece += 2) {
      const place = usize(load<u16>(placeOf + 2 * usize(load<u16>(piece))))
      if (place === 0) continue
      store<usize>(line, before + place * 4 * width)
      line += 4
    }
    let four = f32x4.splat(0)
    for (let at = 0; at < 4 * width; at += STEP) {
      let best = f32x4.splat(0)
      for (let one = scratch; one < line; one += 4) best = f32x4.pmax(best, v128.load(load<usize>(one) + at))
      four = f32x4.add(four, f32x4.mul(best, v128.load(weights + at)))
    }
    store<f32>(
      sums + 4 * n,
      f32x4.extract_lane(four, 0) +
        f32x4.extract_lane(four, 1) +
        f32x4.extract_lane(four, 2) +
        f32x4.extract_lane(four, 3),
    )
  }
}
