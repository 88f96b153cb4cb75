/** @module-tag shards */
import { env } from 'cloudflare:workers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Database } from '../../src/core/database/database.ts'
import { spreadDeployment } from '../../src/operator/spread.ts'
import { setLimits } from '../support/operator.ts'
import { findSubject } from '../../src/operator/subject.ts'
import { db, newTenant, system } from '../support/world.ts'

/** Stands for a second shard: the audit database, with the one table that is copied. */
async function secondShard(): Promise<Database> {
  const { sql } = (await db.first<{ sql: string }>("select sql from sqlite_master where name = 'limit_settings'"))!
  await env.AUDIT_DB.exec(sql.replaceAll(/\s+/g, ' '))
  onTestFinished(async () => void (await env.AUDIT_DB.exec('drop table limit_settings')))
  return new Database(env.AUDIT_DB)
}

const broken = {
  prepare: () => {
    throw new Error('down')
  },
}

const down = new Database(broken as never)

const settingsIn = (database: Database) =>
  database.all(
    'select account_class, name, permits, holder from limit_settings where subject = :subject order by 1, 2',
    { subject: 'deployment' },
  )

test('limits of the deployment reach every shard, changed and taken away too, and one that is down gets them later', async () => {
  onTestFinished(async () => void (await setLimits('deployment', { limits: { 'events.subscribe': null } })))
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => logged.mockRestore())
  const other = await secondShard()
  let isDown = true
  const two = {
    ...system,
    shards: ['00', '01'],
    database: (shard: string) => {
      if (shard === '00') return db
      return isDown ? down : other
    },
  }
  await setLimits('deployment', {
    limits: { 'events.subscribe': 12 },
    service_account_limits: { 'events.subscribe': 13 },
  })
  await spreadDeployment(two)
  expect(logged.mock.calls.join()).toContain('limits.not_spread')
  isDown = false
  await spreadDeployment(two)
  expect(await settingsIn(other)).toEqual(await settingsIn(db))
  expect(await settingsIn(other)).toHaveLength(2)
  await setLimits('deployment', {
    limits: { 'events.subscribe': 14 },
    service_account_limits: { 'events.subscribe': null },
  })
  await Promise.all([spreadDeployment(two), spreadDeployment(two)])
  expect(await settingsIn(other)).toEqual([
    { account_class: 'users', name: 'events.subscribe', permits: 14, holder: 'deployment' },
  ])
})

test('of two changes at once the later one stands in every shard, also where the copy of the earlier one comes last', async () => {
  onTestFinished(async () => void (await setLimits('deployment', { limits: { 'events.subscribe': null } })))
  const other = await secondShard()
  const first = system.database('00')
  const two = (second: Database) => ({
    ...system,
    shards: ['00', '01'],
    database: (shard: string) => (shard === '00' ? first : second),
  })
  let overtaken = false
  const slow = new (class extends Database {
    override async batch<Rows extends unknown[]>(
      statements: D1PreparedStatement[],
    ): Promise<{ [K in keyof Rows]: Rows[K][] }> {
      if (!overtaken) {
        overtaken = true
        await setLimits('deployment', { limits: { 'events.subscribe': 14 } })
        await spreadDeployment(two(other))
      }
      return super.batch<Rows>(statements)
    }
  })(env.AUDIT_DB)
  await setLimits('deployment', { limits: { 'events.subscribe': 12 } })
  await spreadDeployment(two(slow))
  expect([overtaken, await settingsIn(other)]).toEqual([
    true,
    [{ account_class: 'users', name: 'events.subscribe', permits: 14, holder: 'deployment' }],
  ])
})

test('a change for the deployment stands in every shard when it is answered', async () => {
  onTestFinished(async () => void (await setLimits('deployment', { limits: { 'events.subscribe': null } })))
  expect((await setLimits('deployment', { limits: { 'events.subscribe': 16 } })).status).toBe(200)
  const found = await Promise.all(system.shards.map((shard) => settingsIn(system.database(shard))))
  expect(found).toEqual(
    system.shards.map(() => [{ account_class: 'users', name: 'events.subscribe', permits: 16, holder: 'deployment' }]),
  )
})

test('with a shard that is down, what other shards hold is found, and an unknown id is a 503 and no 404', async () => {
  const tenant = await newTenant()
  const two = { ...system, shards: ['00', '01'], database: (shard: string) => (shard === '00' ? db : down) }
  expect(await findSubject(two, tenant.keyId)).toMatchObject({ type: 'api_key', holder: tenant.userId })
  await expect(findSubject(two, 'ten_00000000000000000000000000')).rejects.toThrow('down')
  await expect(findSubject(system, 'ten_00000000000000000000000000')).rejects.toMatchObject({ code: 'not_found' })
})
