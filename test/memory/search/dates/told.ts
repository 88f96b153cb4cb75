import { interpret, toInterpreted } from '../../../../src/memory/search/dates/interpret.ts'

/** A Wednesday. */
const NOW = Date.parse('2026-11-25T12:00:00Z')

/** The phrase, its first day and the day behind it; with a `*` it is of every year. */
export function told(query: string): string | null {
  const found = interpret(query, NOW)
  if (!found) return null
  const { text, after, before, every_year } = toInterpreted(found)
  return `${text}: ${after.slice(0, 10)} ${before.slice(0, 10)}${every_year ? ' *' : ''}`
}
