/** The list cut into parts of at most `size` members, in order; none for an empty list. */
export const portions = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size))
