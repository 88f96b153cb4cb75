import { expect, test } from 'vitest'
import { auditInsert, auditConsumer, auditRow, auditSweeps } from '../../src/audit/index.ts'
import { moveOutbox } from '../../src/audit/move.ts'
import { pageStatements, toPages } from '../../src/audit/pages.ts'
import { emptyBundle } from '../../src/audit/bundle.ts'
import type { System } from '../../src/core/context.ts'
import { travel } from '../support/clock.ts'
import { db, newTenant, system, type Tenant } from '../support/world.ts'

const audit = system.auditDatabase

const rowOf = (tenant: Tenant) =>
  auditRow(system, {
    action: 'projects.create',
    outcome: 'success',
    requestId: 'req_x',
    principal: { ...tenant, credential: { kind: 'key', id: tenant.keyId, environment: 'live', appId: null } },
  })

async function commit(tenant: Tenant, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => rowOf(tenant))
  await db.batch(rows.map((row) => auditInsert(system, db, row)))
  return rows.map((row) => row.id)
}

const stored = async (tenant: Tenant) =>
  (
    await audit.all<{ id: string }>(
      `select r.value ->> 'id' as id from audit_pages p, json_each(p.rows) r where p.tenant_id = ? order by 1`,
      tenant.tenantId,
    )
  ).map((row) => row.id)

const left = (tenant: Tenant) => db.all('select id from audit_outbox where tenant_id = ?', tenant.tenantId)

test('what writes committed is moved whole, and the outbox is empty then', async () => {
  const tenant = await newTenant()
  const ids = await commit(tenant, 3)
  await moveOutbox(system, '00')
  expect(await stored(tenant)).toEqual(ids.toSorted())
  expect(await left(tenant)).toEqual([])
})

test('more than a portion is moved in one go; movers at once move each row once', async () => {
  const tenant = await newTenant()
  const ids = [...(await commit(tenant, 90)), ...(await commit(tenant, 90)), ...(await commit(tenant, 90))]
  await Promise.all([moveOutbox(system, '00'), moveOutbox(system, '00'), moveOutbox(system, '00')])
  expect(await stored(tenant)).toEqual(ids.toSorted())
})

test('a mover that dies between storing and deleting leaves no row twice; one that dies before storing loses none', async () => {
  const tenant = await newTenant()
  const ids = await commit(tenant, 2)
  // A portion as a dead mover left it: claimed, its page stored, its rows not deleted.
  const page = system.newId('aud')
  const claimed = await db.write<{ row: string }>(
    'update audit_outbox set page_id = ? where id = ? returning row',
    page,
    ids[0] ?? '',
  )
  await audit.batch(
    pageStatements(
      audit,
      toPages(
        page,
        claimed.map(({ row }) => JSON.parse(row)),
      ),
    ),
  )
  // Another that was claimed, and not stored.
  await db.write('update audit_outbox set page_id = ? where id = ?', system.newId('aud'), ids[1] ?? '')
  await moveOutbox(system, '00')
  expect(await left(tenant)).toHaveLength(2)
  travel(61_000)
  await moveOutbox(system, '00')
  expect(await stored(tenant)).toEqual(ids.toSorted())
  expect(await left(tenant)).toEqual([])
})

test('dead letters are stored after all, and an alert line says so', async () => {
  const tenant = await newTenant()
  const lines: unknown[] = []
  const alerting: System = { ...system, log: { info: () => {}, error: (line) => lines.push(line) } }
  const bundle = { ...emptyBundle(), id: system.newId('aud'), rows: [rowOf(tenant)] }
  await auditConsumer.onDeadLetters(alerting, [
    { id: '1', body: bundle, attempts: 5, sentAt: 0, ack: () => {}, retry: () => {} },
  ])
  expect(await stored(tenant)).toEqual([bundle.rows[0]?.id])
  expect(lines).toEqual([{ event: 'audit.dead_letters', alert: true, messages: 1 }])
})

test('rows are kept AUDIT_RETENTION_DAYS, to the day, and erased after', async () => {
  const tenant = await newTenant()
  await commit(tenant, 1)
  await moveOutbox(system, '00')
  const retention = auditSweeps.find((sweep) => sweep.name === 'audit.retention')
  const days = system.config.auditRetentionDays * 86_400_000
  travel(days - 60_000)
  await retention?.run(system)
  expect(await stored(tenant)).toHaveLength(1)
  travel(120_000)
  await retention?.run(system)
  expect(await stored(tenant)).toHaveLength(0)
})
