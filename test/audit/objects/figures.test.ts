import { expect, test } from 'vitest'
import { auditVisibility } from '../../../src/identity/audit-log/visibility.ts'
import { hashPassword } from '../../../src/auth/index.ts'
import { readSeries, readUsage } from '../../../src/audit/index.ts'
import { archiving, arrangeRows, bucket, moveChosen, storesOf, walk } from '../../support/audit-objects.ts'
import { DAY, HOUR, travel } from '../../support/clock.ts'
import { ctxOf } from '../../support/search.ts'
import { storeRequests } from '../../support/hours.ts'
import { addMember, call, db, newSession, newTenant, system } from '../../support/world.ts'

const audit = system.auditDatabase('00')

test('usage and its series are the same before and after the pages of their requests were moved', async () => {
  travel(0)
  const tenant = await newTenant()
  const now = system.now()
  const at = now - (now % HOUR)
  await storeRequests({ user: tenant, at, durations: [1, 7, 300] })
  await audit.write(
    'insert into usage_counts (tenant_id, user_id, operation, outcome, at, count) values (:tenant, :user, :operation, :outcome, :at, 3)',
    { tenant: tenant.tenantId, user: tenant.userId, operation: 'memory.store', outcome: 'ok', at },
  )
  await arrangeRows(tenant, [at, at + 1, at + 2])
  const range = { tenantId: tenant.tenantId, userId: null, since: at, until: at + HOUR, stepMs: HOUR }
  const visibility = await auditVisibility(ctxOf(tenant))
  const read = () =>
    Promise.all([
      readUsage(audit, { ...range, pageReads: 'include' }),
      readSeries(audit, { ...range, by: 'operation', visibility, pageReads: 'include' }),
    ])
  const before = await read()
  await moveChosen(archiving().system, tenant)
  expect((await storesOf(tenant)).pages).toBe(0)
  expect(await read()).toEqual(before)
  expect(before).toMatchObject([{ data: [{ requests: 3 }] }, [{ requests: 3 }]])
})

test('rows in objects outlive an erased user under an id only (contract §3)', async () => {
  travel(0)
  const tenant = await newTenant()
  const member = await addMember(tenant, 'editor')
  const password = 'correct horse battery'
  await db.write('update users set password_hash = :password_hash where id = :user', {
    password_hash: await hashPassword(system, password),
    user: member.userId,
  })
  const ids = await arrangeRows(member, [system.now() - DAY, system.now() - DAY + 1], {
    row: { project_id: tenant.projectId },
  })
  const { system: by } = archiving()
  await moveChosen(by, member)
  const { objects } = await storesOf(tenant)
  const headers = await newSession(member)
  expect((await call('DELETE', '/api/users/me', { headers, body: { password } })).status).toBe(204)
  const seen = await walk(by, tenant, { filter: { actor: member.userId, until: system.now() - HOUR } })
  expect(seen.ids).toEqual(ids.toReversed())
  expect(JSON.stringify(seen.rows)).not.toContain('@')
  expect(await bucket.head(objects[0]?.key ?? '')).not.toBeNull()
})
