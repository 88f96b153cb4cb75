import { env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { archiving, arrangeRows, moveChosen, moveDue } from '../support/audit-objects.ts'
import { until } from '../support/until.ts'
import type { Ready } from '../../src/reference/ready.ts'
import { DAY, MINUTE, travel } from '../support/clock.ts'
import { readyWith, readyWithThree, sized } from '../support/ready.ts'
import { newTenant, system } from '../support/world.ts'

/** The status, and the warnings about the audit log: items that another test left may wait for their embedding. */
async function told(answer: Response): Promise<Pick<Ready, 'status' | 'warnings'>> {
  const { status, warnings } = await answer.json<Ready>()
  return { status, warnings: warnings.filter(({ name }) => name.startsWith('audit_')) }
}

test('contract §7: /ready warns where an audit database is half full, and stays 200', async () => {
  const half = 5 * 1024 ** 3
  await system.auditDatabase('00').write('delete from audit_objects')
  const well = await readyWithThree({ AUDIT_DB_01: sized(env.AUDIT_DB, half) })
  expect(await told(well)).toEqual({ status: 'ready', warnings: [] })
  const filling = await readyWithThree({
    AUDIT_DB_01: sized(env.AUDIT_DB, half + 1),
    AUDIT_DB_02: sized(env.AUDIT_DB, 1.5 * half),
  })
  expect(filling.status).toBe(200)
  expect(await told(filling)).toMatchObject({
    status: 'ready',
    warnings: [
      { name: 'audit_database_filling', shard: '01', detail: expect.stringContaining('5.0 GB of the 10 GB') },
      { name: 'audit_database_filling', shard: '02', detail: expect.stringContaining('--audit-bucket') },
    ],
  })
  const moving = await readyWithThree({ AUDIT_DB_01: sized(env.AUDIT_DB, 2 * half), AUDIT_BUCKET: env.TEST_BUCKET })
  expect(await told(moving)).toMatchObject({
    warnings: [{ detail: expect.stringContaining('faster than they are moved') }],
  })
})

test('contract §7: /ready warns where rows lie in a bucket that is not bound', async () => {
  const tenant = await newTenant()
  await arrangeRows(tenant, [system.now() - DAY])
  await moveChosen(archiving().system, tenant)
  const unbound = await readyWith({})
  expect(await told(unbound)).toMatchObject({
    status: 'ready',
    warnings: [{ name: 'audit_bucket_unbound', shard: '00' }],
  })
  const bound = await readyWith({ AUDIT_BUCKET: env.TEST_BUCKET })
  expect(await told(bound)).toEqual({ status: 'ready', warnings: [] })
})

test('contract §7: /ready warns where the bucket does not take what is due', async () => {
  // Other tests leave pages that are due.
  await system
    .auditDatabase('00')
    .batch(
      ['audit_pages', 'audit_objects'].map((table) => system.auditDatabase('00').statement(`delete from ${table}`)),
    )
  const tenant = await newTenant()
  await arrangeRows(tenant, [system.now() - 2 * DAY - MINUTE])
  const refusing = { head: () => Promise.resolve(null), put: () => Promise.reject(new Error('put: 403 (10002)')) }
  await expect(moveDue(archiving(refusing).system)).rejects.toThrow('audit.move_pages failed')
  const bound = { AUDIT_BUCKET: env.TEST_BUCKET }
  expect(await told(await readyWith(bound))).toEqual({ status: 'ready', warnings: [] })
  travel(15 * MINUTE)
  expect(await told(await readyWith(bound))).toMatchObject({
    status: 'ready',
    warnings: [
      { name: 'audit_bucket_failing', shard: '00', detail: expect.stringContaining('not moved to the bucket') },
    ],
  })
  // Rows of other tests may still arrive.
  await until(async () => {
    await moveDue(archiving().system)
    travel(MINUTE)
    expect(await told(await readyWith(bound))).toEqual({ status: 'ready', warnings: [] })
  })
})

test('contract §7: /ready checks the bucket of the audit log where there is one, and is degraded without it', async () => {
  const bound = await readyWith({ AUDIT_BUCKET: env.TEST_BUCKET })
  expect(await bound.json()).toMatchObject({ status: 'ready', checks: { audit_bucket: { status: 'ok' } } })
  const lost = { head: () => Promise.reject(new Error('head: internal error (10001)')) }
  const failed = await readyWith({ AUDIT_BUCKET: lost })
  expect(failed.status).toBe(200)
  expect(await failed.json()).toMatchObject({
    status: 'degraded',
    failed_shards: [],
    checks: { audit_bucket: { status: 'failed' } },
  })
  expect(await (await readyWith({})).json()).not.toHaveProperty('checks.audit_bucket')
})
