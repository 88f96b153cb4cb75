import { invalid } from '../core/errors.ts'
import { tagsOf } from '../core/http/if-none-match.ts'
import type { MemoryItem, StoreInput } from './item.ts'
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

/** Whether a store asks with `If-None-Match: *` that no item has its `custom_id`. 422 for a tag, and without a `custom_id`. */
export function readIfAbsent(header: string | null, { custom_id }: Pick<StoreInput, 'custom_id'>): boolean {
  if (header === null) return false
  if (header.trim() !== '*') throw invalid('If-None-Match', 'invalid_header', 'If-None-Match of a store can only be *.')
  if (custom_id == null) throw invalid('custom_id', 'required', 'If-None-Match needs a custom_id.')
  return true
}
