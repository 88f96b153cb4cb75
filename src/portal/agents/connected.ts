import { pageHeaders, type Grant } from '../../auth/index.ts'
import { iso } from '../../core/values/clock.ts'
import { invalid } from '../../core/errors.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { Key } from '../../identity/index.ts'
import type { PageContext } from '../page-context.ts'
import { page } from '../route.ts'

/** The newest of each kind hold all that can have come since a page was opened. */
const NEWEST = 20

/** The instant that a page waits from; null without one. 422 for a text that is none. */
export function sinceOf(url: URL): string | null {
  const text = url.searchParams.get('since')
  if (text === null) return null
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw invalid('since', 'invalid_format', 'since must be an instant.')
  return iso(at)
}

/** The names of the agents that were allowed since then, and of the keys that were created and used since then. */
export async function connectedSince(ctx: PageContext, since: string): Promise<string[]> {
  const [grants, keys] = await Promise.all([
    ctx.api.get<Page<Grant>>('/v1/grants', { limit: NEWEST }),
    ctx.api.get<Page<Key>>('/v1/api-keys', { limit: NEWEST }),
  ])
  return [
    ...grants.data
      .filter(({ agent, created_at }) => agent && created_at >= since)
      .map(({ application }) => application.name),
    ...keys.data
      .filter(({ created_at, last_used_at }) => created_at >= since && last_used_at !== null)
      .map(({ name }) => name),
  ]
}

/** Who has connected since the page was opened, as JSON for the script that waits for it. */
export const connectedRoute = page('/portal/agents/connected', async (ctx) => {
  const since = sinceOf(ctx.url) ?? iso(ctx.system.now())
  const connected = await connectedSince(ctx, since)
  return Response.json({ connected }, { headers: { ...pageHeaders(), 'Content-Type': 'application/json' } })
})
