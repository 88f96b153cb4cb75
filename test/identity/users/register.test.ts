import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createApp } from '../../../src/app.ts'
import { PASSWORD } from '../../support/password.ts'
import { call, db, form, newTenant } from '../../support/world.ts'

/** A sign-up where sign-ups are closed. */
async function signUp(fields: Record<string, string>, ip: string): Promise<{ status: number; code: unknown }> {
  const request = {
    method: 'POST',
    headers: { 'CF-Connecting-IP': ip },
    body: new URLSearchParams({ password: PASSWORD, name: 'Ada', ...fields }),
  }
  const closed = { ...env, SIGNUPS: 'closed' }
  const answer = await createApp().request('/auth/register-user', request, closed, createExecutionContext())
  const body: { code?: unknown } = await answer.json()
  return { status: answer.status, code: body.code }
}

test('where sign-ups are closed: 403 forbidden, and nobody is made', async () => {
  const email = `new-${crypto.randomUUID()}@example.com`
  expect(await signUp({ email }, '203.0.113.41')).toEqual({ status: 403, code: 'forbidden' })
  expect(await db.all('select id from users where email = ?', email)).toEqual([])
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
  expect(await db.first('select tenant_id from users where email = ?', email)).toEqual({ tenant_id: tenant.tenantId })
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
  expect(await db.all('select id from users where email = ?', email)).toHaveLength(1)
})
