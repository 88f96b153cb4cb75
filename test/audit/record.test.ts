import { expect, test } from 'vitest'
import { sql } from '../../src/core/database/sql.ts'
import { auditInsert, auditRow, auditSetStatement, auditStatement } from '../../src/audit/record.ts'
import { ctxOf } from '../support/search.ts'
import { db, newTenant, system, type Tenant } from '../support/world.ts'

const rowOf = ({ userId, tenantId, keyId }: Tenant, action = 'memory.store') =>
  auditRow(system, {
    principal: { userId, tenantId, credential: { kind: 'key', id: keyId, environment: 'live', appId: null } },
    action,
    outcome: 'success',
    requestId: 'req_x',
  })

/** Commits the statements; answers the tenant's rows in the outbox, by id. In the same batch, because a consumer moves them on. */
async function committed({ tenantId }: Tenant, ...statements: D1PreparedStatement[]): Promise<Record<string, unknown>> {
  const results = await db.batch<{ id: string; row: string }[]>([
    ...statements,
    db.statement('select id, row from audit_outbox where tenant_id = :tenant', { tenant: tenantId }),
  ])
  return Object.fromEntries(results.at(-1)?.map(({ id, row }) => [id, JSON.parse(row) as unknown]) ?? [])
}

test('a row names actor, credential, action and outcome; a field without a value is empty or null', async () => {
  const tenant = await newTenant()
  expect(rowOf(tenant)).toEqual({
    id: expect.stringMatching(/^aud_/),
    tenant_id: tenant.tenantId,
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    actor: tenant.userId,
    credential: { kind: 'key', id: tenant.keyId, environment: 'live', app_id: null },
    action: 'memory.store',
    resource_ids: [],
    project_id: null,
    workspace_id: null,
    outcome: 'success',
    request_id: 'req_x',
  })
})

test('a row is committed with its write, and not where the write did not take place', async () => {
  const tenant = await newTenant()
  const [kept, lost] = [rowOf(tenant), rowOf(tenant)]
  const isThere = (user: string) => sql('exists (select 1 from users where id = :user)', { user })
  const rows = await committed(
    tenant,
    auditInsert(system, db, kept, isThere(tenant.userId)),
    auditInsert(system, db, lost, isThere('usr_none')),
  )
  expect(rows).toEqual({ [kept.id]: kept })
})

test("the request's own row names what it touched, and the pipeline writes no other", async () => {
  const tenant = await newTenant()
  const ctx = ctxOf(tenant)
  ctx.trail.resourceIds = ['mem_x']
  ctx.trail.projectId = tenant.projectId
  const rows = await committed(tenant, auditStatement(ctx, 'memory.embed'))
  expect(ctx.trail.committed).toBe(true)
  expect(Object.values(rows)).toEqual([
    expect.objectContaining({
      actor: tenant.userId,
      action: 'memory.embed',
      resource_ids: ['mem_x'],
      project_id: tenant.projectId,
      request_id: ctx.requestId,
    }),
  ])
})

test('each row of a set is committed with its own part of the write', async () => {
  const tenant = await newTenant()
  const [one, two, three] = [rowOf(tenant, 'a'), rowOf(tenant, 'b'), rowOf(tenant, 'c')]
  const entries = [
    { key: tenant.userId, row: one },
    { key: 'usr_none', row: two },
    { key: tenant.userId, row: three },
  ]
  const isThere = sql("exists (select 1 from users u where u.id = e.value ->> 'key' and u.tenant_id = :tenant)", {
    tenant: tenant.tenantId,
  })
  const rows = await committed(tenant, auditSetStatement({ ...system, db }, entries, isThere))
  expect(rows).toEqual({ [one.id]: one, [three.id]: three })
})
