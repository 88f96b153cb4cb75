import { expect, test } from 'vitest'
import { auditSweeps, type AuditRow } from '../../../src/audit/index.ts'
import { emptyMessage } from '../../../src/audit/message.ts'
import { pack } from '../../../src/audit/objects/format.ts'
import { reserveObjects } from '../../../src/audit/objects/index-rows.ts'
import { reindexObjects } from '../../../src/audit/objects/reindex.ts'
import { putObject } from '../../../src/audit/objects/transfer.ts'
import { storeMessages } from '../../../src/audit/store.ts'
import { archiving, bucket, moveChosen, storesOf, walk } from '../../support/audit-objects.ts'
import { auditRowOf } from '../../support/audit.ts'
import { DAY, HOUR, travel } from '../../support/clock.ts'
import { newTenant, system, type Tenant } from '../../support/world.ts'

// An older version wrote the rows of busy tenants as objects of one page each, past the audit database.

const audit = system.auditDatabase('00')

/** Rows of a tenant, a second apart. Ids follow time as those of a real clock do. */
function rowsFrom(tenant: Tenant, from: number, many: number): AuditRow[] {
  const ids = Array.from({ length: many }, () => system.newId('aud')).sort()
  return ids.map((id, nth) => ({ ...auditRowOf(tenant), id, at: new Date(from + nth * 1_000).toISOString() }))
}

/** Puts a batch as a consumer did, in objects of so many rows; `dies`: before the commit that shows them. */
async function writePast(tenant: Tenant, rows: readonly AuditRow[], rowsAnObject: number, { id = '', dies = false }) {
  for (let start = 0; start < rows.length; start += rowsAnObject) {
    const own = rows.slice(start, start + rowsAnObject)
    const [first_at = 0, last_at = first_at] = [own[0], own.at(-1)].map((row) => Date.parse(row?.at ?? ''))
    const suffix = start === 0 ? '' : `:${start / rowsAnObject + 1}`
    const page = { id: `${id}:${tenant.tenantId}${suffix}`, first_at, last_at, rows: JSON.stringify(own) }
    const packed = await pack('00', tenant.tenantId, [{ ...page, count: own.length }])
    await audit.batch([reserveObjects(audit, [packed.index])])
    await putObject(bucket, packed)
    if (!dies)
      await audit.write('update audit_objects set stored_at = :stored_at where key = :key', {
        stored_at: system.now(),
        key: packed.index.key,
      })
  }
}

const store = (rows: AuditRow[], id = system.newId('aud')) =>
  storeMessages(system, '00', [{ ...emptyMessage(), id, rows }])
const seen = async (tenant: Tenant, limit = 4, filter = {}) =>
  (await walk(archiving().system, tenant, { limit, filter })).ids
/** Reindexes the tenant's objects; the report counts the outcomes. */
async function reindex({ tenantId }: Tenant) {
  const [run] = await audit.write<{ started_at: number }>(
    `insert into audit_reindexes (started_at) select max(:started_at, coalesce(max(started_at), 0) + 1) from audit_reindexes
     returning started_at`,
    { started_at: system.now() },
  )
  const { system: by } = archiving({ list: (prefix, after) => bucket.list(`${prefix}${tenantId}/`, after) })
  expect(await reindexObjects(by, '00')).toBe(false)
  return audit.first(
    'select objects, restored, duplicates, unreadable, pages_deleted from audit_reindexes where started_at = :started_at',
    { started_at: run?.started_at ?? 0 },
  )
}

/** A tenant with sixteen rows of one hour: ten in three objects of a consumer, and three in a page before and after these. */
async function arrange({ dies = false, rowsAnObject = 4 } = {}) {
  travel(0)
  travel(DAY - (system.now() % DAY) + 12 * HOUR)
  const tenant = await newTenant()
  const from = system.now() - 2 * HOUR
  const id = system.newId('aud')
  const rows = rowsFrom(tenant, from, 16)
  const written = rows.slice(3, 13)
  await writePast(tenant, written, rowsAnObject, { id, dies })
  await store(rows.slice(0, 3))
  await store(rows.slice(13))
  return { tenant, id, from, written, all: rows.map((row) => row.id).toReversed() }
}

test('lists show objects that a consumer wrote as one with pages, by cursor and by filter', async () => {
  const { tenant, from, all } = await arrange()
  for (const limit of [1, 4, 100]) expect(await seen(tenant, limit)).toEqual(all)
  expect(await seen(tenant, 3, { until: from + 8_000 })).toEqual(all.slice(-8))
  expect(await seen(tenant, 3, { since: from + 8_000, until: from + 13_000 })).toEqual(all.slice(3, 8))
})

test('the mover takes pages of their time, and lists show each row once, in the same order', async () => {
  const { tenant, all } = await arrange()
  await moveChosen(archiving().system, tenant)
  const { objects, pages } = await storesOf(tenant)
  expect([objects.map((one) => one.rows), pages]).toEqual([[6, 2, 4, 4], 0])
  for (const limit of [1, 4, 100]) expect(await seen(tenant, limit)).toEqual(all)
})

test.each([false, true])(
  'they are erased after their retention; without the commit that shows them: %s',
  async (dies) => {
    const { tenant } = await arrange({ dies })
    const keys = (await storesOf(tenant)).reserved.map(({ key }) => key)
    expect(keys).toHaveLength(3)
    travel((system.config.auditRetentionDays + 1) * DAY)
    await auditSweeps.find(({ name }) => name === 'audit.retention')?.run(archiving().system)
    expect((await storesOf(tenant)).reserved).toEqual([])
    expect(await Promise.all(keys.map((key) => bucket.head(key)))).toEqual([null, null, null])
  },
)

test.each([
  { rowsAnObject: 10, report: { objects: 1, restored: 1, duplicates: 0, unreadable: 0, pages_deleted: 1 }, left: 2 },
  // None of the objects has all rows of the page.
  { rowsAnObject: 4, report: { objects: 3, restored: 0, duplicates: 3, unreadable: 0, pages_deleted: 0 }, left: 3 },
])(
  'a message whose consumer died before it showed $report.objects becomes a page, and each row is in the log once',
  async ({ rowsAnObject, report, left }) => {
    const { tenant, id, written, all } = await arrange({ dies: true, rowsAnObject })
    await store(written, id)
    expect(await seen(tenant)).toEqual(all)
    travel(HOUR)
    expect(await reindex(tenant)).toEqual(report)
    expect((await storesOf(tenant)).pages).toBe(left)
    expect(await seen(tenant)).toEqual(all)
  },
)

test('they are entered again after Time Travel took their rows', async () => {
  const { tenant, all } = await arrange()
  await audit.write('delete from audit_objects where tenant_id = :tenant', { tenant: tenant.tenantId })
  expect(await seen(tenant)).toHaveLength(6)
  expect(await reindex(tenant)).toMatchObject({ objects: 3, restored: 3, pages_deleted: 0 })
  expect(await seen(tenant)).toEqual(all)
})
