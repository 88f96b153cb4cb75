import { expect, test } from 'vitest'
import { auditInsert, auditSweeps } from '../../src/audit/index.ts'
import { emptyMessage } from '../../src/audit/message.ts'
import { storeMessages } from '../../src/audit/store.ts'
import { auditRowOf, storedIds } from '../support/audit.ts'
import { travel } from '../support/clock.ts'
import { db, newTenant, system } from '../support/world.ts'

const run = async (name: string) => auditSweeps.find((sweep) => sweep.name === name)?.run(system)

test('audit.move stores what writes have left in the outbox', async () => {
  const tenant = await newTenant()
  const row = auditRowOf(tenant)
  await db.batch([auditInsert(system, db, row)])
  await run('audit.move')
  expect(await storedIds(tenant)).toEqual([row.id])
})

test('rows are kept AUDIT_RETENTION_DAYS, to the day, and erased after', async () => {
  travel(0)
  const tenant = await newTenant()
  await storeMessages(system, '00', [{ ...emptyMessage(), id: system.newId('aud'), rows: [auditRowOf(tenant)] }])
  const days = system.config.auditRetentionDays * 86_400_000
  travel(days - 60_000)
  await run('audit.retention')
  expect(await storedIds(tenant)).toHaveLength(1)
  travel(120_000)
  await run('audit.retention')
  expect(await storedIds(tenant)).toHaveLength(0)
})

test('nothing fills page_loads, and what an older version left in it is gone after a day', async () => {
  travel(0)
  const audit = system.auditDatabase('00')
  const left = () => audit.all('select at from page_loads')
  await audit.write('insert into page_loads (at, load) values (:at, 1)', { at: system.now() })
  const tenant = await newTenant()
  await storeMessages(system, '00', [{ ...emptyMessage(), id: system.newId('aud'), rows: [auditRowOf(tenant)] }])
  expect(await left()).toHaveLength(1)
  travel(86_400_000 + 60_000)
  await run('audit.retention')
  expect(await left()).toEqual([])
})
