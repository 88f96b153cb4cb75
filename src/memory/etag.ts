import type { MemoryItem } from './item.ts'

/** Covers version and embedding status (contract §3), so that a cached copy never hides a completed embedding. */
export const etagOf = (item: Pick<MemoryItem, 'version' | 'embedding_status'>): string =>
  `"${item.version}-${item.embedding_status}"`

const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim())

/** RFC 9110 §13.1.2: weak comparison, a list, or `*`. */
export const matchesNone = (header: string | null, etag: string): boolean =>
  header === null || !tagsOf(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)

/** Versions that `If-Match` asks for; null: any. The embedding's status is no client's change, so only versions count. */
export function readIfMatch(header: string | null): ReadonlySet<number> | null {
  if (header === null || tagsOf(header).includes('*')) return null
  return new Set(
    tagsOf(header)
      .map((tag) => /^"(\d{1,15})(?:-[a-z]+)?"$/.exec(tag)?.[1])
      .filter((version) => version !== undefined)
      .map(Number),
  )
}
