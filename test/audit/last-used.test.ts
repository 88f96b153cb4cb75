import { expect, test } from 'vitest'
import { storeMessages } from '../../src/audit/store.ts'
import { emptyMessage } from '../../src/audit/message.ts'
import { until } from '../support/until.ts'
import { call, newTenant, system, db } from '../support/world.ts'

test('last_used_at is written by the consumer, to the minute, and never goes back', async () => {
  const { key, keyId } = await newTenant()
  await call('GET', '/v1/projects', { key })
  const used = () => db.first<{ last_used_at: number | null }>('select last_used_at from api_keys where id = ?', keyId)
  await until(async () => expect((await used())?.last_used_at).not.toBeNull())
  const at = (await used())?.last_used_at ?? 0
  expect(at % 60_000).toBe(0)
  expect(system.now() - at).toBeLessThan(120_000)
  await storeMessages(system, [
    { ...emptyMessage(), id: system.newId('aud'), uses: { [keyId]: { kind: 'key', shard: '00', at: at - 600_000 } } },
  ])
  expect((await used())?.last_used_at).toBe(at)
})
