import type { Names } from '../identity/index.ts'
import { attempt } from './form.ts'
import type { PageContext } from './page-context.ts'

/** What the ids of a page are called, and who reads it. */
export interface Naming {
  me: string
  names: Names
}

/** The most ids of one request. */
const MAX_NAMED_IDS = 100

/** Ids that can have a name (contract §4). */
const isNamed = (id: string): boolean => /^(?:(?:usr|key|app|prj|wsp)_|https?:)/.test(id)

/**
 * Asks once for the names of all ids of a page. Where that is refused the page shows ids: a name is no reason to show nothing.
 */
export async function namesOf(ctx: PageContext, ids: readonly (string | null | undefined)[]): Promise<Naming> {
  const me = ctx.me.id
  const asked = [...new Set(ids)]
    .filter((id) => typeof id === 'string' && id !== me && isNamed(id))
    .slice(0, MAX_NAMED_IDS)
  if (asked.length === 0) return { me, names: {} }
  const found = await attempt(ctx.api.search<{ names: Names }>('/v1/names', { ids: asked }))
  return { me, names: found.ok ? found.value.names : {} }
}
