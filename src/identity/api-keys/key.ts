import { z } from '@hono/zod-openapi'
import { eq } from 'drizzle-orm'
import { credentialNotRevoked } from '../../auth/index.ts'
import { api_keys, users } from '../../auth/table.ts'
import { iso } from '../../core/values/clock.ts'
import { SCOPES, type AuthContext, type KeyPermission, type Scope } from '../../core/context.ts'
import { columnsOf, selectList } from '../../core/database/columns.ts'
import { query } from '../../core/database/query.ts'
import { and, sql, type Sql } from '../../core/database/sql.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { anyId, idOf, text, timestamp } from '../../core/http/fields.ts'
import { Namespace } from '../../core/namespace.ts'
import { rolesSql } from '../access.ts'
import { REVOKED_KEPT_MS, type IncludeRevoked } from './revoked.ts'
import { SAMPLE_IDS, SAMPLE_TIME } from '../../core/sample.ts'

export const PermissionSchema = z
  .strictObject({
    project_id: anyId,
    access: z.enum(['read', 'write']),
    namespaces: z.array(Namespace).min(1).max(50).optional(),
  })
  .openapi('KeyPermission')

export const keyFields = {
  name: text(1, 120),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope))),
  permissions: z.array(PermissionSchema).min(1).max(100),
}

export const KeySchema = z
  .object({
    id: idOf('key'),
    name: z.string(),
    /** With the last four characters it identifies a key to a person. */
    prefix: z.enum(['rck_live_', 'rck_test_']),
    last_four: z.string(),
    environment: z.enum(['live', 'test']),
    owner: z.enum(['user', 'workspace']),
    workspace_id: idOf('wsp').nullable(),
    scopes: z.array(z.enum(SCOPES)),
    permissions: z.array(PermissionSchema).nullable(),
    status: z.enum(['active', 'rotating', 'expired', 'revoked']),
    created_at: timestamp,
    created_by: z.string(),
    expires_at: timestamp.nullable(),
    revoked_at: timestamp
      .nullable()
      .meta({ description: 'When the key was revoked, or when its rotation will end it.' }),
    last_used_at: timestamp.nullable(),
    rotated_to: idOf('key').nullable(),
  })
  .openapi('ApiKey')
export type Key = z.infer<typeof KeySchema>

export const SAMPLE_KEY: Key = {
  id: SAMPLE_IDS.key,
  name: 'Support bot',
  prefix: 'rck_live_',
  last_four: 'x7qd',
  environment: 'live',
  owner: 'user',
  workspace_id: null,
  scopes: ['read:memory', 'write:memory'],
  permissions: null,
  status: 'active',
  created_at: SAMPLE_TIME,
  created_by: SAMPLE_IDS.ada,
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  rotated_to: null,
}

export const NewKeySchema = KeySchema.extend({
  key: z
    .string()
    .nullable()
    .meta({ description: 'The secret, shown in this response only.', examples: ['rck_live_…'] }),
}).openapi('ApiKeyWithSecret')
export type KeyWithSecret = z.infer<typeof NewKeySchema>

export const KEY_COLUMNS = columnsOf(
  api_keys,
  'id',
  'user_id',
  'workspace_id',
  'created_by',
  'name',
  'environment',
  'last_four',
  'scopes',
  'permissions',
  'expires_at',
  'revoked_at',
  'last_used_at',
  'rotated_to',
  'created_at',
)
export type KeyRow = Pick<typeof api_keys.$inferSelect, keyof typeof KEY_COLUMNS>

export const keyById = query((db, by: { id: string }) =>
  db.select(KEY_COLUMNS).from(api_keys).where(eq(api_keys.id, by.id)),
)

export const scopesOf = (row: Pick<KeyRow, 'scopes'>): Scope[] => JSON.parse(row.scopes)

export const permissionsOf = (row: Pick<KeyRow, 'permissions'>): KeyPermission[] | null =>
  row.permissions === null ? null : JSON.parse(row.permissions)

export const toKey = (row: KeyRow, now: number): Key => ({
  id: row.id,
  name: row.name,
  prefix: `rck_${row.environment}_`,
  last_four: row.last_four,
  environment: row.environment,
  owner: row.workspace_id === null ? 'user' : 'workspace',
  workspace_id: row.workspace_id,
  scopes: scopesOf(row),
  permissions: permissionsOf(row),
  status: statusOf(row, now),
  created_at: iso(row.created_at),
  created_by: row.created_by,
  expires_at: orNull(row.expires_at),
  revoked_at: orNull(row.revoked_at),
  last_used_at: orNull(row.last_used_at),
  rotated_to: row.rotated_to,
})

const orNull = (at: number | null): string | null => (at === null ? null : iso(at))

function statusOf(row: KeyRow, now: number): Key['status'] {
  if (row.revoked_at !== null && row.revoked_at <= now) return 'revoked'
  if (row.expires_at !== null && row.expires_at <= now) return 'expired'
  return row.revoked_at === null ? 'active' : 'rotating'
}

/**
 * The keys that the caller manages: the caller's own, and those of workspaces that the caller manages. A caller that is
 * limited to projects manages only keys that are limited to these. Its values are `managerOf`.
 */
export const MANAGED_KEYS = `
  api_keys k where k.tenant_id = :tenant and (k.revoked_at is null or k.revoked_at > :revoked_after) and (
    (k.user_id = :caller and k.workspace_id is null) or k.workspace_id in (
      select m.workspace_id from workspace_members m
      join workspaces w on w.id = m.workspace_id and w.deleted_at is null
      where m.user_id = :caller and m.role in (${rolesSql('manage')})))
  and (:projects is null or (k.permissions is not null and not exists (
    select 1 from json_each(k.permissions) p where p.value ->> 'project_id' not in (select value from json_each(:projects)))))`

/** The values of `MANAGED_KEYS`. */
export const managerOf = (ctx: AuthContext, include?: IncludeRevoked) => ({
  caller: ctx.principal.userId,
  tenant: ctx.principal.tenantId,
  /** Keys that were revoked before count as gone. */
  revoked_after: ctx.now() - (include === 'revoked' ? REVOKED_KEPT_MS : 0),
  /** JSON of the projects that the caller is limited to; null: of none. */
  projects:
    ctx.principal.permissions === null ? null : JSON.stringify(ctx.principal.permissions.map((one) => one.project_id)),
})

/** A key that the caller manages; 404 for every other id. */
export async function managedKey(ctx: AuthContext, id: string, include?: IncludeRevoked): Promise<KeyRow> {
  const row = await ctx.db.first<KeyRow>(`select ${selectList(KEY_COLUMNS, 'k')} from ${MANAGED_KEYS} and k.id = :id`, {
    ...managerOf(ctx, include),
    id,
  })
  if (!row) throw notFound('API key', id)
  return row
}

/**
 * The condition for the commit of a new key: the caller's credential is still valid, and the caller still manages the
 * workspace of a workspace's key.
 */
export function mayStore(ctx: AuthContext, workspaceId: string | null): Sql {
  const notRevoked = credentialNotRevoked(ctx)
  if (workspaceId === null) return notRevoked
  const manages = sql(
    `exists (select 1 from workspace_members
       where workspace_id = :managed_workspace and user_id = :manager and role in (${rolesSql('manage')}))`,
    { managed_workspace: workspaceId, manager: ctx.principal.userId },
  )
  return and(notRevoked, manages)
}

/** Keys are managed with a session, or with a key that has `admin:workspace` (contract §2). 403 for an application. */
export function refuseApplications(ctx: AuthContext): void {
  if (ctx.principal.credential.kind === 'access') {
    throw new AppError('session_required', { detail: 'API keys can be managed only with a session or an API key.' })
  }
}

const routingIdOf = query((db, by: { user: string }) =>
  db.select({ routing_id: users.routing_id }).from(users).where(eq(users.id, by.user)),
)

/** The user as whom a key acts: the caller, or a workspace's service account. */
export async function ownerOf(ctx: AuthContext, key: Pick<KeyRow, 'user_id'>): Promise<{ routingId: string }> {
  if (key.user_id === ctx.principal.userId) return ctx.principal
  const owner = await ctx.db.first(routingIdOf, { user: key.user_id })
  if (!owner) throw new Error('a key has an owner')
  return { routingId: owner.routing_id }
}
