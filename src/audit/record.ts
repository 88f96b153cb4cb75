import { iso } from '../core/values/clock.ts'
import type { AuditTrail, AuthContext } from '../core/context.ts'
import type { Database, Statement } from '../core/database/database.ts'
import { ALWAYS, joined, type Sql } from '../core/database/sql.ts'
import type { AuditOutcome } from './outcomes.ts'

/** One row of the audit log: who did what through which credential, to what, and how it ended. Never a text. */
export interface AuditRow {
  id: string
  tenant_id: string
  at: string
  actor: string
  credential: { kind: string; id: string; environment: string | null; app_id: string | null }
  action: string
  resource_ids: string[]
  project_id: string | null
  workspace_id: string | null
  /** An `AuditOutcome`, or one of another version of the service. */
  outcome: string
  request_id: string
  /** The portal read this to show a page; absent otherwise. */
  page_read?: true
}

/** Who acts, and through what. A failed login has no credential yet: its kind is `password`. */
export interface AuditActor {
  userId: string
  tenantId: string
  credential: Omit<AuditRow['credential'], 'app_id'> & { appId: string | null }
}

export interface AuditInput {
  principal: AuditActor
  action: string
  outcome: AuditOutcome
  requestId: string
  trail?: Pick<AuditTrail, 'resourceIds' | 'projectId' | 'workspaceId'>
  pageRead?: boolean
}

export function auditRow(system: { now(): number; newId: AuthContext['newId'] }, input: AuditInput): AuditRow {
  const { credential, userId, tenantId } = input.principal
  return {
    id: system.newId('aud'),
    tenant_id: tenantId,
    at: iso(system.now()),
    actor: userId,
    credential: {
      kind: credential.kind,
      id: credential.id,
      environment: credential.environment,
      app_id: credential.appId,
    },
    action: input.action,
    resource_ids: input.trail?.resourceIds ?? [],
    project_id: input.trail?.projectId ?? null,
    workspace_id: input.trail?.workspaceId ?? null,
    outcome: input.outcome,
    request_id: input.requestId,
    ...(input.pageRead ? { page_read: true } : {}),
  }
}

/**
 * The statement that adds a row to the commit of its write. `onlyIf` is a condition that holds where the write took place:
 * a lost race leaves no row.
 */
export function auditInsert(
  system: { now(): number },
  db: Database,
  row: AuditRow,
  { sql, params } = ALWAYS,
): Statement {
  return db.statement(
    `insert into audit_outbox (id, tenant_id, row, created_at)
     select :audit_id, :audit_tenant, :audit_row, :audit_at where ${sql}`,
    joined(
      { audit_id: row.id, audit_tenant: row.tenant_id, audit_row: JSON.stringify(row), audit_at: system.now() },
      params,
    ),
  )
}

/** `auditInsert` of the request's own row. The pipeline then writes none. */
export function auditStatement(ctx: AuthContext, action: string, onlyIf = ALWAYS): Statement {
  ctx.trail.committed = true
  const { principal, requestId, trail } = ctx
  const row = auditRow(ctx, { principal, action, outcome: 'success', requestId, trail })
  return auditInsert(ctx, ctx.db, row, onlyIf)
}

/**
 * The statement that adds the rows of a write of many things to its commit. `onlyIf` is a condition over each entry,
 * `{key, row}` as `e.value`.
 */
export function auditSetStatement(
  ctx: Pick<AuthContext, 'db' | 'now'>,
  entries: readonly { key: string; row: AuditRow }[],
  onlyIf: Sql,
): Statement {
  return ctx.db.statement(
    `insert into audit_outbox (id, tenant_id, row, created_at)
     select e.value -> 'row' ->> 'id', e.value -> 'row' ->> 'tenant_id', e.value -> 'row', :audit_at
     from json_each(:audit_entries) e where ${onlyIf.sql}`,
    joined({ audit_at: ctx.now(), audit_entries: JSON.stringify(entries) }, onlyIf.params),
  )
}
