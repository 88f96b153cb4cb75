/** @module-tag shards */
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createApp } from '../../../src/app.ts'
import { PASSWORD } from '../../support/password.ts'
import { call, db, form, newTenant, system } from '../../support/world.ts'

/** A sign-up where sign-ups are closed, or as `vars` say. */
async function signUp(
  fields: Record<string, string>,
  ip: string,
  vars: Partial<Env> = {},
): Promise<{ status: number; code: unknown }> {
  const request = {
    method: 'POST',
    headers: { 'CF-Connecting-IP': ip },
    body: new URLSearchParams({ password: PASSWORD, name: 'Ada', ...fields }),
  }
  const closed = { ...env, SIGNUPS: 'closed', ...vars }
  const answer = await createApp().request('/auth/register-user', request, closed, createExecutionContext())
  const body: { code?: unknown } = await answer.json()
  return { status: answer.status, code: body.code }
}

test('where sign-ups are closed: 403 forbidden, and nobody is made', async () => {
  const email = `new-${crypto.randomUUID()}@example.com`
  expect(await signUp({ email }, '203.0.113.41')).toEqual({ status: 403, code: 'forbidden' })
  expect(await db.all('select id from users where email = :email', { email })).toEqual([])
})

test('where sign-ups are closed an invitation opens them for its address, and a false one does not', async () => {
  const tenant = await newTenant()
  const email = `guest-${crypto.randomUUID()}@example.com`
  const { body } = await call('POST', `/v1/workspaces/${tenant.workspaceId}/members`, {
    key: tenant.key,
    body: { email, role: 'viewer' },
  })
  const invitation = new URL(body.invitation_url).searchParams.get('invitation') ?? ''
  const ip = '203.0.113.42'
  expect(await signUp({ email, invitation: 'rci_none' }, ip)).toEqual({ status: 422, code: 'validation_failed' })
  expect(await signUp({ email: `x-${email}`, invitation }, ip)).toMatchObject({ status: 422 })
  expect((await signUp({ email, invitation }, ip)).status).toBe(201)
  expect(await db.first('select tenant_id from users where email = :email', { email })).toEqual({
    tenant_id: tenant.tenantId,
  })
})

test('with SIGNUPS=first a service with a tenant is closed, as it is with a word that nobody knows (contract §2)', async () => {
  await newTenant()
  for (const SIGNUPS of ['first', 'First', 'yes', '']) {
    const email = `new-${crypto.randomUUID()}@example.com`
    expect(await signUp({ email }, '203.0.113.43', { SIGNUPS })).toEqual({ status: 403, code: 'forbidden' })
    expect(await db.all('select id from users where email = :email', { email })).toEqual([])
  }
})

test('the write refuses a first sign-up that a stale read let pass, and leaves nothing of it (security 74)', async () => {
  await newTenant()
  const rows = () =>
    Promise.all(
      ['tenants', 'users', 'directory', 'workspaces', 'projects', 'sessions'].map((table) =>
        db.first(`select count(*) as n from ${table}`),
      ),
    )
  const before = await rows()
  const asked: string[] = []
  /** Says of the tenants that there is none. */
  const DB = new Proxy(env.DB, {
    get: (real, name) => {
      if (name === 'prepare')
        return (sql: string) => {
          if (!sql.startsWith('select 1 where exists(select 1 from tenants)')) return real.prepare(sql)
          asked.push(sql)
          return real.prepare('select 1 where 0')
        }
      const member: unknown = Reflect.get(real, name)
      return typeof member === 'function' ? member.bind(real) : member
    },
  })
  const email = `late-${crypto.randomUUID()}@example.com`
  expect(await signUp({ email }, '203.0.113.44', { SIGNUPS: 'first', DB })).toEqual({ status: 403, code: 'forbidden' })
  expect(asked).toHaveLength(1)
  expect(await rows()).toEqual(before)
})

test('with SIGNUPS=first and the database down a sign-up is 503, and not let in', async () => {
  const DB = new Proxy(env.DB, {
    get: (real, name) => {
      if (name === 'prepare')
        return () => {
          throw new Error('D1_ERROR: no answer')
        }
      const member: unknown = Reflect.get(real, name)
      return typeof member === 'function' ? member.bind(real) : member
    },
  })
  const email = `down-${crypto.randomUUID()}@example.com`
  const { status } = await signUp({ email }, '203.0.113.45', { SIGNUPS: 'first', DB })
  expect(status).toBe(500)
  expect(await db.all('select id from users where email = :email', { email })).toEqual([])
})

test('an address is unique in the service, whatever its case: 409 email_taken', async () => {
  const { email } = await newTenant()
  const { status, body } = await form('/auth/register-user', {
    email: email.toUpperCase(),
    password: PASSWORD,
    name: 'x',
  })
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'email_taken' })
})

test('of two sign-ups of one address at once one succeeds and leaves one tenant', async () => {
  const email = `race-${crypto.randomUUID()}@example.com`
  const sign = () => form('/auth/register-user', { email, password: PASSWORD, name: 'Race' })
  const statuses = (await Promise.all([sign(), sign()])).map((answer) => answer.status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409])
  const found = system.shards.map((shard) =>
    system.database(shard).all('select id from users where email = :email', { email }),
  )
  expect((await Promise.all(found)).flat()).toHaveLength(1)
})
