/** @module-tag shards */
import { expect, test } from 'vitest'
import { limitSweep } from '../../src/operator/sweep.ts'
import { setLimits } from '../support/operator.ts'
import { addKey, addMember, db, newTenant, system } from '../support/world.ts'

test('limits of users and keys that are gone are erased, and all others stay', async () => {
  const tenant = await newTenant()
  const gone = await addMember(tenant, 'viewer')
  const key = await addKey(tenant)
  const kept = [tenant.tenantId, tenant.userId, tenant.keyId]
  for (const subject of [...kept, gone.userId, key.id]) await setLimits(subject, { limits: { 'api-key': 9 } })
  await db.write('update users set deleted_at = 1 where id = :user', { user: gone.userId })
  await db.write('delete from api_keys where id = :id', { id: key.id })
  await limitSweep.run(system)
  const rows = await db.all<{ subject: string }>(
    'select subject from limit_settings where subject in (select value from json_each(:ids))',
    { ids: JSON.stringify([...kept, gone.userId, key.id]) },
  )
  expect(new Set(rows.map(({ subject }) => subject))).toEqual(new Set(kept))
})
