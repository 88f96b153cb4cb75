/** @module-tag long */
import { expect, onTestFinished, test, vi } from 'vitest'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { LEASE_MS } from '../../../src/memory/embedding/embed-sql.ts'
import { Lease, RENEW_EVERY_MS } from '../../../src/memory/embedding/lease.ts'
import { deleteItem } from '../../../src/memory/operations/delete.ts'
import { travel } from '../../support/clock.ts'
import { fakeTimers } from '../../support/fake-timers.ts'
import { ctxOf, rowOf, stored } from '../../support/search.ts'
import { until } from '../../support/until.ts'
import { db, newTenant, system } from '../../support/world.ts'
import { slowModel } from '../../support/models.ts'

/** An item whose embedding has begun and waits for the model. The clock stands, and renewals come by hand. */
async function begun() {
  fakeTimers('setInterval', 'clearInterval')
  travel(0)
  const user = await newTenant()
  const slow = slowModel()
  const ctx = ctxOf(user, { embeddingModel: slow.model })
  const item = await stored(ctx, 'A slow model.')
  const work = embedItems(ctx, db, [item.id])
  await slow.asked
  const finish = async () => {
    slow.answer()
    await work
  }
  return { user, ctx, item, finish }
}

const leaseUntil = async (id: string) =>
  (await db.first<{ until: number }>('select lease_until as until from memory_items where id = :id', { id }))?.until ??
  0

/** A text of 256 KiB: four fill a claim. */
const WIDEST = '🫖'.repeat(65_536)

test('a claim ends where its texts have 1 MiB, and the items behind are claimed next', async () => {
  const ctx = ctxOf(await newTenant())
  const ids: string[] = []
  for (let nth = 0; nth < 6; nth++) ids.push((await stored(ctx, WIDEST)).id)
  // One that another consumer has claimed does not fill the claim.
  await new Lease(system, db).claim(ids.slice(0, 1))
  const lease = new Lease(system, db)
  const first = await lease.claim(ids)
  expect(first.claimed.map(({ id }) => id).toSorted()).toEqual(ids.slice(1, 5).toSorted())
  expect(first.left).toEqual([ids[0], ids[5]])
  expect(await lease.claim(first.left)).toMatchObject({ claimed: [{ id: ids[5] }], left: [] })
})

test('items that need several claims are all embedded by one call', async () => {
  const ctx = ctxOf(await newTenant())
  const ids: string[] = []
  for (let nth = 0; nth < 5; nth++) ids.push((await stored(ctx, WIDEST)).id)
  expect(await embedItems(system, db, ids)).toEqual([])
  for (const id of ids) expect(await rowOf(id)).toMatchObject({ embedding_status: 'completed', attempts: 0 })
})

test('a lease ends half a minute after its consumer died', async () => {
  const { item } = await begun()
  expect((await leaseUntil(item.id)) - system.now()).toBe(30_000)
  travel(LEASE_MS)
  await embedItems(system, db, [item.id])
  expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'completed' })
})

test('a consumer that lives renews its lease as long as the model takes, and nobody else embeds the item', async () => {
  const { item, finish } = await begun()
  for (let renewal = 1; renewal <= 4; renewal++) {
    travel(RENEW_EVERY_MS)
    await vi.advanceTimersByTimeAsync(RENEW_EVERY_MS)
    const now = system.now()
    await until(async () => expect(await leaseUntil(item.id)).toBe(now + LEASE_MS))
    await embedItems(system, db, [item.id])
    expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'processing', attempts: 1 })
  }
  await finish()
  expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'completed' })
})

test('vectors of an item whose lease was lost are not stored, though only for a moment', async () => {
  const { user, ctx, item, finish } = await begun()
  const put = vi.fn<() => Promise<boolean>>(async () => true)
  ctx.projectVectors = (projectId, shard) => ({ ...system.projectVectors(projectId, shard), put })
  await deleteItem({ ...ctx, requestId: system.newId('req') }, { id: item.id, ifMatch: null })
  const renewed = vi.spyOn(db, 'write')
  onTestFinished(() => renewed.mockRestore())
  await vi.advanceTimersByTimeAsync(RENEW_EVERY_MS)
  await until(() => expect(renewed.mock.settledResults.map(({ type }) => type)).toEqual(['fulfilled']))
  await finish()
  expect(put).not.toHaveBeenCalled()
  expect(await system.projectVectors(user.projectId, '00').names([{ item: item.id }])).toEqual([])
})

test('a lease that could not be renewed in time is lost too', async () => {
  const { ctx, item, finish } = await begun()
  const put = vi.fn<() => Promise<boolean>>(async () => true)
  ctx.projectVectors = (projectId, shard) => ({ ...system.projectVectors(projectId, shard), put })
  travel(LEASE_MS)
  await finish()
  expect(put).not.toHaveBeenCalled()
  expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'processing' })
})
