import { tagsOf } from '../core/http/if-none-match.ts'
import type { MemoryItem } from './item.ts'

/** The tag holds version and embedding status (contract §3), so that a cached copy never hides a completed embedding. */
export const etagOf = (item: Pick<MemoryItem, 'version' | 'embedding_status'>): string =>
  `"${item.version}-${item.embedding_status}"`

/** The versions that `If-Match` names; null for any. Only versions count, since no client changes the embedding status. */
export function readIfMatch(header: string | null): ReadonlySet<number> | null {
  if (header === null || tagsOf(header).includes('*')) return null
  return new Set(
    tagsOf(header)
      .map((tag) => /^"(\d{1,15})(?:-[a-z]+)?"$/.exec(tag)?.[1])
      .filter((version) => version !== undefined)
      .map(Number),
  )
}
