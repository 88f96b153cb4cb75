/** @module-tag long */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { auditSweeps } from '../../src/audit/index.ts'
import { bucketOf, BUCKETS, DURATION_BOUNDS_MS } from '../../src/audit/durations.ts'
import { emptyMessage } from '../../src/audit/message.ts'
import { storeMessages } from '../../src/audit/store.ts'
import { Database } from '../../src/core/database/database.ts'
import { DAY, HOUR, inOneInstant, travel } from '../support/clock.ts'
import { messageOf, storeRequests } from '../support/hours.ts'
import { observedDatabase } from '../support/observed-database.ts'
import { until } from '../support/until.ts'
import { call, newSession, newTenant, system, type Tenant } from '../support/world.ts'

const audit = system.auditDatabase('00')
const NOON = Date.UTC(2026, 10, 22, 12)

interface Row {
  at: number
  operation: string
  credential: string
  project_id: string
  outcome: string
  total_ms: number
  requests: number
}
const SUM = Array.from({ length: BUCKETS }, (_, bucket) => `d${bucket}`).join(' + ')
const rowsOf = ({ tenantId }: Tenant) =>
  audit.all<Row>(
    `select at, operation, credential, project_id, outcome, total_ms, ${SUM} as requests from request_hours
     where tenant_id = :tenant order by at, operation, outcome`,
    { tenant: tenantId },
  )

test('a duration belongs to the first bucket whose bound it does not exceed', () => {
  expect([0, 5, 6, 10, 5_000, 5_001, 1e9].map(bucketOf)).toEqual([0, 0, 1, 1, 9, 10, 10])
  expect(DURATION_BOUNDS_MS.map(bucketOf)).toEqual(DURATION_BOUNDS_MS.map((_, bucket) => bucket))
})

test('each request adds to the row of its hour, operation, credential, project and outcome', async () => {
  const tenant = await newTenant()
  const { key, keyId, projectId } = tenant
  const headers = await newSession(tenant)
  const store = (context: object) => call('POST', '/api/memory/store', { key, body: { content: 'A text.', context } })
  await inOneInstant(async () => {
    expect((await store({})).status).toBe(201)
    expect((await store({ project_id: 'prj_x' })).status).toBe(404)
    await call('GET', '/v1/projects', { headers })
  })
  await until(async () => {
    expect(await rowsOf(tenant)).toMatchObject([
      { operation: 'memory.store', credential: keyId, project_id: projectId, outcome: 'ok', requests: 1 },
      // An id that a refused request names may be of nobody.
      { operation: 'memory.store', credential: keyId, project_id: '', outcome: 'refused', requests: 1 },
      { operation: 'projects.list', credential: 'session', project_id: '', outcome: 'ok', requests: 1 },
    ])
  })
})

test('the last millisecond of an hour and the first of the next are two rows', async () => {
  const user = await newTenant()
  await storeRequests({ user, at: NOON - 1, durations: [3] }, { user, at: NOON, durations: [4, 5] })
  expect(await rowsOf(user)).toMatchObject([
    { at: NOON - HOUR, total_ms: 3, requests: 1 },
    { at: NOON, total_ms: 9, requests: 2 },
  ])
})

test('a message that is delivered twice, also at once, adds once; two messages add both', async () => {
  const user = await newTenant()
  const message = messageOf([{ user, at: NOON, durations: [1, 2_000] }])
  await Promise.allSettled([storeMessages(system, '00', [message]), storeMessages(system, '00', [message])])
  await storeMessages(system, '00', [message])
  expect(await rowsOf(user)).toMatchObject([{ total_ms: 2_001, requests: 2 }])
  await storeMessages(system, '00', [messageOf([{ user, at: NOON, durations: [7] }]), message])
  expect(await rowsOf(user)).toMatchObject([{ total_ms: 2_008, requests: 3 }])
})

test.for(['before', 'after'] as const)('a consumer that breaks off %s its commit adds once', async (moment) => {
  const user = await newTenant()
  const message = messageOf([{ user, at: NOON, durations: [1] }])
  const d1 = observedDatabase(env.AUDIT_DB, async (trip) => {
    // The look-up of what is stored already is no commit.
    const isCommit = (trips += 1) === 2
    if (isCommit && moment === 'before') throw new Error('D1_ERROR: Network connection lost.')
    const results = await trip()
    if (isCommit) throw new Error('D1_ERROR: Network connection lost.')
    return results
  })
  let trips = 0
  await expect(storeMessages({ ...system, auditDatabase: () => new Database(d1) }, '00', [message])).rejects.toThrow(
    'did not answer',
  )
  await storeMessages(system, '00', [message])
  expect(await rowsOf(user)).toMatchObject([{ total_ms: 1, requests: 1 }])
})

test('a message of the version before, without sums by the hour, is stored', async () => {
  const { tenantId, userId } = await newTenant()
  const { hours: _, ...old } = emptyMessage()
  const counts = { [`${tenantId} ${userId} memory.store ok 0`]: 1 }
  await storeMessages(system, '00', [{ ...old, id: system.newId('aud'), counts }])
  expect(await audit.all('select count from usage_counts where tenant_id = :tenant', { tenant: tenantId })).toEqual([
    { count: 1 },
  ])
})

test('rows are kept 30 days and erased after', async () => {
  const user = await newTenant()
  travel(0)
  const now = system.now()
  const at = now - (now % HOUR)
  await storeRequests({ user, at, durations: [1] })
  const retention = auditSweeps.find((sweep) => sweep.name === 'audit.retention')
  travel(30 * DAY - (now - at))
  await retention?.run(system)
  expect(await rowsOf(user)).toHaveLength(1)
  travel(60_000)
  await retention?.run(system)
  expect(await rowsOf(user)).toEqual([])
})
