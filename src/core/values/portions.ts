/** The list cut into parts of at most `size` members, in order; none for an empty list. */
export const portions = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size))

/** The list cut into parts in order, each with members of `size` together at most, or with one that is larger. */
export function portionsBySize<T>(list: readonly T[], size: number, sizeOf: (one: T) => number): T[][] {
  const all: T[][] = []
  let filled = Infinity
  for (const one of list) {
    const own = sizeOf(one)
    filled += own
    if (filled > size) {
      all.push([])
      filled = own
    }
    all.at(-1)?.push(one)
  }
  return all
}
