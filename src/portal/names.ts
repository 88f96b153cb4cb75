import { portions } from '../core/values/portions.ts'
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
 * Asks for the names of all ids of a page, as many at once as a request takes. Where that is refused the page shows ids: a name
 * is no reason to show nothing.
 */
export async function namesOf(ctx: PageContext, ids: readonly (string | null | undefined)[]): Promise<Naming> {
  const me = ctx.me.id
  const asked = [...new Set(ids)].filter((id) => typeof id === 'string' && id !== me && isNamed(id))
  const found = await Promise.all(
    portions(asked, MAX_NAMED_IDS).map((some) => attempt(ctx.api.search<{ names: Names }>('/v1/names', { ids: some }))),
  )
  return { me, names: Object.fromEntries(found.flatMap((one) => (one.ok ? Object.entries(one.value.names) : []))) }
}
