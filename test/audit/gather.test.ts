import { beforeEach, expect, test, vi } from 'vitest'
import { auditRow, gather, gatherRequest } from '../../src/audit/index.ts'
import type { Principal, System } from '../../src/core/context.ts'
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
        sizes.push(new TextEncoder().encode(JSON.stringify(bodies)).byteLength)
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

const rowOf = (tenant: Tenant) =>
  auditRow(system, {
    action: 'memory.retrieve',
    outcome: 'success',
    requestId: 'req_x',
    principal: { ...tenant, credential: { kind: 'key', id: tenant.keyId, environment: 'live', appId: null } },
  })

const stored = (tenant: Tenant) =>
  system.auditDatabase.all(
    'select r.key from audit_pages p, json_each(p.rows) r where p.tenant_id = ?',
    tenant.tenantId,
  )

// What is gathered belongs to the isolate: what other tests' requests left there goes out first.
beforeEach(async () => {
  const tenant = await newTenant()
  await vi.waitFor(
    async () => {
      const queue = refusing(0)
      gather(queue.system, rowOf(tenant))
      await queue.settle()
      if (queue.asked() === 0) throw new Error('somebody else carries what was gathered')
    },
    { timeout: 10_000, interval: 100 },
  )
})

test('rows of one window go out as one message, which is sent again where the queue refused it', async () => {
  const tenant = await newTenant()
  const queue = refusing(1)
  for (let n = 0; n < 5; n++) gather(queue.system, rowOf(tenant))
  await queue.settle()
  expect(queue.asked()).toBe(2)
  await vi.waitFor(async () => expect(await stored(tenant)).toHaveLength(5), { timeout: 10_000 })
})

test('a queue that keeps refusing is passed by: the rows are stored without it', async () => {
  const tenant = await newTenant()
  const queue = refusing(Infinity)
  for (let n = 0; n < 3; n++) gather(queue.system, rowOf(tenant))
  await queue.settle()
  expect(queue.asked()).toBe(2)
  expect(await stored(tenant)).toHaveLength(3)
})

test('a full bundle does not wait for its window', async () => {
  const tenant = await newTenant()
  const queue = refusing(0)
  for (let n = 0; n < 200; n++) gather(queue.system, rowOf(tenant))
  await vi.waitFor(async () => expect(await stored(tenant)).toHaveLength(200), { timeout: 10_000 })
  await queue.settle()
})

test('a bundle stays below the 128 KB of a message, whatever ids its requests named', async () => {
  const tenant = await newTenant()
  const queue = refusing(0)
  for (let n = 0; n < 200; n++) gather(queue.system, { ...rowOf(tenant), resource_ids: ['€'.repeat(64)] })
  await queue.settle()
  expect(queue.asked()).toBeGreaterThan(1)
  expect(Math.max(...queue.sizes)).toBeLessThan(128_000)
  await vi.waitFor(async () => expect(await stored(tenant)).toHaveLength(200), { timeout: 10_000 })
})

test('counters are sums: they go out later than rows, and all of them', async () => {
  const tenant = await newTenant()
  const queue = refusing(0)
  const credential = { kind: 'key', id: tenant.keyId } as const
  for (let n = 0; n < 5; n++) {
    gatherRequest(queue.system, {
      principal: { ...tenant, credential } as unknown as Principal,
      shard: '00',
      operation: 'memory.retrieve',
      outcome: 'ok',
      committed: false,
    })
  }
  await queue.settle()
  await vi.waitFor(async () => {
    const rows = await system.auditDatabase.all(
      'select sum(count) as count from usage_counts where tenant_id = ?',
      tenant.tenantId,
    )
    expect(rows).toEqual([{ count: 5 }])
  }, 10_000)
})
