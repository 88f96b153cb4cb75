import { tagsOf } from '../core/http/if-none-match.ts'
import type { MemoryItem } from './item.ts'
import { GONE } from './retirement/retired-fields.ts'

/**
 * The tag holds version, embedding status and what became of a successor (contract §3), so that a cached copy hides neither a
 * completed embedding nor an erasure.
 */
export const etagOf = (item: Pick<MemoryItem, 'version' | 'embedding_status' | 'superseded_by'>): string =>
  `"${[item.version, item.embedding_status, ...successorOf(item)].join('-')}"`

function successorOf({ superseded_by }: Pick<MemoryItem, 'superseded_by'>): string[] {
  if (superseded_by == null) return []
  return [superseded_by === GONE ? GONE : 'superseded']
}

/** The versions that `If-Match` names; null for any. Only versions count, since no client changes the embedding status. */
export function readIfMatch(header: string | null): ReadonlySet<number> | null {
  if (header === null || tagsOf(header).includes('*')) return null
  return new Set(
    tagsOf(header)
      .map((tag) => /^"(\d{1,15})(?:-[a-z]+)*"$/.exec(tag)?.[1])
      .filter((version) => version !== undefined)
      .map(Number),
  )
}
