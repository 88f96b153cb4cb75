/** @module-tag long */
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { encodeTime } from 'ulidx'
import { expect, test } from 'vitest'
import type { AuditFilter } from '../../../src/audit/index.ts'
import { MAX_OPENED } from '../../../src/audit/objects/merge.ts'
import { Database } from '../../../src/core/database/database.ts'
import { archiving, arrangeRows, bucket, moveChosen, storesOf, walk } from '../../support/audit-objects.ts'
import { DAY, HOUR, MINUTE, travel } from '../../support/clock.ts'
import { newTenant, system } from '../../support/world.ts'

const dayAgo = (): number => {
  const now = system.now()
  return now - (now % DAY) - DAY
}

const AGENT = { kind: 'access', id: 'tok_a', environment: null, app_id: 'https://agent.example/client.json' }
/** The request of the last rows, which are of an hour later. */
const requestAt = (from: number): string => `req_${encodeTime(from + 59 * MINUTE, 10)}${'0'.repeat(16)}`

const FILTERS: ((ids: { from: number; tenant: { projectId: string; userId: string } }) => AuditFilter)[] = [
  () => ({}),
  () => ({ action: 'memory.delete' }),
  () => ({ resource_id: 'mem_b' }),
  ({ tenant }) => ({ project_id: tenant.projectId }),
  ({ tenant }) => ({ actor: tenant.userId }),
  () => ({ actor: 'usr_other' }),
  () => ({ page_reads: 'exclude' }),
  () => ({ credential_id: 'key_hidden' }),
  () => ({ credential_id: AGENT.id }),
  () => ({ app_id: AGENT.app_id }),
  () => ({ outcome: 'not_found' }),
  ({ from }) => ({ request_id: requestAt(from) }),
  () => ({ app_id: AGENT.app_id, outcome: 'success' }),
  ({ from }) => ({ since: from + 20 * MINUTE }),
  ({ from }) => ({ until: from + 40 * MINUTE }),
  ({ from }) => ({ since: from + 10 * MINUTE, until: from + 50 * MINUTE, action: 'projects.create' }),
]

/** How pages lie: how many, how many minutes apart, and which of them go into which object between which answers. */
const cases = fc.record({
  minutes: fc.array(fc.integer({ min: 0, max: 70 }), { minLength: 1, maxLength: 14 }),
  before: fc.array(fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }), { maxLength: 6 }),
  between: fc.array(fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }), { maxLength: 4 }),
  limit: fc.integer({ min: 1, max: 6 }),
  rowsAPage: fc.integer({ min: 1, max: 3 }),
})

test('contract §3: wherever rows lie, overlapping and moved between two answers, a walk shows the same in the same order', async () => {
  travel(0)
  const from = dayAgo()
  const { system: by } = archiving()
  await fc.assert(
    fc.asyncProperty(cases, async ({ minutes, before, between, limit, rowsAPage }) => {
      const tenant = await newTenant()
      await arrangeRows(
        tenant,
        minutes.map((minute) => from + minute * MINUTE),
        { rowsAPage },
      )
      const all = await walk(by, tenant, { limit })
      for (const chosen of before) await moveChosen(by, tenant, (_, nth) => chosen[nth] ?? false)
      const steps = between.values()
      const moved = await walk(by, tenant, {
        limit,
        between: async () => {
          const chosen = steps.next().value
          if (chosen) await moveChosen(by, tenant, (_, nth) => chosen[nth] ?? false)
        },
      })
      expect(moved.rows).toEqual(all.rows)
    }),
    { numRuns: 12 },
  )
})

test('contract §3: each filter and each scope finds in objects what it found in the database', async () => {
  travel(0)
  const from = dayAgo()
  const tenant = await newTenant()
  const kinds = [
    { action: 'memory.delete', resource_ids: ['mem_a', 'mem_b'] },
    { project_id: tenant.projectId, actor: 'usr_other' },
    { workspace_id: tenant.workspaceId, actor: 'usr_other', page_read: true as const },
    { actor: 'usr_hidden', credential: { kind: 'key', id: 'key_hidden', environment: 'live', app_id: null } },
    { actor: 'usr_other' },
    {
      actor: 'usr_other',
      project_id: tenant.projectId,
      credential: AGENT,
      outcome: 'not_found',
      request_id: requestAt(from),
    },
  ]
  for (const [nth, row] of kinds.entries())
    await arrangeRows(tenant, [from + nth * 12 * MINUTE, from + (nth * 12 + 1) * MINUTE], { row })
  const { system: by } = archiving()
  const found = async () =>
    Promise.all(
      FILTERS.map((filter) => walk(by, tenant, { filter: filter({ from, tenant }) }).then(({ rows }) => rows)),
    )
  const before = await found()
  await moveChosen(by, tenant)
  expect((await storesOf(tenant)).pages).toBe(0)
  expect(await found()).toEqual(before)
  expect(before.map((rows) => rows.length)).toEqual([10, 2, 2, 4, 2, 8, 8, 0, 2, 2, 2, 2, 0, 6, 6, 6])
})

test('contract §3: an answer opens four objects at most and may hold no row; its cursor goes on', async () => {
  travel(0)
  const from = dayAgo()
  const tenant = await newTenant()
  const ids = await arrangeRows(
    tenant,
    Array.from({ length: 11 }, (_, nth) => from + nth * HOUR),
  )
  const opened: number[] = []
  let since = 0
  const get = (key: string) => {
    since += 1
    return bucket.get(key)
  }
  const { system: by } = archiving({ get })
  for (let nth = 0; nth < 11; nth++) await moveChosen(by, tenant, (_, at) => at === 0)
  const between = () => {
    opened.push(since)
    since = 0
    return Promise.resolve()
  }
  expect((await walk(by, tenant, { limit: 100, between })).ids).toEqual(ids.toReversed())
  expect([...opened, since]).toEqual([MAX_OPENED, MAX_OPENED, 3])
  opened.length = 0
  since = 0
  expect((await walk(by, tenant, { filter: { action: 'memory.none' }, between })).ids).toEqual([])
  expect([...opened, since]).toEqual([MAX_OPENED, MAX_OPENED, 3])
})

test('objects that lie across one another hold no walk up, however many they are', async () => {
  travel(0)
  const from = dayAgo()
  const tenant = await newTenant()
  const ids = await arrangeRows(
    tenant,
    Array.from({ length: 21 }, (_, nth) => from + nth * MINUTE),
  )
  const { system: by } = archiving()
  // Each holds a page of the beginning and one of the end.
  for (let nth = 0; nth < 10; nth++)
    await moveChosen(by, tenant, (_, at) => at === 0 || at === Math.floor((21 - 2 * nth) / 2) + 1)
  expect((await storesOf(tenant)).objects).toHaveLength(10)
  const { rows } = await walk(by, tenant, { limit: 2 })
  expect(rows.map(({ id }) => id)).toEqual(ids.toReversed())
})

test('an answer that its rows fill where a round ends says that there is more', async () => {
  travel(0)
  const tenant = await newTenant()
  const ids = await arrangeRows(
    tenant,
    Array.from({ length: 102 }, (_, nth) => dayAgo() + nth * MINUTE),
  )
  const { system: by } = archiving()
  expect((await walk(by, tenant, { limit: 100 })).ids).toEqual(ids.toReversed())
})

test('contract §3: a page that moves inside an answer, before and after its look at the database, is shown once', async () => {
  travel(0)
  const from = dayAgo()
  const tenant = await newTenant()
  const ids = await arrangeRows(
    tenant,
    Array.from({ length: 24 }, (_, nth) => from + nth * MINUTE),
  )
  const { system: mover } = archiving()
  await moveChosen(mover, tenant, (_, nth) => nth % 6 === 0)
  let moves = 0
  const moveOne = async () => {
    moves += 1
    // The newest one that is left lies before what was shown, the oldest one behind it.
    await moveChosen(mover, tenant, (_, nth) => nth === (moves % 2 === 0 ? 0 : 3))
  }
  class Moving extends Database {
    override async batch<Rows extends unknown[]>(
      statements: D1PreparedStatement[],
    ): Promise<{ [K in keyof Rows]: Rows[K][] }> {
      await moveOne()
      const rows = await super.batch<Rows>(statements)
      await moveOne()
      return rows
    }
  }
  const moving = new Moving(env.AUDIT_DB)
  const get = async (key: string) => {
    await moveOne()
    return bucket.get(key)
  }
  const { system: by } = archiving({ get }, { auditDatabase: () => moving })
  expect((await walk(by, tenant, { limit: 5 })).ids).toEqual(ids.toReversed())
  expect(moves).toBeGreaterThan(12)
})
