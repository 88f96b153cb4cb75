/** @module-tag long */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { CROWDED_BYTES, ROOMY_BYTES } from '../../../src/audit/objects/due.ts'
import { movePages, OBJECTS_A_RUN } from '../../../src/audit/objects/move-pages.ts'
import { pageStatements, toPages } from '../../../src/audit/pages.ts'
import { budgeted } from '../../../src/core/queue.ts'
import { Database } from '../../../src/core/database/database.ts'
import { unavailable } from '../../../src/core/errors.ts'
import type { ObjectHead } from '../../../src/core/ports.ts'
import { pinClock } from '../../../src/core/values/clock.ts'
import { DAY, HOUR, MINUTE, travel } from '../../support/clock.ts'
import { archiving, arrangeRows, bucket, moveDue, storesOf, walk } from '../../support/audit-objects.ts'
import { auditRowOf } from '../../support/audit.ts'
import { newTenant, system, type Tenant } from '../../support/world.ts'

/** The beginning of an hour, so many days ago. */
const hourOf = (daysAgo: number): number => {
  const now = system.now()
  return now - (now % DAY) - daysAgo * DAY
}

test('pages of two days ago are moved into objects of a tenant and a day, and a list shows the same as before', async () => {
  travel(0)
  const tenant = await newTenant()
  const old = hourOf(4)
  const instants = [0, 1, 2, 25, 26, 4 * 24].map((hours) => old + hours * HOUR)
  const ids = await arrangeRows(tenant, instants)
  const { system: by } = archiving()
  const before = await walk(by, tenant)
  expect(before.ids).toEqual(ids.toReversed())
  await moveDue(by)
  const { objects, pages } = await storesOf(tenant)
  expect([objects.map((one) => one.pages), pages]).toEqual([[2, 3], 1])
  expect((await walk(by, tenant)).rows).toEqual(before.rows)
  for (const { key, bytes } of objects) expect(await bucket.head(key)).toMatchObject({ bytes })
  expect(objects[1]?.key).toMatch(
    new RegExp(
      `^00/${tenant.tenantId}/${new Date(old).toISOString().slice(0, 13)}/aud_\\w+-aud_\\w+-[0-9a-f]{64}\\.jsonl\\.gz$`,
    ),
  )
})

test('a walk shows each row once where pages are moved between each two answers', async () => {
  travel(0)
  const tenant = await newTenant()
  const instants = Array.from({ length: 23 }, (_, nth) => hourOf(5) + nth * 3 * HOUR + MINUTE)
  const ids = await arrangeRows(tenant, instants, { rowsAPage: 2 })
  const { system: by } = archiving()
  let moves = 0
  // Two days later each step makes a few more pages due.
  const between = async () => {
    moves += 1
    travel(6 * HOUR)
    await moveDue(by)
  }
  travel(-3 * DAY)
  const { ids: seen } = await walk(by, tenant, { limit: 2, between })
  expect(seen).toEqual(ids.toReversed())
  expect(moves).toBeGreaterThan(8)
  expect((await storesOf(tenant)).objects.length).toBeGreaterThan(1)
})

const OLD_HOURS = [0, 1, 2]

/** A tenant with pages that are due, and what a list shows of them. */
async function withDuePages() {
  travel(0)
  const tenant = await newTenant()
  const ids = await arrangeRows(
    tenant,
    OLD_HOURS.map((hours) => hourOf(4) + hours * HOUR),
  )
  return { tenant, shown: ids.toReversed() }
}

const expectOneObject = async (tenant: Tenant, shown: string[]) => {
  const { objects, reserved, pages } = await storesOf(tenant)
  expect([objects.length, reserved.length, pages]).toEqual([1, 1, 0])
  expect((await walk(archiving().system, tenant)).ids).toEqual(shown)
}

/** A run in which the pages of a tenant do not move. It fails where nothing else moves. */
async function moveWithout(tenant: Tenant, by: ReturnType<typeof archiving>): Promise<void> {
  await moveDue(by.system).catch(() => {})
  expect(by.lines).toContainEqual(
    expect.objectContaining({ event: 'audit.pages_not_moved', tenant_id: tenant.tenantId }),
  )
}

const LOST = new Error('the connection is lost')
const notFor = (tenant: Tenant, key: string): boolean => !key.includes(tenant.tenantId)

test.each([
  ['the bucket is down', 'before'],
  ['the object is put and the answer lost', 'after'],
] as const)('%s: the pages stay, and the next run moves them, once', async (_, moment) => {
  const { tenant, shown } = await withDuePages()
  const failing = archiving({
    put: async (key, bytes, sha256) => {
      if (notFor(tenant, key) || moment === 'after') await bucket.put(key, bytes, sha256)
      if (!notFor(tenant, key)) throw unavailable('The object store', LOST)
    },
  })
  for (let minutes = 0; minutes < 3; minutes++) {
    await moveWithout(tenant, failing)
    expect((await walk(failing.system, tenant)).ids).toEqual(shown)
  }
  expect((await storesOf(tenant)).objects).toEqual([])
  await moveDue(archiving().system)
  await expectOneObject(tenant, shown)
})

test.each<[string, (head: ObjectHead) => ObjectHead | null]>([
  ['another size', (head) => ({ ...head, bytes: head.bytes - 1 })],
  ['another hash', (head) => ({ ...head, sha256: '0'.repeat(64) })],
  ['no hash', (head) => ({ ...head, sha256: null })],
  ['nothing', () => null],
])('a bucket that takes an object and then shows %s keeps no page out of the database', async (_, lie) => {
  const { tenant, shown } = await withDuePages()
  const lying = archiving({
    head: async (key) => {
      const head = await bucket.head(key)
      return head && !notFor(tenant, key) ? lie(head) : head
    },
  })
  await moveWithout(tenant, lying)
  expect(await storesOf(tenant)).toMatchObject({ objects: [], pages: OLD_HOURS.length })
  expect((await walk(lying.system, tenant)).ids).toEqual(shown)
  await moveDue(archiving().system)
  await expectOneObject(tenant, shown)
})

test.each([1, 2].flatMap((nth) => ['before', 'after'].map((moment) => [nth, moment] as const)))(
  'a mover that dies at its commit number %d, %s it, loses no row and shows none twice',
  async (nth, moment) => {
    const { tenant, shown } = await withDuePages()
    // Other tenants' pages are out of the way, so that the commits are of this one.
    await moveDue(archiving().system)
    const again = await arrangeRows(tenant, [hourOf(3), hourOf(3) + HOUR])
    let commits = 0
    const d1 = new Proxy(env.AUDIT_DB, {
      get: (real, name) => {
        if (name !== 'batch') return Reflect.get(real, name).bind(real)
        return async (statements: D1PreparedStatement[]) => {
          commits += 1
          if (commits === nth && moment === 'before') throw new Error('D1_ERROR: Network connection lost.')
          const results = await real.batch(statements)
          if (commits === nth) throw new Error('D1_ERROR: Network connection lost.')
          return results
        }
      },
    })
    const broken = new Database(d1)
    const dying = archiving({}, { auditDatabase: () => broken })
    await moveWithout(tenant, dying)
    const all = [...again.toReversed(), ...shown]
    expect((await walk(archiving().system, tenant)).ids).toEqual(all)
    await moveDue(archiving().system)
    const { objects, reserved, pages } = await storesOf(tenant)
    expect([objects.length, reserved.length, pages]).toEqual([2, 2, 0])
    expect((await walk(archiving().system, tenant)).ids).toEqual(all)
  },
)

test('movers at once move each page once, also where one of them sees more pages', async () => {
  const { tenant, shown } = await withDuePages()
  const { system: by } = archiving()
  await Promise.all([moveDue(by), moveDue(by), moveDue(by)])
  await expectOneObject(tenant, shown)
  const before = await arrangeRows(tenant, [hourOf(5)])
  let happened = false
  const slow = archiving({
    put: async (key, bytes, sha256) => {
      if (!notFor(tenant, key) && !happened) {
        happened = true
        before.push(...(await arrangeRows(tenant, [hourOf(5) + 1])))
        await moveDue(by)
      }
      await bucket.put(key, bytes, sha256)
    },
  })
  await moveDue(slow.system)
  const { objects, reserved, pages } = await storesOf(tenant)
  // What the slower one put stays unseen.
  expect([objects.length, reserved.length, pages]).toEqual([2, 3, 0])
  expect((await walk(by, tenant)).ids).toEqual([...shown, ...before.toReversed()])
})

test('a row that is late for its hour is found in its place', async () => {
  const { tenant, shown } = await withDuePages()
  const { system: by } = archiving()
  await moveDue(by)
  const [late = ''] = await arrangeRows(tenant, [hourOf(4) + 30 * MINUTE])
  const expected = [...shown.slice(0, 2), late, ...shown.slice(2)]
  expect((await walk(by, tenant, { limit: 1 })).ids).toEqual(expected)
  await moveDue(by)
  expect((await storesOf(tenant)).pages).toBe(0)
  expect((await walk(by, tenant, { limit: 1 })).ids).toEqual(expected)
})

/** The system with a bucket, whose audit database seems to have so many bytes. */
function ofSize(bytes: number) {
  class Sized extends Database {
    override size = () => Promise.resolve(bytes)
  }
  const put: string[] = []
  const by = archiving(
    { put: (key, ...rest) => (put.push(key.split('/')[1] ?? ''), bucket.put(key, ...rest)) },
    { auditDatabase: () => new Sized(env.AUDIT_DB) },
  )
  return { system: by.system, put }
}

test('a large database gives up closed hours, of the tenants with most bytes first, until it is small enough', async () => {
  await moveDue(archiving().system)
  const large = await newTenant()
  const small = await Promise.all(Array.from({ length: 5 }, () => newTenant()))
  const from = hourOf(3)
  // The pages of other tests are newer than this clock, so only these are of closed hours.
  pinClock(from + HOUR + 10 * MINUTE)
  for (const tenant of small) await arrangeRows(tenant, [from])
  await arrangeRows(large, [from + 1, from + MINUTE, from + HOUR])
  const one = ofSize(ROOMY_BYTES + 1)
  await moveDue(one.system)
  expect(one.put).toContain(large.tenantId)
  // Four tenants at once, and none after them.
  expect(one.put.length).toBeLessThanOrEqual(4)
  expect((await storesOf(large)).pages).toBe(1)
  const crowded = ofSize(CROWDED_BYTES)
  await moveDue(crowded.system)
  for (const tenant of [large, ...small]) expect((await storesOf(tenant)).pages).toBe(0)
})

test('a tenant whose objects are refused holds up no other, and a run fails where nothing moves', async () => {
  await moveDue(archiving().system)
  const [refused, other] = [await withDuePages(), await withDuePages()]
  const refusing = archiving({
    put: async (key, bytes, sha256) => {
      if (!notFor(refused.tenant, key)) throw unavailable('The object store', LOST)
      await bucket.put(key, bytes, sha256)
    },
  })
  expect(await movePages(refusing.system, '00')).toBe(false)
  expect(refusing.events()).toEqual(['audit.pages_not_moved'])
  await expectOneObject(other.tenant, other.shown)
  await expect(movePages(refusing.system, '00')).rejects.toThrow('pages of shard 00 were not moved')
  expect((await walk(refusing.system, refused.tenant)).ids).toEqual(refused.shown)
  await moveDue(archiving().system)
  await expectOneObject(refused.tenant, refused.shown)
})

test('a run puts no more objects than it may, however many tenants it works on at once', async () => {
  await moveDue(archiving().system)
  travel(0)
  const tenants = await Promise.all(Array.from({ length: 3 }, () => newTenant()))
  // A day is an object of its own.
  const days = Math.ceil(OBJECTS_A_RUN / tenants.length) + 1
  const rows = tenants.flatMap((tenant) =>
    Array.from({ length: days }, (_, nth) => ({ ...auditRowOf(tenant), at: new Date(hourOf(4 + nth)).toISOString() })),
  )
  const audit = system.auditDatabase('00')
  const pages = rows.flatMap((row) => toPages(system.newId('aud'), [row]))
  await audit.batch(pageStatements(audit, pages))
  let put = 0
  const { system: by } = archiving({
    put: async (...all) => {
      put += 1
      await bucket.put(...all)
    },
  })
  expect(await movePages(by, '00')).toBe(true)
  expect(put).toBe(OBJECTS_A_RUN)
  expect(await movePages(by, '00')).toBe(false)
  for (const tenant of tenants) expect((await storesOf(tenant)).pages).toBe(0)
})

test('without a bucket nothing is moved', async () => {
  const { tenant, shown } = await withDuePages()
  await moveDue(system)
  expect(await storesOf(tenant)).toMatchObject({ reserved: [], pages: OLD_HOURS.length })
  expect((await walk(system, tenant)).ids).toEqual(shown)
})

test('a run begins no further object once its invocation has asked enough of D1, and says that there is more', async () => {
  const { tenant, shown } = await withDuePages()
  const { system: by } = archiving()
  const spent = budgeted(by)
  if (spent.queries) spent.queries.spent = 500
  expect(await movePages(spent, '00')).toBe(true)
  expect((await storesOf(tenant)).pages).toBe(OLD_HOURS.length)
  expect(await movePages(budgeted(by), '00')).toBe(false)
  await expectOneObject(tenant, shown)
})
