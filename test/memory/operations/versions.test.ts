import { expect, test } from 'vitest'
import type { Meter } from '../../../src/core/database/meter.ts'
import { UpdateInput } from '../../../src/memory/item.ts'
import { update } from '../../../src/memory/operations/update.ts'
import { versions } from '../../../src/memory/operations/versions.ts'
import { newWriter } from '../../support/memory.ts'
import { ctxOf, stored } from '../../support/search.ts'
import { db, newTenant } from '../../support/world.ts'

test('versions are the earlier texts, newest first, with their authors and times', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'one' })
  const path = `/v1/memory/items/${item.id}`
  expect((await user.send('GET', `${path}/versions`)).body).toEqual({ data: [], has_more: false, next_cursor: null })
  await user.send('PATCH', path, { content: 'two' })
  const { body: tagged } = await user.send('PATCH', path, { tags: ['no new text'] })
  await user.send('PATCH', path, { content: 'three' })
  const { body } = await user.send('GET', `${path}/versions`)
  expect(body.data).toEqual([
    { version: 2, text: 'two', written_by: user.userId, written_at: expect.any(String), written_via: 'session' },
    { version: 1, text: 'one', written_by: user.userId, written_at: item.created_at, written_via: 'session' },
  ])
  expect(body.data[0].written_at <= tagged.updated_at).toBe(true)
  const page = await user.send('GET', `${path}/versions?limit=1`)
  expect(page.body).toMatchObject({ data: [{ version: 2 }], has_more: true })
  const rest = await user.send('GET', `${path}/versions?limit=1&cursor=${page.body.next_cursor}`)
  expect(rest.body).toMatchObject({ data: [{ version: 1 }], has_more: false })
})

test('an item keeps its last 50 earlier texts', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'text 0' })
  for (const part of [0, 1]) {
    const operations = Array.from({ length: 30 }, (_, n) => ({
      op: 'update',
      id: item.id,
      content: `text ${part * 30 + n + 1}`,
    }))
    expect((await user.send('POST', '/api/memory/batch', { operations })).body.success_count).toBe(30)
  }
  const { body } = await user.send('GET', `/v1/memory/items/${item.id}/versions?limit=100`)
  expect(body.data).toHaveLength(50)
  expect([body.data[0].text, body.data[49].text]).toEqual(['text 59', 'text 10'])
  // One more drops the oldest, and each of the fifty is looked at once for it.
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const input = UpdateInput.parse({ content: 'text 61' })
  await update(ctxOf(user, { db: db.metered(meter) }), { id: item.id, input, ifMatch: null })
  expect(meter.rowsRead).toBeLessThan(200)
})

test('contract §3: a page of earlier texts ends after 1 MiB of them, and its cursor goes on', async () => {
  const ctx = ctxOf(await newTenant())
  const { id } = await stored(ctx, 'now')
  // 9 texts of 128 KiB each, of which eight fill a page.
  await db.write(
    `insert into memory_versions (item_row, version, text, written_by, written_at)
     select i.row, n.value, replace(hex(zeroblob(65536)), '00', 'é'), i.created_by, 0
     from memory_items i cross join json_each(:ids) n where i.id = :id returning version`,
    { id, ids: JSON.stringify(Array.from({ length: 9 }, (_, nth) => -nth)) },
  )
  const page = async (cursor?: string) => {
    const { data, ...rest } = await versions(ctx, { id, limit: 100, ...(cursor ? { cursor } : {}) })
    return { versions: data.map(({ version }) => version), ...rest }
  }
  const first = await page()
  expect(first).toMatchObject({ versions: Array.from({ length: 8 }, (_, nth) => 0 - nth), has_more: true })
  const last = await page(first.next_cursor ?? '')
  expect(last).toEqual({ versions: [-8], has_more: false, next_cursor: null })
  const whole = await versions(ctx, { id, limit: 8 })
  expect([whole.data.length, whole.has_more]).toEqual([8, true])
})
