import { env } from 'cloudflare:workers'
import { storeMessages } from '../../src/audit/store.ts'
import { emptyMessage } from '../../src/audit/message.ts'
import { auditSweeps, listAudit, type AuditFilter, type AuditRow } from '../../src/audit/index.ts'
import type { PageText } from '../../src/audit/objects/format.ts'
import { moveTogether } from '../../src/audit/objects/move-pages.ts'
import { r2Objects } from '../../src/backends/objects.r2.ts'
import type { System } from '../../src/core/context.ts'
import type { ObjectStore } from '../../src/core/ports.ts'
import { shardOf } from '../../src/core/shards.ts'
import { auditRowOf } from './audit.ts'
import { system, type Tenant } from './world.ts'

export const bucket = r2Objects(env.TEST_BUCKET)

/** The system with a bucket, and with other calls of it where a test changes them. Its log is kept. */
export function archiving(changes: Partial<ObjectStore> = {}, more: Partial<System> = {}) {
  const lines: { event: string; [field: string]: unknown }[] = []
  const log = (line: { event: string }) => void lines.push(line)
  const changed: System = {
    ...system,
    log: { info: log, error: log },
    auditObjects: { ...bucket, ...changes },
    ...more,
  }
  return { system: changed, lines, events: () => lines.map(({ event }) => event) }
}

/** Rows of a tenant, each in a page of its own or so many together, as consumers would have stored them; oldest first. */
export async function arrangeRows(
  tenant: Tenant,
  instants: readonly number[],
  { rowsAPage = 1, row = {} }: { rowsAPage?: number; row?: Partial<AuditRow> } = {},
): Promise<string[]> {
  const rows = instants.map((at): AuditRow => ({ ...auditRowOf(tenant), at: new Date(at).toISOString(), ...row }))
  const byAge = rows.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  // Ids follow time as those of a real clock do.
  const ids = rows.map(({ id }) => id).sort()
  byAge.forEach((one, nth) => (one.id = ids[nth] ?? ''))
  for (let at = 0; at < rows.length; at += rowsAPage)
    await storeMessages(system, shardOf(tenant.routingId), [
      { ...emptyMessage(), id: system.newId('aud'), rows: rows.slice(at, at + rowsAPage) },
    ])
  return ids
}

export const moveDue = async (by: System): Promise<void> =>
  auditSweeps.find((sweep) => sweep.name === 'audit.move_pages')?.run(by)

/** The ids of a walk through the whole log of a tenant's user, in the order of the answers. `between` runs before each next one. */
export async function walk(
  by: System,
  tenant: Tenant,
  { limit = 3, filter = {}, between = () => Promise.resolve() }: WalkOptions = {},
): Promise<{ ids: string[]; answers: number; rows: AuditRow[] }> {
  const visibility = {
    tenantId: tenant.tenantId,
    actor: tenant.userId,
    credentialId: tenant.keyId,
    workspaceIds: [tenant.workspaceId],
    projectIds: [tenant.projectId],
  }
  const rows: AuditRow[] = []
  let cursor: string | undefined
  for (let answers = 1; answers < 1_000; answers++) {
    const audit = by.auditDatabase(shardOf(tenant.routingId))
    const found = await listAudit(by, audit, visibility, filter, { limit, cursor })
    rows.push(...found.data)
    if (found.next_cursor === null) return { ids: rows.map(({ id }) => id), answers, rows }
    cursor = found.next_cursor
    await between()
  }
  throw new Error('the walk does not end')
}

interface WalkOptions {
  limit?: number
  filter?: AuditFilter
  between?: () => Promise<unknown>
}

/** The objects of a tenant that lists find, newest first, and how many pages are in the database. */
export async function storesOf(tenant: Tenant) {
  const audit = system.auditDatabase(shardOf(tenant.routingId))
  const objects = await audit.all<{
    key: string
    pages: number
    rows: number
    bytes: number
    stored_at: number | null
  }>(
    'select key, pages, rows, bytes, stored_at from audit_objects where tenant_id = :tenant order by newest_at desc, newest_id desc',
    { tenant: tenant.tenantId },
  )
  const left = await audit.first<{ pages: number }>(
    'select count(*) as pages from audit_pages where tenant_id = :tenant',
    { tenant: tenant.tenantId },
  )
  return { objects: objects.filter((one) => one.stored_at !== null), reserved: objects, pages: left?.pages ?? 0 }
}

/** Moves pages of a tenant together, those that `choose` picks of all in the database, oldest first. */
export async function moveChosen(
  by: System,
  tenant: Tenant,
  choose: (page: PageText, nth: number) => boolean = () => true,
): Promise<void> {
  const audit = by.auditDatabase(shardOf(tenant.routingId))
  const pages = await audit.all<PageText>(
    `select id, first_at, last_at, rows, json_array_length(rows) as count from audit_pages where tenant_id = :tenant
     order by last_at, id`,
    { tenant: tenant.tenantId },
  )
  const chosen = pages.filter(choose)
  if (by.auditObjects && chosen.length > 0) await moveTogether(by, by.auditObjects, audit, tenant.tenantId, chosen)
}
