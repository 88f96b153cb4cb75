import { iso } from '../core/clock.ts'
import type { AuditTrail, Ctx, Principal } from '../core/context.ts'
import type { Statement } from '../core/db.ts'

/** One line of the audit log: who, through which credential, what, which item and project, outcome. Never a text. */
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
  /** `success`, or the error code that refused it. */
  outcome: string
  request_id: string
}

export interface AuditInput {
  principal: Principal
  action: string
  outcome: string
  requestId: string
  trail: Pick<AuditTrail, 'resourceIds' | 'projectId' | 'workspaceId'>
}

export function auditRow(system: { now(): number; newId: Ctx['newId'] }, input: AuditInput): AuditRow {
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
    resource_ids: input.trail.resourceIds,
    project_id: input.trail.projectId,
    workspace_id: input.trail.workspaceId,
    outcome: input.outcome,
    request_id: input.requestId,
  }
}

/**
 * The statement that puts a row of a write into its own commit. `onlyIf` is a condition in SQL (with `?` for its
 * values) under which the write took place, so that a lost race leaves no row.
 */
export function auditStatement(
  ctx: Ctx,
  action: string,
  onlyIf = '1',
  ...values: (string | number | null)[]
): Statement {
  ctx.trail.committed = true
  const row = auditRow(ctx, {
    principal: ctx.principal,
    action,
    outcome: 'success',
    requestId: ctx.requestId,
    trail: ctx.trail,
  })
  return ctx.db.statement(
    `insert into audit_outbox (id, tenant_id, row, created_at) select ?, ?, ?, ? where ${onlyIf}`,
    row.id,
    row.tenant_id,
    JSON.stringify(row),
    ctx.now(),
    ...values,
  )
}
