/** Which tools an address lists: the usual ones, or the two that some clients demand. */
export type Toolset = 'all' | 'search'

/** The tools that the values of `?tools=` ask for; null: there are none. */
export function toolsetOf(values: readonly string[]): Toolset | null {
  if (values.length === 0) return 'all'
  return values.length === 1 && values[0] === 'search' ? 'search' : null
}
