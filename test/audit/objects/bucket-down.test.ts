/** @module-tag long */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { auditInsert, type AuditRow } from '../../../src/audit/index.ts'
import { emptyMessage } from '../../../src/audit/message.ts'
import { moveOutbox } from '../../../src/audit/move-outbox.ts'
import { ROOMY_BYTES } from '../../../src/audit/objects/due.ts'
import { storeMessages } from '../../../src/audit/store.ts'
import { Database } from '../../../src/core/database/database.ts'
import { unavailable } from '../../../src/core/errors.ts'
import { archiving, bucket, moveDue, storesOf, walk } from '../../support/audit-objects.ts'
import { auditRowOf } from '../../support/audit.ts'
import { MINUTE, travel } from '../../support/clock.ts'
import { db, newTenant, system, type Tenant } from '../../support/world.ts'

const STEP_MS = 5 * MINUTE
const STEPS_OF_HOUR = 12
/** A batch of the busy tenant, some 290 KiB. */
const ROWS_OF_BATCH = 30
const LONG = Array.from({ length: 10 }, (_, nth) => `mem_${nth}${'x'.repeat(970)}`)
/** Of an audit database that so many accesses a second would fill to 5 GiB in the hour. */
const TIMES_LARGER = 1_500

/** A bucket that a test switches off, and an audit database that is as large as its rows are many. */
function arrange() {
  const state = { isDown: false }
  const call = <Result>(work: () => Promise<Result>): Promise<Result> =>
    state.isDown ? Promise.reject(unavailable('The object store')) : work()
  class Sized extends Database {
    override async size() {
      const found = await this.first<{ bytes: number | null }>(
        'select sum(octet_length(rows)) as bytes from audit_pages',
      )
      return (found?.bytes ?? 0) * TIMES_LARGER
    }
  }
  const audit = new Sized(env.AUDIT_DB)
  const by = archiving(
    {
      put: (...all) => call(() => bucket.put(...all)),
      head: (key) => call(() => bucket.head(key)),
      get: (key) => call(() => bucket.get(key)),
    },
    { auditDatabase: () => audit },
  )
  return { ...by, state, audit }
}

/** Rows of this minute, a second apart. Ids follow time as those of a real clock do. */
function rowsOf(tenant: Tenant, many: number, resource_ids: string[] = []): AuditRow[] {
  const ids = Array.from({ length: many }, () => system.newId('aud')).sort()
  return ids.map((id, nth) => {
    const at = new Date(system.now() + nth * 1_000).toISOString()
    return { ...auditRowOf(tenant), id, at, resource_ids }
  })
}

test('contract §3: a bucket is down for an hour; every row of it is in the log once, in order, and the database is small again', async () => {
  travel(0)
  const { system: by, state, audit, events } = arrange()
  await audit.write('delete from audit_pages')
  const [busy, calm] = [await newTenant(), await newTenant()]
  const stored = new Map<Tenant, AuditRow[]>([
    [busy, []],
    [calm, []],
  ])
  const add = (tenant: Tenant, rows: AuditRow[]) => void stored.get(tenant)?.unshift(...rows.toReversed())

  /** What consumers, the outbox and the mover do in five minutes. Answers whether the mover failed. */
  const live = async (): Promise<boolean> => {
    travel(STEP_MS)
    const [ofBusy, ofCalm] = [rowsOf(busy, ROWS_OF_BATCH, LONG), rowsOf(calm, 2)]
    await storeMessages(by, '00', [{ ...emptyMessage(), id: system.newId('aud'), rows: [...ofBusy, ...ofCalm] }])
    add(busy, ofBusy)
    add(calm, ofCalm)
    travel(MINUTE)
    const [written] = rowsOf(calm, 1)
    if (written) {
      await db.batch([auditInsert(by, db, written)])
      await moveOutbox(by, '00')
      add(calm, [written])
    }
    return moveDue(by).then(
      () => false,
      () => true,
    )
  }
  const seen = async (tenant: Tenant, filter = {}) =>
    (await walk(by, tenant, { limit: 40, filter })).rows.map(({ id }) => id)
  const expected = (tenant: Tenant) => (stored.get(tenant) ?? []).map(({ id }) => id)

  expect([await live(), await live()]).toEqual([false, false])
  expect((await storesOf(busy)).objects).toEqual([])

  state.isDown = true
  const since = system.now() + 1
  const failed = []
  for (let step = 0; step < STEPS_OF_HOUR; step++) {
    failed.push(await live())
    for (const tenant of [busy, calm])
      expect(await seen(tenant, { since })).toEqual(
        expected(tenant).slice(0, -2 * (tenant === busy ? ROWS_OF_BATCH : 3)),
      )
  }
  expect(failed).toContain(true)
  expect(new Set(events())).toEqual(new Set(['audit.pages_not_moved', 'sweep.shard_failed']))
  expect(await audit.size()).toBeGreaterThan(ROOMY_BYTES)

  state.isDown = false
  expect(await live()).toBe(false)
  expect(await audit.size()).toBeLessThan(ROOMY_BYTES)
  for (const tenant of [busy, calm]) expect(await seen(tenant)).toEqual(expected(tenant))
  const { objects } = await storesOf(busy)
  expect(objects.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(STEPS_OF_HOUR * ROWS_OF_BATCH)
})
