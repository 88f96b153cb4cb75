/** @module-tag long */
import { expect, onTestFinished, test } from 'vitest'
import { REPEAT_AFTER_MS } from '../../../src/memory/purge/erase.ts'
import { digestOf, NO_DIGEST } from '../../../src/memory/erasures/digest.ts'
import type { Erasure } from '../../../src/memory/erasures/erasure.ts'
import { getErasure } from '../../../src/memory/erasures/get.ts'
import { forgetConversations } from '../../../src/memory/erasures/forget-conversations.ts'
import { erase } from '../../../src/memory/erasures/request.ts'
import { runErasure } from '../../../src/memory/erasures/run.ts'
import { StoreInput, UpdateInput } from '../../../src/memory/item.ts'
import { batch } from '../../../src/memory/operations/batch.ts'
import { deleteItem } from '../../../src/memory/operations/delete.ts'
import { update } from '../../../src/memory/operations/update.ts'
import { store } from '../../../src/memory/operations/store.ts'
import { travel } from '../../support/clock.ts'
import { interrupted } from '../../support/interrupted.ts'
import { racing } from '../../support/race.ts'
import { ctxOf, losingQueues, stored } from '../../support/search.ts'
import { until } from '../../support/until.ts'
import { db, newTenant, system, type Tenant } from '../../support/world.ts'

const context = { namespace: 'ada' }
const request = (tenant: Tenant) => ctxOf(tenant, { requestId: system.newId('req'), queues: losingQueues })

/** Ids of so many items of the namespace, in their order. */
async function items(tenant: Tenant, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let left = count; left > 0; left -= 50) {
    const operations = Array.from({ length: Math.min(left, 50) }, (_, n) => ({
      op: 'store' as const,
      content: `of ada ${left} ${n}`,
      context,
    }))
    const { results } = await batch(request(tenant), { operations })
    ids.push(...results.flatMap(({ id }) => id ?? []))
  }
  return ids.toSorted()
}

async function begun(tenant: Tenant): Promise<string> {
  const erasure = await erase(request(tenant), { namespace: 'ada', dry_run: false })
  return (erasure as Erasure).id
}

async function toItsEnd(tenant: Tenant, id: string, run = () => runErasure(system, db, id)): Promise<Erasure> {
  return until(async () => {
    if (!(await run())) travel(REPEAT_AFTER_MS)
    const erasure = await getErasure(request(tenant), id)
    expect(erasure.status).toBe('erased')
    return erasure
  })
}

const live = (tenant: Tenant) =>
  db.all<{ id: string }>(
    `select id from memory_items where project_id = :project and namespace = 'ada' and deleted_at is null`,
    { project: tenant.projectId },
  )

test('chains that run at once erase each item once, and the receipt counts it once', async () => {
  const tenant = await newTenant()
  const ids = await items(tenant, 250)
  const id = await begun(tenant)
  const run = async (): Promise<boolean> =>
    (await Promise.all([1, 2, 3].map(() => runErasure(system, db, id)))).includes(true)
  const erasure = await toItsEnd(tenant, id, run)
  expect(erasure.counts.items).toBe(250)
  expect(erasure.digest).toBe(await digestOf(NO_DIGEST, ids))
})

/** A crash, and no other failure. */
const onlyKilled = (error: unknown): boolean => {
  if (!String(error).includes('killed')) throw error
  return false
}

test('a crash before any commit repeats nothing and loses nothing', async () => {
  const tenant = await newTenant()
  const ids = await items(tenant, 120)
  const id = await begun(tenant)
  for (let crash = 0; crash < 8; crash += 1) {
    const breaking = interrupted(async (number) => {
      if (number === crash) throw new Error('killed')
    })
    await runErasure(system, breaking, id).catch(onlyKilled)
  }
  const erasure = await toItsEnd(tenant, id)
  expect(erasure.counts.items).toBe(120)
  expect(erasure.digest).toBe(await digestOf(NO_DIGEST, ids))
})

test('what an erasure that broke off right after its end kept goes with the next sweep', async () => {
  const tenant = await newTenant()
  await stored(request(tenant), 'inside', { context })
  const [ended, running] = [
    await begun(tenant),
    (await erase(request(tenant), { namespace: 'grace', dry_run: false })) as Erasure,
  ]
  await toItsEnd(tenant, ended)
  for (const erasure of [ended, running.id])
    await db.write(
      `insert into erasure_conversations (erasure_id, project_id, conversation_id) values (:erasure, :project, 'chat')`,
      { erasure, project: tenant.projectId },
    )
  await forgetConversations(db)
  const kept = await db.all<{ erasure_id: string }>(
    'select erasure_id from erasure_conversations where project_id = :project',
    { project: tenant.projectId },
  )
  expect(kept).toEqual([{ erasure_id: running.id }])
})

test('an item that is deleted while its portion is on the way is not counted', async () => {
  const tenant = await newTenant()
  const ids = await items(tenant, 3)
  const id = await begun(tenant)
  const [gone = ''] = ids
  const losing = racing(() => deleteItem(request(tenant), { id: gone, ifMatch: null }))
  await runErasure(system, losing, id)
  const erasure = await toItsEnd(tenant, id)
  expect(erasure.counts.items).toBe(2)
  expect(erasure.digest).toBe(await digestOf(NO_DIGEST, ids.slice(1)))
})

test.each([
  [
    'a store',
    (tenant: Tenant, own: ReturnType<typeof request>) => store(own, StoreInput.parse({ content: 'late', context })),
  ],
  [
    'a store under a custom_id',
    (tenant: Tenant, own: ReturnType<typeof request>) =>
      store(own, StoreInput.parse({ content: 'late', context, custom_id: 'c' })),
  ],
  [
    'a change of the text',
    async (tenant: Tenant, own: ReturnType<typeof request>, inside: string) =>
      update(own, { id: inside, input: UpdateInput.parse({ content: 'late' }), ifMatch: null }),
  ],
  [
    'a move into the namespace',
    async (tenant: Tenant, own: ReturnType<typeof request>, _inside: string, outside: string) =>
      update(own, { id: outside, input: UpdateInput.parse({ context }), ifMatch: null }),
  ],
] as const)('%s that was planned before the erasure writes nothing', async (_name, write) => {
  const tenant = await newTenant()
  const { id: inside } = await stored(request(tenant), 'inside', { context })
  const { id: outside } = await stored(request(tenant), 'outside')
  let id = ''
  const late = racing(async () => void (id = await begun(tenant)))
  await expect(write(tenant, { ...request(tenant), db: late }, inside, outside)).rejects.toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('being erased'),
  })
  const erasure = await toItsEnd(tenant, id)
  expect(erasure.counts.items).toBe(1)
  expect(await live(tenant)).toEqual([])
})

test('stores and changes that come all the while leave nothing behind', async () => {
  const tenant = await newTenant()
  const [first = ''] = await items(tenant, 30)
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const outcomes: string[] = []
  const hasWritten = Promise.withResolvers<void>()
  const write = async (nth: number): Promise<void> => {
    const own = request(tenant)
    const work =
      nth % 3 === 0
        ? update(own, { id: first, input: UpdateInput.parse({ content: `changed ${nth}` }), ifMatch: null })
        : store(own, StoreInput.parse({ content: `while ${nth}`, context }))
    outcomes.push(
      await work.then(
        () => 'done',
        (error: { code: string }) => error.code,
      ),
    )
    hasWritten.resolve()
  }
  const writer = async (): Promise<void> => {
    for (let nth = 0; !stop.signal.aborted && nth < 600; nth += 1) await write(nth)
  }
  const writing = Promise.all([writer(), writer()])
  await hasWritten.promise
  const id = await begun(tenant)
  while (await runErasure(system, db, id));
  await until(() => expect(outcomes).toContain('conflict'))
  stop.abort()
  await writing
  expect(await live(tenant)).toEqual([])
  const erasure = await toItsEnd(tenant, id)
  const done = outcomes.filter((outcome) => outcome === 'done').length
  expect(erasure.counts.items).toBeGreaterThanOrEqual(30)
  expect(erasure.counts.items).toBeLessThanOrEqual(30 + done)
  expect(new Set(outcomes).difference(new Set(['done', 'conflict', 'not_found']))).toEqual(new Set())
})
