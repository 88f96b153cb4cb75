import { expect, test } from 'vitest'
import { call, db, newTenant } from '../support/world.ts'

test('typing.start carries expires_at, 10 s ahead, and leaves no history', async () => {
  const { key } = await newTenant()
  const { body } = await call('POST', '/api/events/publish', {
    key,
    body: { type: 'typing.start', data: { conversation_id: 'c1' } },
  })
  const row = await db.first<Record<string, unknown>>('select * from events where id = :event', {
    event: body.event_id,
  })
  const { expires_at } = JSON.parse(String(row?.['data']))
  expect(Date.parse(expires_at) - Date.parse(body.timestamp)).toBeCloseTo(10_000, -2)
  expect(Number(row?.['expires_at']) - Number(row?.['created_at'])).toBe(10_000)
})
