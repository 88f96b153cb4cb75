/** Of one JSON parameter: D1 binds at most 2 MB, and a character takes at most three bytes. */
const MAX_PARAMETER_CHARACTERS = 500_000

/** The rows as JSON arrays that D1 can bind; none for no rows. */
export function slices(rows: readonly unknown[]): string[] {
  const all: string[] = []
  let members: string[] = []
  let size = 0
  const close = (): void => {
    if (members.length > 0) all.push(`[${members.join(',')}]`)
    members = []
    size = 0
  }
  for (const row of rows) {
    const json = JSON.stringify(row)
    if (size + json.length > MAX_PARAMETER_CHARACTERS) close()
    members.push(json)
    size += json.length
  }
  close()
  return all
}
