import { afterEach, beforeEach, expect, test } from 'vitest'
import { Database } from '../../src/core/database/database.ts'
import type { RequestContext, System } from '../../src/core/context.ts'
import { unavailable } from '../../src/core/errors.ts'
import { lookSweep } from '../../src/auth/directory/placement.ts'
import { register } from '../../src/identity/users/register.ts'
import type { Ready } from '../../src/reference/ready.ts'
import { MINUTE, travel } from '../support/clock.ts'
import { interrupted } from '../support/interrupted.ts'
import { readyWith } from '../support/ready.ts'
import { regionsIn, withDatabases } from '../support/shards.ts'
import { until } from '../support/until.ts'
import { bindingIn, newTenant, system } from '../support/world.ts'

const directory = system.database('00')
const GB = 1024 ** 3
const newAddress = () => `failed-shard-${crypto.randomUUID()}@example.com`

/** Shard 01 has the most room and 00 the least, as far as a sweep saw. */
beforeEach(async () => {
  travel(0)
  await directory.batch([
    directory.statement('delete from shard_states'),
    ...['00', '02', '01'].map((shard, nth) =>
      directory.statement(
        `insert into shard_states (shard, seen_at, bytes, audit_bytes, requests, usable)
         values (:shard, :now, :bytes, 0, 0, 1)`,
        { shard, now: system.now(), bytes: (6 - 2 * nth) * GB },
      ),
    ),
  ])
})
afterEach(() => directory.write('delete from shard_states'))

/** A database that does not answer. */
const deadDatabase = (shard: string): Database =>
  new (class extends Database {
    override size = () => Promise.reject(unavailable('The database'))
  })(bindingIn(shard), shard)

function contextWith(databases: Partial<Record<string, Database>>, changes: Partial<System> = {}): RequestContext {
  return {
    ...withDatabases(databases, { log: { info: () => {}, error: () => {} }, ...changes }),
    requestId: system.newId('req'),
    client: { ip: '192.0.2.1', userAgent: 'test', origin: 'http://recollect.test' },
  }
}

const signUp = (ctx: RequestContext, email: string, more: { region?: 'enam' | 'apac' } = {}) =>
  register(ctx, { email, password: 'correct horse battery', name: 'Ada', ...more })

const shardOfAddress = async (email: string): Promise<string | null> => {
  const row = await directory.first<{ routing_id: string }>('select routing_id from directory where email = :email', {
    email,
  })
  return row?.routing_id.slice(0, 2) ?? null
}

const usableOf = async (shard: string) =>
  (await directory.first<{ usable: number }>('select usable from shard_states where shard = :shard', { shard }))?.usable

test('contract §2: a sign-up passes over a shard that fails, and the next ones do not ask it', async () => {
  const ctx = contextWith({ '01': deadDatabase('01') })
  const email = newAddress()
  await signUp(ctx, email)
  expect(await shardOfAddress(email)).toBe('02')
  await until(async () => expect(await usableOf('01')).toBe(0))
  const asked: string[] = []
  const database: System['database'] = (shard) => {
    asked.push(shard)
    return ctx.database(shard)
  }
  await signUp({ ...ctx, database }, newAddress())
  expect(asked).not.toContain('01')
  // A sweep that finds it well sends tenants there again.
  await lookSweep.run(system)
  expect(await usableOf('01')).toBe(1)
})

test('contract §2: where the shard of the chosen region fails nothing is reserved, and another region is free', async () => {
  const config = { ...system.config, shardRegions: regionsIn('00:weur,01:enam,02:apac') }
  const ctx = contextWith({ '01': deadDatabase('01') }, { config })
  const email = newAddress()
  await expect(signUp(ctx, email, { region: 'enam' })).rejects.toMatchObject({ code: 'dependency_unavailable' })
  expect(await shardOfAddress(email)).toBeNull()
  await signUp(ctx, email, { region: 'apac' })
  expect(await shardOfAddress(email)).toBe('02')
})

test('a shard that fails after it was asked: the retry says that a sign-up is under way, and the shard is marked', async () => {
  const lost = interrupted(() => Promise.reject(unavailable('The database')), '01')
  const ctx = contextWith({ '01': lost })
  const email = newAddress()
  await expect(signUp(ctx, email)).rejects.toMatchObject({ code: 'dependency_unavailable' })
  await until(async () => expect(await usableOf('01')).toBe(0))
  await expect(signUp(ctx, email)).rejects.toMatchObject({ code: 'conflict', headers: { 'Retry-After': '60' } })
  travel(MINUTE)
  await signUp(contextWith({}), email)
  expect(await shardOfAddress(email)).not.toBeNull()
})

test('contract §7: /ready tells a shard with fewer tenants than the directory knows there', async () => {
  await newTenant({ shard: '02' })
  // Other tests have left some that are missing on either side.
  const tenants = await system.database('02').all<{ id: string }>('select id from tenants')
  const there = JSON.stringify(tenants.map(({ id }) => id))
  await directory.batch([
    directory.statement("delete from tenant_directory where shard = '02'"),
    directory.statement(
      `insert into tenant_directory (id, shard) select value, '02' from json_each(:there) where true
       on conflict (id) do update set shard = excluded.shard`,
      { there },
    ),
  ])
  await lookSweep.run(system)
  const missing = async () => {
    const { warnings } = await (await readyWith({})).json<Ready>()
    const detail = warnings.find(({ name, shard }) => name === 'tenants_missing' && shard === '02')?.detail
    return detail === undefined ? 0 : Number(/lists (\d+) more tenant/.exec(detail)?.[1])
  }
  await directory.batch([
    directory.statement('insert into tenant_directory (id, shard) values (:id, :shard)', {
      id: 'ten_lost',
      shard: '02',
    }),
  ])
  await lookSweep.run(system)
  expect(await missing()).toBe(1)
  await directory.write('delete from tenant_directory where id = :id', { id: 'ten_lost' })
  await lookSweep.run(system)
  expect(await missing()).toBe(0)
})
