import { pageHeaders, type Grant } from '../../auth/index.ts'
import { iso } from '../../core/values/clock.ts'
import { invalid } from '../../core/errors.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { Key } from '../../identity/index.ts'
import type { PageContext } from '../page-context.ts'
import { page } from '../route.ts'

/** The newest of each kind hold all that can have come since a page was opened. */
const NEWEST = 100

/** What a page waits for. */
export interface Wait {
  since: string
  /** The key that the page created. Without it any key that the person creates counts. */
  keyId: string | null
}

/** The wait that an address names; null without one. 422 for an instant that is none. */
export function waitOf(url: URL): Wait | null {
  const text = url.searchParams.get('since')
  if (text === null) return null
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw invalid('since', 'invalid_format', 'since must be an instant.')
  return { since: iso(at), keyId: url.searchParams.get('key') }
}

export const waitQuery = ({ since, keyId }: Wait): string =>
  new URLSearchParams({ since, ...(keyId === null ? {} : { key: keyId }) }).toString()

/** The names of the agents that were allowed since then, and of the keys that agents have used since then. */
export async function connectedSince(ctx: PageContext, { since, keyId }: Wait): Promise<string[]> {
  const [grants, keys] = await Promise.all([
    ctx.api.get<Page<Grant>>('/v1/grants', { limit: NEWEST }),
    ctx.api.get<Page<Key>>('/v1/api-keys', { limit: NEWEST }),
  ])
  // A successor carries on what was connected before.
  const successors = new Set(keys.data.map(({ rotated_to }) => rotated_to))
  const isAwaited = ({ id, created_by, workspace_id }: Key): boolean =>
    keyId === null ? created_by === ctx.me.id && workspace_id === null && !successors.has(id) : id === keyId
  return [
    ...grants.data
      .filter(({ agent, created_at }) => agent && created_at >= since)
      .map(({ application }) => application.name),
    ...keys.data
      .filter((key) => key.created_at >= since && key.last_used_at !== null && isAwaited(key))
      .map(({ name }) => name),
  ]
}

/** Who has connected since the page was opened, as JSON for the script that waits for it. */
export const connectedRoute = page('/portal/agents/connected', async (ctx) => {
  const connected = await connectedSince(ctx, waitOf(ctx.url) ?? { since: iso(ctx.system.now()), keyId: null })
  return Response.json({ connected }, { headers: { ...pageHeaders(), 'Content-Type': 'application/json' } })
})
