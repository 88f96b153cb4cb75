import { z } from '@hono/zod-openapi'
import { and, eq, isNull } from 'drizzle-orm'
import { api_keys, oauth_clients, oauth_grants, sessions } from '../../auth/table.ts'
import type { AuthContext } from '../../core/context.ts'
import { columnsOf } from '../../core/database/columns.ts'
import { query, type Query } from '../../core/database/query.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { timestamp } from '../../core/http/fields.ts'
import { iso } from '../../core/values/clock.ts'
import { SAMPLE_IDS, SAMPLE_TIME } from '../../core/sample.ts'
import { scopesOf } from '../api-keys/key.ts'
import { ROLES, type projects, type workspace_members, type workspaces } from '../table.ts'
import { getMe } from './get-me.ts'
import { UserSchema, SAMPLE_USER } from './user.ts'

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
        items: z.string().meta({ description: 'The path that exports the items of the project.' }),
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

type MembershipRow = Pick<typeof workspaces.$inferSelect, 'id' | 'name'> &
  Pick<typeof workspace_members.$inferSelect, 'role' | 'created_at'>
type ProjectRow = Pick<typeof projects.$inferSelect, 'id' | 'name' | 'workspace_id' | 'created_at'>
type RowOf<Q> = Q extends Query<never, infer Row> ? Row : never

const keysOf = query((db, by: { user: string }) =>
  db
    .select(columnsOf(api_keys, 'id', 'name', 'scopes', 'created_at'))
    .from(api_keys)
    .where(and(eq(api_keys.user_id, by.user), isNull(api_keys.workspace_id))),
)
const sessionsOf = query((db, by: { user: string }) =>
  db
    .select(columnsOf(sessions, 'id', 'user_agent', 'created_at'))
    .from(sessions)
    .where(eq(sessions.user_id, by.user)),
)
const applicationsOf = query((db, by: { user: string }) =>
  db
    .select(columnsOf(oauth_clients, 'id', 'name', 'created_at'))
    .from(oauth_clients)
    .where(and(eq(oauth_clients.user_id, by.user), isNull(oauth_clients.deleted_at))),
)
const grantsOf = query((db, by: { user: string }) =>
  db
    .select(columnsOf(oauth_grants, 'id', 'client_name', 'scopes', 'created_at'))
    .from(oauth_grants)
    .where(eq(oauth_grants.user_id, by.user)),
)

/** All that the service stores about the caller as a person. Items are exported project by project. */
export async function exportMe(ctx: AuthContext): Promise<z.infer<typeof ExportSchema>> {
  const { db } = ctx
  const user = await getMe(ctx)
  const by = { user: user.id }
  const [memberships, ofWorkspaces, keys, logins, applications, grants] = await db.batch<
    [
      MembershipRow,
      ProjectRow,
      RowOf<typeof keysOf>,
      RowOf<typeof sessionsOf>,
      RowOf<typeof applicationsOf>,
      RowOf<typeof grantsOf>,
    ]
  >([
    db.statement(
      `select w.id, w.name, m.role, m.created_at from workspace_members m
       join workspaces w on w.id = m.workspace_id and w.deleted_at is null where m.user_id = :user`,
      by,
    ),
    db.statement(
      `select p.id, p.name, p.workspace_id, p.created_at from workspace_members m
       join workspaces w on w.id = m.workspace_id and w.deleted_at is null
       join projects p on p.workspace_id = m.workspace_id and p.deleted_at is null where m.user_id = :user`,
      by,
    ),
    db.statement(keysOf, by),
    db.statement(sessionsOf, by),
    db.statement(applicationsOf, by),
    db.statement(grantsOf, by),
  ])
  return {
    exported_at: iso(ctx.now()),
    user,
    workspaces: memberships.map(({ created_at, ...row }) => ({ ...row, joined_at: iso(created_at) })),
    projects: ofWorkspaces.map((row) => ({ ...dated(row), items: `/v1/memory/export?project_id=${row.id}` })),
    api_keys: keys.map((row) => ({ ...dated(row), scopes: scopesOf(row) })),
    sessions: logins.map(dated),
    applications: applications.map(({ id, ...row }) => ({ client_id: id, ...dated(row) })),
    grants: grants.map(({ client_name, ...row }) => ({
      ...dated(row),
      application: client_name,
      scopes: scopesOf(row),
    })),
  }
}

const dated = <T extends { created_at: number }>(row: T) => ({ ...row, created_at: iso(row.created_at) })

export const exportMeEndpoint = endpoint({
  method: 'get',
  path: '/v1/users/me/export',
  operationId: 'exportMe',
  tag: 'users',
  summary: 'Export your personal data',
  auth: 'session',
  scope: 'read:profile',
  limit: 'read',
  audit: 'users.export',
  reply: { 200: ExportSchema },
  errors: ['user_context_required'],
  example: {
    reply: {
      exported_at: SAMPLE_TIME,
      user: SAMPLE_USER,
      workspaces: [{ id: SAMPLE_IDS.personalWorkspace, name: 'Personal', role: 'owner', joined_at: SAMPLE_TIME }],
      projects: [
        {
          id: SAMPLE_IDS.defaultProject,
          name: 'Default',
          workspace_id: SAMPLE_IDS.personalWorkspace,
          created_at: SAMPLE_TIME,
          items: `/v1/memory/export?project_id=${SAMPLE_IDS.defaultProject}`,
        },
      ],
      api_keys: [
        { id: SAMPLE_IDS.key, name: 'Support bot', scopes: ['read:memory', 'write:memory'], created_at: SAMPLE_TIME },
      ],
      sessions: [
        {
          id: SAMPLE_IDS.otherSession,
          user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0',
          created_at: SAMPLE_TIME,
        },
      ],
      applications: [{ client_id: SAMPLE_IDS.app, name: 'Notes', created_at: SAMPLE_TIME }],
      grants: [{ id: SAMPLE_IDS.grant, application: 'Notes', scopes: ['read:memory'], created_at: SAMPLE_TIME }],
    },
  },
}).handle(({ ctx }) => exportMe(ctx))
