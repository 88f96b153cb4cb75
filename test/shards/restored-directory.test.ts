import { beforeEach, expect, test } from 'vitest'
import { directorySweeps } from '../../src/auth/index.ts'
import {
  CONTENT_QUERIES,
  DIRECTORY_QUERIES,
  repairOf,
  repairStatements,
  type Contents,
  type Directory,
  type Repair,
} from '../../tools/directory/repair.ts'
import { newApp, newPerson } from '../support/oauth.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { SHARDS } from '../support/shards.ts'
import { until } from '../support/until.ts'
import { call, form, newSession, newTenant, system, type Tenant } from '../support/world.ts'

const TABLES = ['directory', 'client_directory', 'tenant_directory'] as const
const first = system.database('00')

async function rowsOf(queries: Record<string, { sql: string }>, shard: string): Promise<Record<string, unknown[]>> {
  const all = Object.entries(queries).map(async ([name, { sql }]) => [name, await system.database(shard).all(sql)])
  return Object.fromEntries(await Promise.all(all))
}

/** What `npm run directory -- --apply` does, on the databases of the test. */
async function repair(): Promise<Repair> {
  const directory = (await rowsOf(DIRECTORY_QUERIES, '00')) as unknown as Directory
  const shards = await Promise.all(
    SHARDS.map(async (shard) => ({ ...(await rowsOf(CONTENT_QUERIES, shard)), shard }) as unknown as Contents),
  )
  const found = repairOf(directory, shards)
  for (const [shard, statements] of repairStatements(found, system.now())) {
    const db = system.database(shard)
    await db.batch(statements.map((sql) => db.statement(sql)))
  }
  return found
}

const sweep = async (): Promise<void> => {
  for (const one of directorySweeps) await one.run(system)
}

const snapshot = () =>
  Promise.all(TABLES.map((table) => first.all<Record<string, string | null>>(`select * from ${table}`)))

/** Shard 00 as it was, as far as the directory goes. */
async function restore(state: Awaited<ReturnType<typeof snapshot>>): Promise<void> {
  await first.batch(
    TABLES.flatMap((table, index) => [
      first.statement(`delete from ${table}`),
      ...(state[index] ?? []).map((row) =>
        first.statement(
          `insert into ${table} (${Object.keys(row).join(', ')}) values (:${Object.keys(row).join(', :')})`,
          row,
        ),
      ),
    ]),
  )
}

async function newPersonIn(shard: string): Promise<{ tenant: Tenant; login: () => Promise<number> }> {
  const tenant = await newTenant({ shard })
  await givePassword(tenant)
  return {
    tenant,
    login: async () => (await form('/auth/login', { username: tenant.email, password: PASSWORD })).status,
  }
}

const entryOf = (email: string) =>
  first.first<{ user_id: string; expires_at: number | null }>(
    'select user_id, expires_at from directory where email = :email',
    { email },
  )

// Accounts that other tests left half done are no news here.
beforeEach(async () => {
  await repair()
  await sweep()
})

test('shard 00 comes back from before: sign-ups, applications and tenants since then are found again', async () => {
  const before = await snapshot()
  const { tenant, login } = await newPersonIn('02')
  const app = await newApp(await newPerson({ shard: '01' }))
  await until(async () =>
    expect(
      await first.first('select 1 from client_directory where id = :client and expires_at is null', {
        client: app.client_id,
      }),
    ).not.toBeNull(),
  )
  await restore(before)
  expect([await entryOf(tenant.email), await login()]).toEqual([null, 401])

  const found = await repair()
  expect(found.conflicts).toEqual([])
  expect(found.enter.map(({ email }) => email)).toContain(tenant.email)
  expect(found.clients).toEqual([{ id: app.client_id, shard: '01' }])
  // At once, and confirmed by the sweep.
  expect(await login()).toBe(200)
  await sweep()
  expect(await entryOf(tenant.email)).toEqual({ user_id: tenant.userId, expires_at: null })
  expect(
    await first.first('select shard from tenant_directory where id = :tenant', { tenant: tenant.tenantId }),
  ).toEqual({ shard: '02' })
  expect(await first.first('select * from client_directory where id = :client', { client: app.client_id })).toEqual({
    id: app.client_id,
    shard: '01',
    expires_at: null,
  })
  expect(await repair()).toEqual({ enter: [], clients: [], tenants: [], released: new Map(), conflicts: [] })
})

test('accounts that were deleted since then lead nowhere, and their addresses are free again', async () => {
  const { tenant } = await newPersonIn('02')
  const before = await snapshot()
  const headers = await newSession(tenant)
  expect((await call('DELETE', '/api/users/me', { headers, body: { password: PASSWORD } })).status).toBe(204)
  await restore(before)
  const signUp = async () =>
    (await form('/auth/register-user', { email: tenant.email, password: PASSWORD, name: 'Ada' })).status
  expect(await signUp()).toBe(409)

  const found = await repair()
  expect(found.released.get('02')).toContain(tenant.userId)
  await sweep()
  expect(await entryOf(tenant.email)).toBeNull()
  expect(await signUp()).toBe(201)
})

test('an address that was deleted and signed up anew leads to the new account', async () => {
  const { tenant } = await newPersonIn('02')
  const before = await snapshot()
  const headers = await newSession(tenant)
  await call('DELETE', '/api/users/me', { headers, body: { password: PASSWORD } })
  const { body } = await form('/auth/register-user', { email: tenant.email, password: PASSWORD, name: 'Ada' })
  await restore(before)
  expect((await repair()).conflicts).toEqual([])
  await sweep()
  expect(await entryOf(tenant.email)).toEqual({ user_id: body.user.id, expires_at: null })
})

test('an address with two accounts is a line, and nobody is merged: the directory stays as it is', async () => {
  const [one, other] = [await newPersonIn('01'), await newPersonIn('02')]
  await system
    .database('02')
    .write('update users set email = :email where id = :user', { email: one.tenant.email, user: other.tenant.userId })
  const before = await snapshot()
  const { conflicts, enter } = await repair()
  expect(conflicts).toEqual([
    `${one.tenant.email} is the address of ${one.tenant.userId} of ${one.tenant.tenantId} in shard 01 and ` +
      `${other.tenant.userId} of ${other.tenant.tenantId} in shard 02; the directory points to ${one.tenant.userId}.`,
  ])
  expect(enter).toEqual([])
  expect(await snapshot()).toEqual(before)
  await system
    .database('02')
    .write('update users set email = :email where id = :user', { email: other.tenant.email, user: other.tenant.userId })
})

test('an account that is deleted between the look and the sweep gets no entry that stays', async () => {
  const before = await snapshot()
  const { tenant } = await newPersonIn('02')
  await restore(before)
  await repair()
  await system.database('02').write('update users set deleted_at = 1 where id = :user', { user: tenant.userId })
  await sweep()
  expect(await entryOf(tenant.email)).toBeNull()
})
