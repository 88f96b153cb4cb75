import { encodeCursor, type Page } from '../../../core/http/cursor.ts'
import type { MemoryItem, Version } from '../../../memory/index.ts'
import type { PageContext } from '../../page-context.ts'

/** Earlier texts of one page. */
const SHOWN_VERSIONS = 10

/** The cursor of the earlier texts from this version on. */
export const cursorFrom = (version: number): string => encodeCursor([version + 1])

export interface Versions {
  /** Newest first. */
  shown: readonly Version[]
  /** The text that the last one replaced; null where it is not kept. */
  beyond: Version | null
  next: string | null
}

/** The earlier texts that the address asks for, and one more to compare the last one with. */
export async function readVersions(ctx: PageContext, path: string): Promise<Versions> {
  const cursor = ctx.url.searchParams.get('cursor') ?? ''
  const { data, has_more } = await ctx.api.get<Page<Version>>(`${path}/versions`, { limit: SHOWN_VERSIONS + 1, cursor })
  // Long texts fill an answer before it has as many as were asked for.
  const ends = data.length <= SHOWN_VERSIONS && !has_more
  const shown = ends ? data : data.slice(0, Math.max(1, Math.min(SHOWN_VERSIONS, data.length - 1)))
  const last = shown.at(-1)
  return { shown, beyond: data[shown.length] ?? null, next: ends || !last ? null : encodeCursor([last.version]) }
}

/** One earlier text of an item; null where it is not kept. */
export async function findVersion(ctx: PageContext, path: string, version: number): Promise<Version | null> {
  if (!Number.isSafeInteger(version)) return null
  const query = { limit: 1, cursor: cursorFrom(version) }
  const [found] = (await ctx.api.get<Page<Version>>(`${path}/versions`, query)).data
  return found?.version === version ? found : null
}

/** When the current text came; null where it is not known. Each change raises the version by one. */
export const lastTextAt = ({ version, updated_at }: MemoryItem, { shown: [newest] }: Versions): string | null =>
  newest && version === newest.version + 1 ? updated_at : null
