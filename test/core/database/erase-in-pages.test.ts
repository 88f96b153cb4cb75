import { expect, test } from 'vitest'
import { eraseInPages } from '../../../src/core/database/erase-in-pages.ts'
import { sql } from '../../../src/core/database/sql.ts'
import { db, newTenant } from '../../support/world.ts'

test('all rows past their time go, page by page, and no other', async () => {
  const { tenantId } = await newTenant()
  await db.write(
    `insert into idempotency_keys (tenant_id, user_id, path, key, fingerprint, write_id, created_at)
     select :tenant, 'usr', '/', value, 'f', 'req', value from json_each(:ids)`,
    { tenant: tenantId, ids: JSON.stringify(Array.from({ length: 4_001 }, (_, at) => at)) },
  )
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const past = sql('tenant_id = :tenant and created_at < :before', { tenant: tenantId, before: 4_000 })
  await eraseInPages(db.metered(meter), 'idempotency_keys', past)
  expect(await db.all('select key from idempotency_keys where tenant_id = :tenant', { tenant: tenantId })).toEqual([
    { key: '4000' },
  ])
  // Two full pages, and an empty one that tells the end.
  expect(meter.roundTrips).toBe(3)
})
