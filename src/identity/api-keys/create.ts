import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import { apiResource, invalidToken } from '../../auth/index.ts'
import { instant } from '../../core/http/instant.ts'
import type { AuthContext, KeyPermission } from '../../core/context.ts'
import { brokeForeignKey } from '../../core/database/d1-errors.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint, linksTo } from '../../core/http/endpoint.ts'
import { withoutSecret } from '../../core/idempotency/replay.ts'
import { settleStatement } from '../../core/idempotency/settlement.ts'
import { AppError, invalid } from '../../core/errors.ts'
import { anyId } from '../../core/http/fields.ts'
import { commitThenSend } from '../../core/work.ts'
import { memberOfProject } from '../access.ts'
import { keyById, keyFields, managedKey, mayStore, NewKeySchema, refuseApplications, toKey, SAMPLE_KEY } from './key.ts'
import type { Key, KeyRow } from './key.ts'
import { newKey } from './new-key.ts'
import { refuseEscalation, type Privileges } from './privileges.ts'
import { serviceAccount } from './service-account.ts'
import type { RowOf } from '../../core/database/row.ts'
import type { projects } from '../table.ts'

export const CreateKey = z.strictObject({
  name: keyFields.name,
  scopes: keyFields.scopes,
  environment: z.enum(['live', 'test']).default('live'),
  owner: z.enum(['user', 'workspace']).default('user'),
  workspace_id: anyId.optional().meta({
    description:
      'With `owner: "workspace"`: the workspace that owns the key. Default: the workspace of the default project.',
  }),
  permissions: keyFields.permissions.nullish(),
  expires_at: instant.nullish(),
})

/**
 * Makes an API key: the caller's own, or a workspace's. Only this answer holds the secret.
 * 403 for a workspace that the caller does not manage, and for a key that asks for more than its own privileges.
 */
export async function createKey(ctx: AuthContext, input: z.output<typeof CreateKey>): Promise<Key & { key: string }> {
  refuseApplications(ctx)
  const { principal } = ctx
  const permissions = input.permissions ?? null
  const expiresAt = readExpiry(ctx, input.expires_at)
  if (input.owner === 'user' && input.workspace_id !== undefined)
    throw invalid('workspace_id', 'not_applicable', 'workspace_id is only for a key with owner "workspace".')
  if (principal.kind === 'service')
    throw new AppError('user_context_required', { detail: 'Workspace keys cannot create keys.' })
  const privileges: Privileges = { environment: input.environment, scopes: input.scopes, permissions, expiresAt }
  await refuseEscalation(ctx, privileges)
  try {
    return await storeKey(ctx, input, privileges)
  } catch (error) {
    // Another first key made the workspace's service account at the same moment: this key takes that account.
    if (input.owner === 'workspace' && brokeForeignKey(error)) return storeKey(ctx, input, privileges)
    throw error
  }
}

async function storeKey(
  ctx: AuthContext,
  input: z.output<typeof CreateKey>,
  privileges: Privileges,
): Promise<Key & { key: string }> {
  const { principal, db } = ctx
  const owner =
    input.owner === 'user'
      ? { ...principal, workspaceId: null, statements: [] }
      : await serviceAccount(ctx, input.workspace_id)
  if (privileges.permissions) await requireProjects(ctx, owner.workspaceId, privileges.permissions)
  const wanted = {
    tenantId: principal.tenantId,
    userId: owner.userId,
    routingId: owner.routingId,
    workspaceId: owner.workspaceId,
    createdBy: principal.userId,
    name: input.name,
    ...privileges,
  }
  const { id, secret, statement } = await newKey(ctx, db, wanted, mayStore(ctx, owner.workspaceId))
  const made = sql('exists (select 1 from api_keys where id = :id)', { id })
  ctx.trail.resourceIds = [id]
  ctx.trail.workspaceId = owner.workspaceId
  const rows = await commitThenSend<KeyRow[]>(ctx, db, [
    ...owner.statements,
    statement,
    auditStatement(ctx, 'api_keys.create', made),
    settleStatement(ctx, id, made),
    ctx.notification(
      db,
      {
        tenantId: principal.tenantId,
        userId: principal.userId,
        code: 'api_key.created',
        message: `The API key "${input.name}" was created.`,
        about: { key_id: id, workspace_id: owner.workspaceId },
      },
      made,
    ),
    db.statement(keyById, { id }),
  ])
  const [row] = rows.at(-1) ?? []
  if (!row) {
    // Throws where the caller's role was lost at the same moment.
    if (input.owner === 'workspace') await serviceAccount(ctx, input.workspace_id)
    throw invalidToken(apiResource(ctx.client.origin), ctx.principal.credential.kind)
  }
  return { ...toKey(row, ctx.now()), key: secret }
}

function readExpiry(ctx: AuthContext, expiresAt: string | null | undefined): number | null {
  if (expiresAt === null || expiresAt === undefined) return null
  const at = Date.parse(expiresAt)
  if (at <= ctx.now()) throw invalid('expires_at', 'in_the_past', 'expires_at must be in the future.')
  return at
}

/** 422 for a project that the maker does not see, or that is not of the workspace of a workspace's key. */
async function requireProjects(
  ctx: AuthContext,
  workspaceId: string | null,
  permissions: readonly KeyPermission[],
): Promise<void> {
  const visible = await ctx.db.all<RowOf<typeof projects, 'id'>>(
    `select p.id from projects p ${memberOfProject(':caller')}
     where p.tenant_id = :tenant and p.deleted_at is null and p.id in (select value from json_each(:ids))
       and (:workspace is null or p.workspace_id = :workspace)`,
    {
      caller: ctx.principal.userId,
      tenant: ctx.principal.tenantId,
      ids: JSON.stringify(permissions.map((one) => one.project_id)),
      workspace: workspaceId,
    },
  )
  const ids = new Set(visible.map((row) => row.id))
  permissions.forEach((one, index) => {
    const path = `permissions.${index}.project_id`
    if (!ids.has(one.project_id)) throw invalid(path, 'not_found', 'No such project.')
    if (permissions.findIndex((other) => other.project_id === one.project_id) !== index)
      throw invalid(path, 'duplicate', 'Name each project only once.')
  })
}

export const createKeyEndpoint = endpoint({
  method: 'post',
  path: '/v1/api-keys',
  operationId: 'createApiKey',
  refusals: {
    in_the_past: '`expires_at` is not in the future',
    not_applicable: '`workspace_id` is sent, but `owner` is not `workspace`',
    not_found: 'a permission names a project that the caller cannot see',
    duplicate: 'two permissions name the same project',
  },
  tag: 'api-keys',
  summary: 'Create an API key',
  description:
    'Needs a session, or a key with `admin:workspace`, which can create only narrower keys. The secret is shown once.',
  scope: 'admin:workspace',
  limit: 'write',
  audit: 'api_keys.create',
  body: CreateKey,
  reply: { 201: NewKeySchema },
  links: linksTo(['getApiKey', 'rotateApiKey', 'revokeApiKey']),
  errors: ['forbidden', 'session_required', 'user_context_required', 'not_found', 'quota_exceeded'],
  idempotent: {
    mode: 'claimed',
    replay: async (ctx, id) => withoutSecret(toKey(await managedKey(ctx, id), ctx.now()), 'key'),
  },
  example: {
    body: { name: 'Support bot', scopes: ['read:memory', 'write:memory'], environment: 'live' },
    reply: { ...SAMPLE_KEY, key: 'rck_live_…' },
  },
}).handle(({ ctx, body }) => createKey(ctx, body))
