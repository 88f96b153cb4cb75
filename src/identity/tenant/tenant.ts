import { z } from '@hono/zod-openapi'
import { eq } from 'drizzle-orm'
import { tenants } from '../../auth/table.ts'
import type { AuthContext } from '../../core/context.ts'
import { columnsOf } from '../../core/database/columns.ts'
import { query } from '../../core/database/query.ts'
import { idOf, timestamp } from '../../core/http/fields.ts'
import { iso } from '../../core/values/clock.ts'
import { forbidden } from '../access.ts'
import { SAMPLE_IDS, SAMPLE_TIME } from '../../core/sample.ts'

export const TenantSchema = z
  .object({
    id: idOf('ten'),
    owner_id: idOf('usr').nullable().meta({
      description: 'The person who signed up, or the one who took over the tenant. Null if that person left long ago.',
    }),
    created_at: timestamp,
  })
  .openapi('Tenant')
export type Tenant = z.infer<typeof TenantSchema>

export const SAMPLE_TENANT: Tenant = { id: SAMPLE_IDS.tenant, owner_id: SAMPLE_IDS.ada, created_at: SAMPLE_TIME }

const COLUMNS = columnsOf(tenants, 'id', 'owner_id', 'created_at')

const tenantById = query((db, by: { id: string }) => db.select(COLUMNS).from(tenants).where(eq(tenants.id, by.id)))

/** The tenant of the caller. */
export async function tenantOf(ctx: AuthContext): Promise<Tenant> {
  const row = await ctx.db.first(tenantById, { id: ctx.principal.tenantId })
  if (!row) throw new Error('a principal has a tenant')
  return { ...row, created_at: iso(row.created_at) }
}

/** SQL: `:person` is a person of `:tenant`. */
export const PERSON = `exists (
  select 1 from users where id = :person and tenant_id = :tenant and kind = 'person' and deleted_at is null)`

/** SQL: `:owner` still owns `:tenant` and has this password, and `:person` is still in it. */
export const OWNER_MAY = `exists (select 1 from tenants where id = :tenant and owner_id = :owner)
  and exists (select 1 from users where id = :owner and password_hash = :password_hash) and ${PERSON}`

/** 403 unless the caller owns the tenant. */
export async function requireTenantOwner(ctx: AuthContext): Promise<void> {
  if ((await tenantOf(ctx)).owner_id !== ctx.principal.userId)
    throw forbidden('Only the owner of the tenant can do this.')
}

/**
 * Whether other people are in the tenant that the user owns, so that this user may not leave it (both as SQL). An account
 * counts for as long as it is not deleted, also if it is in no workspace.
 */
export const ownsOthers = (user: string, tenant: string): string => `exists (
  select 1 from tenants t join users other on other.tenant_id = t.id and other.kind = 'person' and other.deleted_at is null
  where t.id = ${tenant} and t.owner_id = ${user} and other.id <> ${user})`
