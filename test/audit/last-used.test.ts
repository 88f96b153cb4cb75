/** @module-tag long */
import { expect, test } from 'vitest'
import { storeMessages } from '../../src/audit/store.ts'
import { emptyMessage } from '../../src/audit/message.ts'
import { travel } from '../support/clock.ts'
import { until } from '../support/until.ts'
import { call, newTenant, system, db } from '../support/world.ts'

test('last_used_at is written by the consumer, to the minute, and never goes back', async () => {
  travel(0)
  const { key, keyId } = await newTenant()
  await call('GET', '/v1/projects', { key })
  const used = () =>
    db.first<{ last_used_at: number | null }>('select last_used_at from api_keys where id = :key', { key: keyId })
  await until(async () => expect((await used())?.last_used_at).not.toBeNull())
  const at = (await used())?.last_used_at ?? 0
  expect(at).toBe(system.now() - (system.now() % 60_000))
  await storeMessages(system, '00', [
    { ...emptyMessage(), id: system.newId('aud'), uses: { [keyId]: { kind: 'key', shard: '00', at: at - 600_000 } } },
  ])
  expect((await used())?.last_used_at).toBe(at)
})
