import { z } from '@hono/zod-openapi'
import { credentialNotRevoked } from '../../auth/index.ts'
import { iso } from '../../core/values/clock.ts'
import { SCOPES, type AuthContext, type KeyPermission, type Scope } from '../../core/context.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { anyId, idOf, text, timestamp } from '../../core/http/fields.ts'
import { rolesSql } from '../access.ts'

export const PermissionSchema = z
  .strictObject({
    project_id: anyId,
    access: z.enum(['read', 'write']),
    namespaces: z
      .array(z.string().regex(/^[A-Za-z0-9._:-]{1,64}$/))
      .min(1)
      .max(50)
      .optional(),
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
    /** With the last four characters, enough to know a key by. */
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
    last_used_at: timestamp.nullable(),
    rotated_to: idOf('key').nullable(),
  })
  .openapi('ApiKey')
export type Key = z.infer<typeof KeySchema>

export const NewKeySchema = KeySchema.extend({
  key: z
    .string()
    .nullable()
    .meta({ description: 'The secret, shown in this response only.', examples: ['rck_live_…'] }),
}).openapi('NewApiKey')

export interface KeyRow {
  id: string
  user_id: string
  workspace_id: string | null
  created_by: string
  name: string
  environment: 'live' | 'test'
  last_four: string
  scopes: string
  permissions: string | null
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
  rotated_to: string | null
  created_at: number
}

export const KEY_COLUMNS = `k.id, k.user_id, k.workspace_id, k.created_by, k.name, k.environment, k.last_four, k.scopes,
  k.permissions, k.expires_at, k.revoked_at, k.last_used_at, k.rotated_to, k.created_at`

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
 * The keys that the caller has a say over: the caller's own, and those of workspaces that the caller manages.
 * A caller that is limited to projects has one over keys within them alone. `?1` to `?4` are those of `managerOf`;
 * keys that were revoked are gone from it.
 */
export const MANAGED_KEYS = `
  api_keys k where k.tenant_id = ?2 and (k.revoked_at is null or k.revoked_at > ?3) and (
    (k.user_id = ?1 and k.workspace_id is null) or k.workspace_id in (
      select m.workspace_id from workspace_members m
      join workspaces w on w.id = m.workspace_id and w.deleted_at is null
      where m.user_id = ?1 and m.role in (${rolesSql('manage')})))
  and (?4 is null or (k.permissions is not null and not exists (
    select 1 from json_each(k.permissions) p where p.value ->> 'project_id' not in (select value from json_each(?4)))))`

/** The user, the tenant, now, and the projects that the caller is limited to (JSON, or null). */
export const managerOf = (ctx: AuthContext): [string, string, number, string | null] => [
  ctx.principal.userId,
  ctx.principal.tenantId,
  ctx.now(),
  ctx.principal.permissions === null ? null : JSON.stringify(ctx.principal.permissions.map((one) => one.project_id)),
]

/** A key that the caller has a say over; 404 for every other id. */
export async function managedKey(ctx: AuthContext, id: string): Promise<KeyRow> {
  const row = await ctx.db.first<KeyRow>(
    `select ${KEY_COLUMNS} from ${MANAGED_KEYS} and k.id = ?5`,
    ...managerOf(ctx),
    id,
  )
  if (!row) throw notFound('API key')
  return row
}

/**
 * What must hold at the commit of a new key as it did before, in SQL with its values: the caller's credential stands, and
 * for a workspace's key the caller manages that workspace.
 */
export function mayStore(ctx: AuthContext, workspaceId: string | null): { sql: string; values: string[] } {
  const { sql, values } = credentialNotRevoked(ctx)
  if (workspaceId === null) return { sql, values }
  const manages = `exists (
    select 1 from workspace_members where workspace_id = ? and user_id = ? and role in (${rolesSql('manage')}))`
  return { sql: `${sql} and ${manages}`, values: [...values, workspaceId, ctx.principal.userId] }
}

/** Keys are managed with a session, or with a key that has `admin:workspace` (contract §2), never on an application's behalf. */
export function refuseApplications(ctx: AuthContext): void {
  if (ctx.principal.credential.kind === 'access') {
    throw new AppError('session_required', { detail: 'API keys are managed with a session, or with an API key.' })
  }
}
