import { z } from '@hono/zod-openapi'
import { iso } from '../../core/values/clock.ts'
import { SCOPES, type AuthContext, type Scope } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { idOf, timestamp } from '../../core/http/fields.ts'
import { boundProject, boundTo } from '../oauth/resources.ts'
import type { oauth_grants } from '../table.ts'
import { SAMPLE_IDS, SAMPLE_TIME } from '../../core/sample.ts'

/** `app_…`, or the address of the application's metadata document. */
const clientId = z.string().meta({ examples: ['app_01K8E3Z4T7Q9V6N2M5B8C1D0FG', 'https://agent.example/client.json'] })

export const GrantSchema = z
  .object({
    id: idOf('grt'),
    application: z.object({ client_id: clientId, name: z.string() }),
    scopes: z.array(z.enum(SCOPES)),
    agent: z.boolean().meta({
      description:
        'Whether the application registered itself, is a metadata document, or has tokens that work only at `/mcp`.',
    }),
    project_id: idOf('prj').nullable().meta({
      description: 'The only project that its tokens reach, at `/mcp/{project_id}`; null if they are not bound to one.',
    }),
    created_at: timestamp,
    last_used_at: timestamp,
  })
  .openapi('Grant')
export type Grant = z.infer<typeof GrantSchema>

export const SAMPLE_GRANT: Grant = {
  id: SAMPLE_IDS.grant,
  application: { client_id: SAMPLE_IDS.app, name: 'Notes' },
  scopes: ['read:memory'],
  agent: false,
  project_id: null,
  created_at: SAMPLE_TIME,
  last_used_at: SAMPLE_TIME,
}

/** A grant is first used when it is activated, so that a live one has a last use. */
export interface GrantRow extends Pick<
  typeof oauth_grants.$inferSelect,
  'id' | 'client_id' | 'client_name' | 'scopes' | 'resource' | 'created_at'
> {
  last_used_at: number
  /** The application has no owner: 1 or 0. */
  unowned: number
}

export const toGrant = (row: GrantRow): Grant => ({
  id: row.id,
  application: { client_id: row.client_id, name: row.client_name },
  scopes: JSON.parse(row.scopes) as Scope[],
  agent: row.unowned === 1 || boundTo(row.resource) !== null,
  project_id: boundProject(row.resource),
  created_at: iso(row.created_at),
  last_used_at: iso(row.last_used_at),
})

/** The live grants of `:caller` in `:tenant`: activated, not revoked, and with a token that is live `:now`. */
export const LIVE_GRANTS = `
  select g.id, g.client_id, g.client_name, g.scopes, g.resource, g.created_at, g.last_used_at,
    exists (select 1 from oauth_clients c where c.id = g.client_id and c.user_id is null) as unowned
  from oauth_grants g
  where g.user_id = :caller and g.tenant_id = :tenant and g.revoked_at is null and g.activated_at is not null
    and exists (select 1 from oauth_tokens t where t.grant_id = g.id and t.revoked_at is null and t.spent_at is null
                and t.expires_at > :now)`

/** A live grant of the caller's; 404 for every other id. */
export async function ownGrant(ctx: AuthContext, id: string): Promise<GrantRow> {
  const { userId: caller, tenantId: tenant } = ctx.principal
  const row = await ctx.db.first<GrantRow>(`${LIVE_GRANTS} and g.id = :id`, { caller, tenant, now: ctx.now(), id })
  if (!row) throw notFound('grant', id)
  return row
}
