import { expect, test } from 'vitest'
import { auditSweeps } from '../../../src/audit/index.ts'
import type { System } from '../../../src/core/context.ts'
import { archiving, arrangeRows, bucket, moveChosen, storesOf, walk } from '../../support/audit-objects.ts'
import { DAY, HOUR, MINUTE, travel } from '../../support/clock.ts'
import { newTenant, system } from '../../support/world.ts'

const retention = (by: System) => auditSweeps.find((sweep) => sweep.name === 'audit.retention')?.run(by)

/** A tenant with an object of two hours and one of the hour after, at the beginning of a day. */
async function arrange() {
  travel(0)
  travel(DAY - (system.now() % DAY))
  const tenant = await newTenant()
  const from = system.now() - DAY
  const ids = await arrangeRows(tenant, [from, from + HOUR, from + 2 * HOUR])
  const { system: by } = archiving()
  await moveChosen(by, tenant, (_, nth) => nth < 2)
  await moveChosen(by, tenant)
  /** Goes to an instant so long after the first row is past its retention. */
  const pass = (ms: number) => travel(from + system.config.auditRetentionDays * DAY + ms - system.now())
  const { objects } = await storesOf(tenant)
  return { tenant, ids: ids.toReversed(), keys: objects.map(({ key }) => key), by, pass }
}

test('rows of objects are shown AUDIT_RETENTION_DAYS, and an object is erased when all of it is past that', async () => {
  const { tenant, ids, keys, by, pass } = await arrange()
  const seen = async () => (await walk(by, tenant)).ids
  pass(0)
  expect(await seen()).toEqual(ids)
  pass(MINUTE)
  await retention(by)
  expect([await seen(), (await storesOf(tenant)).objects.length]).toEqual([ids.slice(0, 2), 2])
  pass(HOUR + MINUTE)
  expect(await seen()).toEqual(ids.slice(0, 1))
  await retention(by)
  expect((await storesOf(tenant)).objects.map(({ key }) => key)).toEqual(keys.slice(0, 1))
  expect([await bucket.head(keys[1] ?? ''), await bucket.head(keys[0] ?? '')]).toEqual([null, expect.anything()])
  pass(2 * HOUR + MINUTE)
  await retention(by)
  expect([await seen(), await bucket.head(keys[0] ?? '')]).toEqual([[], null])
})

test('what a mover put and never showed goes with its retention too', async () => {
  const { tenant, keys, by, pass } = await arrange()
  const audit = system.auditDatabase('00')
  await audit.write('update audit_objects set stored_at = null where tenant_id = :tenant', { tenant: tenant.tenantId })
  pass(3 * HOUR)
  await retention(by)
  expect((await storesOf(tenant)).reserved).toEqual([])
  expect(await Promise.all(keys.map((key) => bucket.head(key)))).toEqual([null, null])
})

test.each(['before', 'after'] as const)(
  'a bucket that is lost %s it erased: the next run does the rest',
  async (moment) => {
    const { tenant, keys, pass } = await arrange()
    pass(3 * HOUR)
    const failing = archiving({
      delete: async (all) => {
        if (moment === 'after') await bucket.delete(all)
        throw new Error('the store is down')
      },
    })
    await expect(retention(failing.system)).rejects.toThrow('audit.retention failed')
    expect((await storesOf(tenant)).objects).toHaveLength(2)
    expect((await walk(failing.system, tenant)).ids).toEqual([])
    await retention(archiving().system)
    expect((await storesOf(tenant)).reserved).toEqual([])
    expect(await Promise.all(keys.map((key) => bucket.head(key)))).toEqual([null, null])
  },
)
