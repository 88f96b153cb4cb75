/**
 * Whether an item has the values that an update sent. Members that were not sent may have any value. Where the service
 * stores a value in another form, such as a date with an offset, the answer is no.
 */
export function holds(found: unknown, sent: unknown): boolean {
  if (Array.isArray(sent)) return sameList(found, sent)
  if (sent === null || typeof sent !== 'object') return (found ?? null) === (sent ?? null) || textOf(found) === sent
  return Object.entries(sent).every(([name, value]) => holds((found as Record<string, unknown> | null)?.[name], value))
}

/** `content` may be sent as its text. */
const textOf = (found: unknown): unknown => (found as { text?: unknown } | null | undefined)?.text

/** In any order: tags are a set. */
const sameList = (found: unknown, sent: unknown[]): boolean =>
  Array.isArray(found) &&
  found.length === sent.length &&
  sent.every((value) => found.some((each) => holds(each, value)))
