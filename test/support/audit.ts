import type { AuditRow } from '../../src/audit/index.ts'
import { db, system } from './world.ts'

/** All rows of one request, whoever's log they are in: on their way or arrived, each once. */
export async function auditOf(requestId: string): Promise<AuditRow[]> {
  const sent = await db.all<{ row: string }>(`select row from audit_outbox where row ->> 'request_id' = ?`, requestId)
  const stored = await system.auditDatabase.all<{ row: string }>(
    `select r.value as row from audit_pages p, json_each(p.rows) r where r.value ->> 'request_id' = ?`,
    requestId,
  )
  const rows = [...sent, ...stored].map(({ row }): AuditRow => JSON.parse(row))
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}
