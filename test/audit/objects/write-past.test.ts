import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { emptyMessage, type AuditMessage } from '../../../src/audit/message.ts'
import { PAST_DATABASE_CHARACTERS } from '../../../src/audit/objects/write-past.ts'
import { storeMessages } from '../../../src/audit/store.ts'
import type { AuditRow } from '../../../src/audit/index.ts'
import type { System } from '../../../src/core/context.ts'
import { Database } from '../../../src/core/database/database.ts'
import { unavailable } from '../../../src/core/errors.ts'
import { archiving, bucket, storesOf, walk } from '../../support/audit-objects.ts'
import { auditRowOf } from '../../support/audit.ts'
import { travel } from '../../support/clock.ts'
import { newTenant, system, type Tenant } from '../../support/world.ts'

const IDS = Array.from({ length: 300 }, (_, nth) => `mem_${String(nth).padStart(26, '0')}`)

/** Messages of a tenant with long rows, of so many characters in all. */
function messagesOf(tenant: Tenant, characters: number, a = 20): AuditMessage[] {
  const rows: AuditRow[] = []
  for (let size = 0, nth = 0; size < characters; nth++) {
    const at = new Date(system.now() + nth).toISOString()
    const row = { ...auditRowOf(tenant), at, resource_ids: IDS }
    rows.push(row)
    size += JSON.stringify(row).length
  }
  const shuffled = rows.toSorted((x, y) => (x.request_id + x.id.slice(-3) < y.request_id + y.id.slice(-3) ? -1 : 1))
  return Array.from({ length: Math.ceil(rows.length / a) }, (_, nth) => ({
    ...emptyMessage(),
    id: system.newId('aud'),
    counts: { [`${tenant.tenantId} ${tenant.userId} memory.list ok 0`]: 1 },
    rows: shuffled.slice(nth * a, (nth + 1) * a),
  }))
}

const idsOf = (messages: readonly AuditMessage[]) => messages.flatMap(({ rows }) => rows.map(({ id }) => id)).sort()
const seenBy = async (by: System, tenant: Tenant) => (await walk(by, tenant, { limit: 100 })).ids.toSorted()
const counted = (tenant: Tenant) =>
  system.auditDatabase('00').first('select sum(count) as count from usage_counts where tenant_id = ?', tenant.tenantId)

test('a batch with very many rows of one tenant becomes objects; the rows of others become pages', async () => {
  travel(0)
  const [busy, calm] = [await newTenant(), await newTenant()]
  const { system: by } = archiving()
  const [many, few] = [messagesOf(busy, 2.5 * 1024 * 1024), messagesOf(calm, PAST_DATABASE_CHARACTERS - 12_000)]
  await storeMessages(by, '00', [...many, ...few])
  const { objects, pages } = await storesOf(busy)
  expect([objects.length, pages]).toEqual([2, 0])
  expect(objects.map((one) => one.pages)).toEqual([1, 1])
  expect((await storesOf(calm)).objects).toEqual([])
  expect(await seenBy(by, busy)).toEqual(idsOf(many))
  expect(await seenBy(by, calm)).toEqual(idsOf(few))
})

test('a message that comes twice, alone or with others, is stored and counted once', async () => {
  travel(0)
  const tenant = await newTenant()
  const { system: by } = archiving()
  const messages = messagesOf(tenant, 2 * PAST_DATABASE_CHARACTERS)
  const more = messagesOf(tenant, PAST_DATABASE_CHARACTERS)
  await Promise.allSettled([storeMessages(by, '00', messages), storeMessages(by, '00', messages)])
  await storeMessages(by, '00', [...messages, ...more])
  await storeMessages(by, '00', more.toReversed())
  expect(await seenBy(by, tenant)).toEqual(idsOf([...messages, ...more]))
  expect(await counted(tenant)).toEqual({ count: messages.length + more.length })
})

test.each(['put', 'head'] as const)('where the bucket fails at %s the database gets the rows', async (call) => {
  travel(0)
  const tenant = await newTenant()
  const failing = archiving({
    put: async (...all) => {
      await bucket.put(...all)
      if (call === 'put') throw unavailable('The object store')
    },
    ...(call === 'head' ? { head: () => Promise.resolve({ bytes: 1, sha256: null }) } : {}),
  })
  const messages = messagesOf(tenant, 2 * PAST_DATABASE_CHARACTERS)
  await storeMessages(failing.system, '00', messages)
  expect(failing.events()).toEqual(['audit.not_written_past'])
  const { objects, pages } = await storesOf(tenant)
  expect(objects).toEqual([])
  expect(pages).toBeGreaterThan(3)
  expect(await seenBy(failing.system, tenant)).toEqual(idsOf(messages))
  await storeMessages(archiving().system, '00', messages)
  expect(await seenBy(failing.system, tenant)).toEqual(idsOf(messages))
})

test.each([
  [1, 'before'],
  [1, 'after'],
  [2, 'before'],
  [2, 'after'],
] as const)('a consumer that dies at commit %d, %s it, stores each row once in the end', async (nth, moment) => {
  travel(0)
  const tenant = await newTenant()
  let commits = 0
  const d1 = new Proxy(env.AUDIT_DB, {
    get: (real, name) => {
      if (name !== 'batch') return Reflect.get(real, name).bind(real)
      return async (statements: D1PreparedStatement[]) => {
        commits += 1
        const results = commits === nth && moment === 'before' ? null : await real.batch(statements)
        // What comes after the death does not happen.
        if (commits >= nth) throw new Error('D1_ERROR: Network connection lost.')
        return results
      }
    },
  })
  const broken = new Database(d1)
  const dying = archiving({}, { auditDatabase: () => broken })
  const messages = messagesOf(tenant, 2 * PAST_DATABASE_CHARACTERS)
  await expect(storeMessages(dying.system, '00', messages)).rejects.toThrow('did not answer')
  const { system: by } = archiving()
  await storeMessages(by, '00', messages)
  expect(await seenBy(by, tenant)).toEqual(idsOf(messages))
  expect(await counted(tenant)).toEqual({ count: messages.length })
})

test('without a bucket a batch of megabytes becomes pages that D1 takes', async () => {
  travel(0)
  const tenant = await newTenant()
  const messages = messagesOf(tenant, 2.5 * 1024 * 1024)
  await storeMessages(system, '00', messages)
  const longest = await system
    .auditDatabase('00')
    .first<{ size: number }>('select max(length(rows)) as size from audit_pages where tenant_id = ?', tenant.tenantId)
  expect(longest?.size).toBeLessThan(130 * 1024)
  expect(await seenBy(system, tenant)).toEqual(idsOf(messages))
})
