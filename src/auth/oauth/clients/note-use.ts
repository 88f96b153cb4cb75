import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { RequestContext } from '../../../core/context.ts'
import { query } from '../../../core/database/query.ts'
import { directoryDatabase } from '../../directory/accounts.ts'
import { oauth_clients } from '../../table.ts'
import { isOwned, type Client } from './client.ts'
import { DAY_MS } from '../../../core/values/durations.ts'

const markUsed = query((db, by: { id: string; day: number }) =>
  db
    .update(oauth_clients)
    .set({ last_used_at: by.day })
    .where(
      and(eq(oauth_clients.id, by.id), or(isNull(oauth_clients.last_used_at), lt(oauth_clients.last_used_at, by.day))),
    ),
)

/** Notes the day of a token request of an application without an owner, once a day. A sweep erases those that none uses. */
export async function noteUse(ctx: RequestContext, client: Client): Promise<void> {
  const day = Math.floor(ctx.now() / DAY_MS) * DAY_MS
  if (isOwned(client) || (client.lastUsedAt !== null && client.lastUsedAt >= day)) return
  await directoryDatabase(ctx).write(markUsed, { id: client.id, day })
}
