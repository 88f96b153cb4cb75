import { z } from '@hono/zod-openapi'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { timestamp } from '../../core/http/fields.ts'
import { ROLES } from '../table.ts'
import { getMe } from './get-me.ts'
import { UserSchema } from './user.ts'

export const ExportSchema = z
  .object({
    exported_at: timestamp,
    user: UserSchema,
    workspaces: z.array(z.object({ id: z.string(), name: z.string(), role: z.enum(ROLES), joined_at: timestamp })),
    projects: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        workspace_id: z.string(),
        created_at: timestamp,
        items: z.string().meta({ description: 'The path that exports its items.' }),
      }),
    ),
    api_keys: z.array(
      z.object({ id: z.string(), name: z.string(), scopes: z.array(z.string()), created_at: timestamp }),
    ),
    sessions: z.array(z.object({ id: z.string(), user_agent: z.string(), created_at: timestamp })),
    applications: z.array(z.object({ client_id: z.string(), name: z.string(), created_at: timestamp })),
    grants: z.array(
      z.object({ id: z.string(), application: z.string(), scopes: z.array(z.string()), created_at: timestamp }),
    ),
  })
  .openapi('PersonalData')

interface Rows {
  workspaces: { id: string; name: string; role: (typeof ROLES)[number]; created_at: number }
  projects: { id: string; name: string; workspace_id: string; created_at: number }
  keys: { id: string; name: string; scopes: string; created_at: number }
  sessions: { id: string; user_agent: string; created_at: number }
  applications: { client_id: string; name: string; created_at: number }
  grants: { id: string; application: string; scopes: string; created_at: number }
}

/** All that the service knows of the caller as a person. Items are exported project by project. */
export async function exportMe(ctx: AuthContext): Promise<z.infer<typeof ExportSchema>> {
  const user = await getMe(ctx)
  const mine = (sql: string) => ctx.db.statement(sql, user.id)
  const [workspaces, projects, keys, sessions, applications, grants] = await ctx.db.batch<
    [Rows['workspaces'], Rows['projects'], Rows['keys'], Rows['sessions'], Rows['applications'], Rows['grants']]
  >([
    mine(`select w.id, w.name, m.role, m.created_at from workspace_members m
          join workspaces w on w.id = m.workspace_id and w.deleted_at is null where m.user_id = ?`),
    mine(`select p.id, p.name, p.workspace_id, p.created_at from workspace_members m
          join workspaces w on w.id = m.workspace_id and w.deleted_at is null
          join projects p on p.workspace_id = m.workspace_id and p.deleted_at is null where m.user_id = ?`),
    mine('select id, name, scopes, created_at from api_keys where user_id = ? and workspace_id is null'),
    mine('select id, user_agent, created_at from sessions where user_id = ?'),
    mine('select id as client_id, name, created_at from oauth_clients where user_id = ? and deleted_at is null'),
    mine('select id, client_name as application, scopes, created_at from oauth_grants where user_id = ?'),
  ])
  const dated = <T extends { created_at: number }>(row: T) => ({ ...row, created_at: iso(row.created_at) })
  const scoped = <T extends { scopes: string; created_at: number }>(row: T) => ({
    ...dated(row),
    scopes: JSON.parse(row.scopes) as string[],
  })
  return {
    exported_at: iso(ctx.now()),
    user,
    workspaces: workspaces.map(({ created_at, ...row }) => ({ ...row, joined_at: iso(created_at) })),
    projects: projects.map((row) => ({ ...dated(row), items: `/v1/memory/export?project_id=${row.id}` })),
    api_keys: keys.map(scoped),
    sessions: sessions.map(dated),
    applications: applications.map(dated),
    grants: grants.map(scoped),
  }
}

export const exportMeEndpoint = endpoint({
  method: 'get',
  path: '/v1/users/me/export',
  tag: 'users',
  summary: 'Export your personal data',
  auth: 'session',
  scope: 'read:profile',
  limit: 'read',
  audit: 'users.export',
  reply: { 200: ExportSchema },
  errors: ['user_context_required'],
}).handle(({ ctx }) => exportMe(ctx))
