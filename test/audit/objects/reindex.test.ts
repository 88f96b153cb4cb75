/** @module-tag long */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { auditSweeps } from '../../../src/audit/index.ts'
import { reindexObjects } from '../../../src/audit/objects/reindex.ts'
import { Database } from '../../../src/core/database/database.ts'
import { unavailable } from '../../../src/core/errors.ts'
import type { ObjectStore } from '../../../src/core/ports.ts'
import { budgeted } from '../../../src/core/queue.ts'
import { toHex } from '../../../src/core/values/encoding.ts'
import { archiving, arrangeRows, bucket, moveChosen, storesOf, walk } from '../../support/audit-objects.ts'
import { DAY, HOUR, MINUTE, travel } from '../../support/clock.ts'
import { newTenant, system, type Tenant } from '../../support/world.ts'

const audit = system.auditDatabase('00')

/** The system with a bucket in which the tenant is alone. */
const withBucketOf = (tenant: Tenant, changes: Partial<ObjectStore> = {}, more = {}) =>
  archiving({ list: (prefix, after) => bucket.list(`${prefix}${tenant.tenantId}/`, after), ...changes }, more)

async function ask(): Promise<number> {
  const [row] = await audit.write<{ started_at: number }>(
    `insert into audit_reindexes (started_at) select max(:started_at, coalesce(max(started_at), 0) + 1) from audit_reindexes
     returning started_at`,
    { started_at: system.now() },
  )
  return row?.started_at ?? 0
}

const reportOf = (startedAt: number) =>
  audit.first(
    `select objects, restored, duplicates, expired, unreadable, pages_deleted from audit_reindexes
     where started_at = :started_at and finished_at is not null`,
    { started_at: startedAt },
  )

const sweep = (by: typeof system) => auditSweeps.find(({ name }) => name === 'audit.reindex')?.run(by)

async function reindex(by: typeof system) {
  const startedAt = await ask()
  await sweep(by)
  return reportOf(startedAt)
}

const NOTHING = { objects: 0, restored: 0, duplicates: 0, expired: 0, unreadable: 0, pages_deleted: 0 }

interface Page {
  id: string
  tenant_id: string
  first_at: number
  last_at: number
  rows: string
}
const pagesOf = ({ tenantId }: Tenant) =>
  audit.all<Page>('select * from audit_pages where tenant_id = :tenant order by last_at, id', { tenant: tenantId })

/** What Time Travel leaves of a tenant: these pages, and no row of an object. */
async function goBack({ tenantId }: Tenant, pages: readonly Page[]): Promise<void> {
  await audit.batch([
    audit.statement('delete from audit_objects where tenant_id = :tenant', { tenant: tenantId }),
    audit.statement('delete from audit_pages where tenant_id = :tenant', { tenant: tenantId }),
    audit.statement(
      `insert into audit_pages select value ->> 'id', value ->> 'tenant_id', value ->> 'first_at', value ->> 'last_at',
       value ->> 'rows' from json_each(:pages)`,
      { pages: JSON.stringify(pages) },
    ),
  ])
}

/** A tenant with six pages of two rows, an hour apart and of one day, as those of every object are, and what a list shows. */
async function arrange() {
  travel(0)
  const tenant = await newTenant()
  const from = Math.floor(system.now() / DAY - 1) * DAY + HOUR
  const instants = Array.from({ length: 12 }, (_, nth) => from + Math.floor(nth / 2) * HOUR + (nth % 2) * MINUTE)
  const ids = await arrangeRows(tenant, instants, { rowsAPage: 2 })
  const by = withBucketOf(tenant).system
  return { tenant, by, pages: await pagesOf(tenant), shown: ids.toReversed() }
}
const seen = async (tenant: Tenant, limit = 3) => (await walk(archiving().system, tenant, { limit })).ids
const firstPages = (many: number) => (_: unknown, nth: number) => nth < many

test('objects whose rows are gone are found again, once', async () => {
  const { tenant, by, pages, shown } = await arrange()
  await moveChosen(by, tenant, firstPages(2))
  await moveChosen(by, tenant, firstPages(1))
  await goBack(tenant, pages.slice(3))
  expect(await seen(tenant)).toEqual(shown.slice(0, 6))
  const before = await storesOf(tenant)
  expect(await reindex(by)).toEqual({ ...NOTHING, objects: 2, restored: 2 })
  expect(await seen(tenant)).toEqual(shown)
  const { objects } = await storesOf(tenant)
  expect([before.objects.length, objects.map((one) => [one.pages, one.rows])]).toEqual([
    0,
    [
      [1, 2],
      [2, 4],
    ],
  ])
  expect(await reindex(by)).toEqual({ ...NOTHING, objects: 2 })
})

test('a row of the index is entered as the mover had made it', async () => {
  const { tenant, by } = await arrange()
  await moveChosen(by, tenant, firstPages(4))
  const row = () =>
    audit.first<object>('select * from audit_objects where tenant_id = :tenant', { tenant: tenant.tenantId })
  const made = await row()
  await goBack(tenant, [])
  await reindex(by)
  expect(await row()).toEqual({ ...made, stored_at: expect.any(Number) })
})

test('pages that are in the database again leave it, where an object has them', async () => {
  const { tenant, by, pages, shown } = await arrange()
  await moveChosen(by, tenant, firstPages(4))
  await goBack(tenant, pages)
  expect(await reindex(by)).toEqual({ ...NOTHING, objects: 1, restored: 1, pages_deleted: 4 })
  expect((await storesOf(tenant)).pages).toBe(2)
  expect(await seen(tenant)).toEqual(shown)
})

test('of an object whose pages were moved again in part, what lists lack becomes an object of its own', async () => {
  const { tenant, by, pages, shown } = await arrange()
  await moveChosen(by, tenant)
  await goBack(tenant, pages.slice(0, 4))
  await moveChosen(by, tenant, firstPages(3))
  expect(await reindex(by)).toEqual({ ...NOTHING, objects: 2, restored: 1, pages_deleted: 1 })
  expect(await seen(tenant)).toEqual(shown)
  const { objects, reserved, pages: left } = await storesOf(tenant)
  expect([objects.map((one) => one.pages), reserved.length, left]).toEqual([[3, 3], 3, 0])
  // The one that lists do not need has a row, so that its retention erases it.
  travel(HOUR)
  expect(await reindex(by)).toEqual({ ...NOTHING, objects: 3, duplicates: 1 })
  expect(await seen(tenant)).toEqual(shown)
})

test('rows that came to the database in other pages of the same batch are shown once', async () => {
  const { tenant, by, pages, shown } = await arrange()
  await moveChosen(by, tenant, firstPages(1))
  // As where the bucket took an object, its answer was lost, and the rows became smaller pages.
  const smaller = pages.slice(0, 1).flatMap((page) =>
    JSON.parse(page.rows).map((row: object, nth: number) => ({
      ...page,
      id: nth === 0 ? page.id : `${page.id}:2`,
      rows: JSON.stringify([row]),
    })),
  )
  await goBack(tenant, [...smaller, ...pages.slice(1)])
  expect(await reindex(by)).toEqual({ ...NOTHING, objects: 1, restored: 1, pages_deleted: 2 })
  expect(await seen(tenant)).toEqual(shown)
})

test.each([1, 2, 3].flatMap((nth) => (['before', 'after'] as const).map((moment) => [nth, moment] as const)))(
  'a run that dies at its commit number %d, %s it, is gone on with, and nothing is shown twice',
  async (nth, moment) => {
    const { tenant, by, pages, shown } = await arrange()
    await moveChosen(by, tenant, firstPages(2))
    await moveChosen(by, tenant, firstPages(2))
    await goBack(tenant, pages.slice(1))
    await ask()
    let commits = 0
    const d1 = new Proxy(env.AUDIT_DB, {
      get: (real, name) => {
        if (name !== 'batch') return Reflect.get(real, name).bind(real)
        return async (statements: D1PreparedStatement[]) => {
          commits += 1
          const results = commits === nth && moment === 'before' ? null : await real.batch(statements)
          if (commits === nth) throw new Error('D1_ERROR: Network connection lost.')
          return results
        }
      },
    })
    const broken = new Database(d1)
    const dying = withBucketOf(tenant, {}, { auditDatabase: () => broken })
    await expect(reindexObjects(dying.system, '00')).rejects.toThrow('did not answer')
    const now = await seen(tenant)
    expect(now).toEqual(shown.filter((id) => now.includes(id)))
    await sweep(by)
    expect(await seen(tenant)).toEqual(shown)
    expect((await storesOf(tenant)).pages).toBe(2)
  },
)

test('an object that is not what its key says is reported and left, and the others are entered', async () => {
  const { tenant, pages, shown } = await arrange()
  const { system: by, lines } = withBucketOf(tenant)
  await moveChosen(by, tenant, firstPages(1))
  await moveChosen(by, tenant, firstPages(1))
  const [newer, older] = (await storesOf(tenant)).objects
  await goBack(tenant, pages.slice(2))
  const hash = async (bytes: Uint8Array<ArrayBuffer>) =>
    toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  const other = (await bucket.get(newer?.key ?? '')) ?? new Uint8Array(0)
  await bucket.put(older?.key ?? '', other, await hash(other))
  await bucket.put(`00/${tenant.tenantId}/a note`, other, await hash(other))
  expect(await reindex(by)).toEqual({ ...NOTHING, objects: 3, restored: 1, unreadable: 2 })
  expect(lines).toContainEqual(
    expect.objectContaining({ event: 'audit.object_unreadable', key: older?.key, alert: true }),
  )
  expect(await seen(tenant)).toEqual(shown.slice(0, 10))
})

test('an object of the same time that cannot be read holds up no other', async () => {
  const { tenant, pages, shown } = await arrange()
  const { system: by, events } = withBucketOf(tenant)
  await moveChosen(by, tenant)
  await goBack(tenant, pages.slice(0, 3))
  await moveChosen(by, tenant, firstPages(3))
  const [newer] = (await storesOf(tenant)).objects
  await bucket.delete([newer?.key ?? ''])
  expect(await reindex(by)).toEqual({ ...NOTHING, objects: 1, restored: 1 })
  expect(events()).toEqual(['audit.object_unreadable'])
  // As an operator does who gives the missing one up.
  await audit.write('delete from audit_objects where key = :key', { key: newer?.key ?? '' })
  expect(await seen(tenant)).toEqual(shown)
})

test('an object past its retention gets a row, by which the retention erases it', async () => {
  const { tenant, by } = await arrange()
  await moveChosen(by, tenant)
  const [object] = (await storesOf(tenant)).objects
  await goBack(tenant, [])
  travel(91 * DAY)
  expect(await reindex(by)).toEqual({ ...NOTHING, objects: 1, expired: 1 })
  await auditSweeps.find(({ name }) => name === 'audit.retention')?.run(by)
  expect(await bucket.head(object?.key ?? '')).toBeNull()
})

test('an object without a commit is left to its mover for ten minutes', async () => {
  const { tenant, by, shown } = await arrange()
  await moveChosen(by, tenant)
  await audit.write('update audit_objects set stored_at = null where tenant_id = :tenant', { tenant: tenant.tenantId })
  expect(await reindex(by)).toEqual({ ...NOTHING, objects: 1 })
  travel(HOUR)
  expect(await reindex(by)).toEqual({ ...NOTHING, objects: 1, restored: 1 })
  expect(await seen(tenant)).toEqual(shown)
})

test('where a mover takes the pages meanwhile the object is looked at once more', async () => {
  const { tenant, by, pages, shown } = await arrange()
  await moveChosen(by, tenant)
  await goBack(tenant, pages)
  let isFirst = true
  const d1 = new Proxy(env.AUDIT_DB, {
    get: (real, name) => {
      if (name !== 'batch') return Reflect.get(real, name).bind(real)
      return async (statements: D1PreparedStatement[]) => {
        if (statements.length === 2 && isFirst) {
          isFirst = false
          await moveChosen(by, tenant, firstPages(3))
        }
        return real.batch(statements)
      }
    },
  })
  const slow = new Database(d1)
  const startedAt = await ask()
  expect(await reindexObjects(withBucketOf(tenant, {}, { auditDatabase: () => slow }).system, '00')).toBe(false)
  expect(await reportOf(startedAt)).toMatchObject({ restored: 1, pages_deleted: 3 })
  expect(await seen(tenant)).toEqual(shown)
})

test('a run goes on in the next invocation where one has asked enough, and a bucket that is down delays it', async () => {
  const { tenant, by, pages, shown } = await arrange()
  for (let nth = 0; nth < 3; nth++) await moveChosen(by, tenant, firstPages(1))
  await goBack(tenant, pages.slice(3))
  const startedAt = await ask()
  const down = withBucketOf(tenant, { get: () => Promise.reject(unavailable('The object store')) })
  await expect(sweep(down.system)).rejects.toThrow('audit.reindex failed')
  let invocations = 0
  for (let more = true; more; invocations++) {
    const counted = budgeted(by)
    if (counted.queries) counted.queries.spent = 492
    more = await reindexObjects(counted, '00')
  }
  expect(invocations).toBeGreaterThan(2)
  expect(await reportOf(startedAt)).toEqual({ ...NOTHING, objects: 3, restored: 3 })
  expect(await seen(tenant)).toEqual(shown)
})

test('nobody lists the bucket unless a run was asked for', async () => {
  const { tenant } = await arrange()
  const silent = withBucketOf(tenant, { list: () => Promise.reject(new Error('the bucket was listed')) })
  await sweep(silent.system)
  await sweep(system)
  expect(silent.events()).toEqual([])
})
