import { auditRow, type AuditRow } from '../../src/audit/index.ts'
import { home, system, type Tenant } from './world.ts'

/** All rows of one request, whoever's log they are in, in any shard: on their way or arrived, each once. */
export async function auditOf(requestId: string): Promise<AuditRow[]> {
  const found = system.shards.map(async (shard) => {
    const sent = await system
      .database(shard)
      .all<{ row: string }>(`select row from audit_outbox where row ->> 'request_id' = :request`, {
        request: requestId,
      })
    const stored = await system
      .auditDatabase(shard)
      .all<{ row: string }>(
        `select r.value as row from audit_pages p, json_each(p.rows) r where r.value ->> 'request_id' = :request`,
        { request: requestId },
      )
    return [...sent, ...stored]
  })
  const rows = (await Promise.all(found)).flat().map(({ row }): AuditRow => JSON.parse(row))
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

/** A row as a request of a tenant's user makes it. */
export const auditRowOf = (tenant: Tenant, action = 'projects.create'): AuditRow =>
  auditRow(system, {
    action,
    outcome: 'success',
    requestId: 'req_x',
    principal: { ...tenant, credential: { kind: 'key', id: tenant.keyId, environment: 'live', appId: null } },
  })

/** Ids of a tenant's rows in the audit database, oldest first. */
export async function storedIds({ tenantId }: Tenant): Promise<string[]> {
  const rows = await system
    .auditDatabase(home)
    .all<{ id: string }>(
      `select r.value ->> 'id' as id from audit_pages p, json_each(p.rows) r where p.tenant_id = :tenant order by 1`,
      { tenant: tenantId },
    )
  return rows.map((row) => row.id)
}
