/** @module-tag long */
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { countFigure, countRequest, enqueueAuditRow } from '../../src/audit/index.ts'
import type { Principal, System } from '../../src/core/context.ts'
import { HOUR, travel } from '../support/clock.ts'
import { auditRowOf, storedIds } from '../support/audit.ts'
import { until } from '../support/until.ts'
import { newTenant, system, type Tenant } from '../support/world.ts'

/** A system whose queue refuses as often as it is told; everything else is real. */
function refusing(times: number) {
  const works: Promise<unknown>[] = []
  let asked = 0
  const sizes: number[] = []
  const changed: System = {
    ...system,
    log: { info: () => {}, error: () => {} },
    waitUntil: (work) => void works.push(work),
    queues: {
      send: async (queue, bodies) => {
        asked += 1
        sizes.push(...bodies.map((body) => new TextEncoder().encode(JSON.stringify(body)).byteLength))
        if (asked <= times) throw new Error('the queue is overloaded')
        await system.queues.send(queue, bodies)
      },
    },
  }
  return {
    system: changed,
    asked: () => asked,
    sizes,
    settle: async () => {
      while (works.length > 0) await works.shift()
    },
  }
}

const counted = (tenant: Tenant) =>
  system
    .auditDatabase('00')
    .all('select sum(count) as count from usage_counts where tenant_id = :tenant', { tenant: tenant.tenantId })

/** A retrieve of a tenant's user through a credential. */
const finished = (tenant: Tenant, credential: { kind: 'key'; id: string }) => ({
  principal: { ...tenant, credential } as unknown as Principal,
  shard: '00',
  operation: 'memory.retrieve',
  outcome: 'ok' as const,
  durationMs: 1,
  projectId: null,
  pageRead: false,
  committed: false,
})

/** The buffers belong to the isolate. This sends what other tests' requests left there, so that a test carries its own. */
async function emptied(enqueue: (system: System, tenant: Tenant) => void): Promise<void> {
  const tenant = await newTenant()
  await until(
    async () => {
      const queue = refusing(0)
      enqueue(queue.system, tenant)
      await queue.settle()
      if (queue.asked() === 0) throw new Error('another request carries the buffer')
    },
    { everyMs: 100 },
  )
}

beforeEach(() => emptied((system, tenant) => enqueueAuditRow(system, '00', auditRowOf(tenant))))

test('rows of one window go out as one message, which is sent again where the queue refused it', async () => {
  const tenant = await newTenant()
  const queue = refusing(1)
  for (let n = 0; n < 5; n++) enqueueAuditRow(queue.system, '00', auditRowOf(tenant))
  await queue.settle()
  expect(queue.asked()).toBe(2)
  await until(async () => expect(await storedIds(tenant)).toHaveLength(5))
})

test('after two refusals rows are stored without the queue', async () => {
  const tenant = await newTenant()
  const queue = refusing(Infinity)
  for (let n = 0; n < 3; n++) enqueueAuditRow(queue.system, '00', auditRowOf(tenant))
  await queue.settle()
  expect(queue.asked()).toBe(2)
  expect(await storedIds(tenant)).toHaveLength(3)
})

test('a flush that died with its request holds nothing up, also where the clock was set back since', async () => {
  const tenant = await newTenant()
  const queue = refusing(0)
  const wait = vi.spyOn(scheduler, 'wait').mockReturnValueOnce(new Promise(() => {}))
  onTestFinished(() => wait.mockRestore())
  travel(HOUR)
  enqueueAuditRow(queue.system, '00', auditRowOf(tenant))
  travel(-HOUR)
  enqueueAuditRow(queue.system, '00', auditRowOf(tenant))
  expect(wait).toHaveBeenCalledTimes(2)
  await until(async () => expect(await storedIds(tenant)).toHaveLength(2))
})

test('a full message does not wait for its window', async () => {
  const tenant = await newTenant()
  const queue = refusing(0)
  for (let n = 0; n < 200; n++) enqueueAuditRow(queue.system, '00', auditRowOf(tenant))
  await until(async () => expect(await storedIds(tenant)).toHaveLength(200))
  await queue.settle()
})

test('a message stays below the 128 KB of the queue, whatever ids its requests named and however many keys', async () => {
  const tenant = await newTenant()
  const queue = refusing(0)
  const id = '\u0001'.repeat(64)
  for (let n = 0; n < 300; n++)
    enqueueAuditRow(queue.system, '00', { ...auditRowOf(tenant), resource_ids: [id], project_id: id })
  for (let n = 0; n < 2_000; n++) {
    const credential = { kind: 'key', id: `key_${String(n).padStart(26, '0')}` } as const
    countRequest(queue.system, finished(tenant, credential))
  }
  await queue.settle()
  expect(queue.sizes.length).toBeGreaterThan(4)
  expect(Math.max(...queue.sizes)).toBeLessThan(128_000)
  await until(async () => expect(await storedIds(tenant)).toHaveLength(300))
})

describe('counts go in a message of their own', () => {
  const count = (by: System, tenant: Tenant) => countRequest(by, finished(tenant, { kind: 'key', id: tenant.keyId }))
  beforeAll(() => emptied(count))

  test.each([
    ['all of them are stored', 0],
    ['a refused message is sent again, and counted once', 1],
  ])('%s', async (_, refusals) => {
    const tenant = await newTenant()
    const queue = refusing(refusals)
    for (let n = 0; n < 5; n++) count(queue.system, tenant)
    await queue.settle()
    expect(queue.asked()).toBe(refusals + 1)
    await until(async () => expect(await counted(tenant)).toEqual([{ count: 5 }]))
  })

  test('figures for an operator go in the same message', async () => {
    const tenant = await newTenant()
    const queue = refusing(0)
    const by = { ...queue.system, metricsToken: 'a-token-of-an-operator-for-scrapes' }
    count(by, tenant)
    countFigure(by, { family: 'request', labels: ['GET', '/test/same-message', '2xx'], durationMs: 1 })
    count(by, tenant)
    await queue.settle()
    expect(queue.asked()).toBe(1)
    await until(async () => expect(await counted(tenant)).toEqual([{ count: 2 }]))
    const row = `select count from figures where labels like '%/test/same-message %'`
    expect(await system.auditDatabase('00').first(row)).toEqual({ count: 1 })
  })
})
