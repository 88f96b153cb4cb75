import { betweenCharacters } from '../../core/values/code-points.ts'
import type { MemoryItem } from '../../memory/index.ts'

/** Characters of a title, which is the first line of a text. */
const MAX_TITLE = 120

/** The first line that is not blank, cut to a title. */
export function titleOf({ content }: Pick<MemoryItem, 'content'>): string {
  const line = content.text.trim().split(/[\r\n]/, 1)[0] ?? ''
  return line.length <= MAX_TITLE ? line : `${line.slice(0, betweenCharacters(line, MAX_TITLE - 1))}…`
}

/** The page of an item in the portal. */
export const urlOf = ({ id }: Pick<MemoryItem, 'id'>, origin: string): string => `${origin}/portal/memory/${id}`
