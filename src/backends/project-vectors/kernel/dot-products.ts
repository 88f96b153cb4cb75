// AssemblyScript: `npm run wasm` compiles it to kernel.wasm, together with late-interaction.ts and piece-sums.ts.

/**
 * Exact dot products of `query` with each of the `count` vectors that lie side by side at `vectors`, all signed bytes.
 * It reads eight bytes at a time. Zeros pad the query to a multiple of eight: bytes past a vector's end add nothing.
 */
export function dotProducts(query: usize, vectors: usize, dimension: i32, count: i32, sums: usize): void {
  for (let n = 0; n < count; n++) {
    let sum = i32x4.splat(0)
    for (let at = 0; at < dimension; at += 8) {
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load_ext<i8>(query + at), v128.load_ext<i8>(vectors + at)))
    }
    store<i32>(
      sums,
      i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3),
    )
    vectors += dimension
    sums += 4
  }
}
