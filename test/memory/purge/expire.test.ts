import { expect, test } from 'vitest'
import { systemClock } from '../../../src/core/values/clock.ts'
import { expirySweep } from '../../../src/memory/purge/expire.ts'
import { travel } from '../../support/clock.ts'
import { newWriter } from '../../support/memory.ts'
import { db, system } from '../../support/world.ts'

test('from expires_at on, to the second, the item is gone from every answer', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'brief xylophone', ttl: 30, custom_id: 'c' })
  const at = (seconds: number): void => travel(Date.parse(item.expires_at) + seconds * 1_000 - systemClock())
  at(-1)
  expect((await user.get(item.id)).status).toBe(200)
  for (const seconds of [0, 1]) {
    at(seconds)
    const answers = [
      await user.get(item.id),
      await user.send('GET', `/v1/memory/items/${item.id}`),
      await user.send('PATCH', `/v1/memory/items/${item.id}`, { ttl: null }),
      await user.send('DELETE', `/v1/memory/items/${item.id}`),
      await user.send('GET', `/v1/memory/items/${item.id}/versions`),
      await user.send('POST', `/v1/memory/items/${item.id}/embed`),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404, 404, 404])
    const found = await user.send('POST', '/api/memory/search', { query: 'xylophone' })
    expect(found.body.results).toEqual([])
  }
  const again = await user.store({ content: 'brief again', custom_id: 'c' })
  expect({ status: again.status, version: again.body.version }).toEqual({ status: 201, version: 1 })
  expect(again.body.id).not.toBe(item.id)
})

test('the sweep makes expired items tombstones, once, with memory.deleted, reason expired, and an audit row', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'brief', ttl: 30 })
  const { body: kept } = await user.store({ content: 'lasting', ttl: 60 })
  travel(30_000)
  await Promise.all([expirySweep.run(system), expirySweep.run(system)])
  const rows = await db.all(
    'select id, deleted_at is not null as gone, delete_reason from memory_items where tenant_id = :tenant',
    { tenant: user.tenantId },
  )
  expect(rows).toEqual([
    { id: item.id, gone: 1, delete_reason: 'expired' },
    { id: kept.id, gone: 0, delete_reason: null },
  ])
  const events = await db.all<{ data: string }>(
    "select data from events where tenant_id = :tenant and type = 'memory.deleted'",
    { tenant: user.tenantId },
  )
  expect(events.map(({ data }) => JSON.parse(data))).toMatchObject([
    { memory_id: item.id, reason: 'expired', actor: 'system', version: 1 },
  ])
  const audit = await db.all<{ row: string }>(
    "select row from audit_outbox where tenant_id = :tenant and row ->> 'actor' = 'system'",
    { tenant: user.tenantId },
  )
  expect(audit.map(({ row }) => JSON.parse(row))).toMatchObject([
    { action: 'memory.delete', resource_ids: [item.id], project_id: user.projectId },
  ])
})

test('an item that takes the custom_id of an expired item deletes that one, with its event', async () => {
  const user = await newWriter()
  const { body: old } = await user.store({ content: 'old', ttl: 1, custom_id: 'c' })
  travel(1_000)
  await user.store({ content: 'new', custom_id: 'c' })
  const events = await db.all<{ data: string }>(
    "select data from events where tenant_id = :tenant and type = 'memory.deleted'",
    { tenant: user.tenantId },
  )
  expect(events.map(({ data }) => JSON.parse(data))).toMatchObject([{ memory_id: old.id, reason: 'expired' }])
})

test('an expired item counts as absent for deduplicate, and its words and vectors find nothing', async () => {
  const user = await newWriter()
  const { body: old } = await user.store({ content: 'brief xylophone', ttl: 30, wait_ms: 5_000 })
  travel(30_000)
  const again = await user.store({ content: 'brief xylophone', deduplicate: true, context: { namespace: 'default' } })
  expect(again.status).toBe(201)
  expect(again.body.id).not.toBe(old.id)
  for (const mode of ['keyword', 'semantic']) {
    const { body } = await user.send('POST', '/api/memory/search', { query: 'xylophone', mode })
    expect(body.results.map(({ id }: { id: string }) => id)).not.toContain(old.id)
  }
})
