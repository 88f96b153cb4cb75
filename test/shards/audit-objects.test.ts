import { expect, test } from 'vitest'
import { archiving, arrangeRows, bucket, moveDue, storesOf, walk } from '../support/audit-objects.ts'
import { DAY, HOUR, travel } from '../support/clock.ts'
import { SHARDS } from '../support/shards.ts'
import { newTenant, system } from '../support/world.ts'

async function arrange() {
  travel(0)
  const now = system.now()
  const from = now - (now % DAY) - 3 * DAY
  return Promise.all(
    SHARDS.map(async (shard) => {
      const tenant = await newTenant({ shard })
      return { shard, tenant, ids: (await arrangeRows(tenant, [from, from + HOUR])).toReversed() }
    }),
  )
}

test('all shards move into one bucket, each below its own name, and each tenant finds its rows', async () => {
  const all = await arrange()
  const { system: by } = archiving()
  await moveDue(by)
  for (const { shard, tenant, ids } of all) {
    const { objects, pages } = await storesOf(tenant)
    expect([objects.length, pages]).toEqual([1, 0])
    const key = objects[0]?.key ?? ''
    expect(key.startsWith(`${shard}/${tenant.tenantId}/`)).toBe(true)
    expect(await bucket.head(key)).not.toBeNull()
    expect((await walk(by, tenant)).ids).toEqual(ids)
  }
})

test('an audit database that is down holds up no other shard’s move', async () => {
  const all = await arrange()
  const down = () => {
    throw new Error('down')
  }
  const { system: by } = archiving()
  const failing = { ...by, auditDatabase: (shard: string) => (shard === '01' ? down() : by.auditDatabase(shard)) }
  await expect(moveDue(failing)).rejects.toThrow('audit.move_pages failed in 1 shards')
  const moved = await Promise.all(all.map(async ({ tenant }) => (await storesOf(tenant)).objects.length))
  expect(moved).toEqual([1, 0, 1])
  for (const { tenant, ids } of all) expect((await walk(by, tenant)).ids).toEqual(ids)
})
