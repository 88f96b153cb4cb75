/** @module-tag shards */
import { expect, test } from 'vitest'
import { travel } from '../support/clock.ts'
import { asOperator, operate, setLimits } from '../support/operator.ts'
import { callWith, DOWN } from '../support/shards.ts'
import { newTenant, system } from '../support/world.ts'

/** Everything that is listed, page by page. */
async function listed(limit: number): Promise<any[]> {
  const all: any[] = []
  let cursor = ''
  do {
    const { status, body } = await operate('GET', `/limits?limit=${limit}${cursor}`)
    expect(status).toBe(200)
    expect(body.data.length).toBeLessThanOrEqual(limit)
    all.push(...body.data)
    cursor = body.has_more ? `&cursor=${body.next_cursor}` : ''
  } while (cursor !== '')
  return all
}

test('contract §2: who has limits of their own is listed over all shards, page by page, each once', async () => {
  const tenants = await Promise.all(system.shards.map((shard) => newTenant({ shard })))
  for (const { tenantId, keyId } of tenants) {
    await setLimits(tenantId, { limits: { read: 30 }, service_account_limits: { write: 40 } })
    await setLimits(keyId, { limits: { 'api-key': 50 } })
  }
  travel(1)
  await setLimits('deployment', { limits: { read: 1_000 } })
  const all = await listed(2)
  const subjects = all.map(({ subject }) => subject)
  expect(new Set(subjects).size).toBe(subjects.length)
  // Other tests may have set limits at later times.
  const deployment = subjects.indexOf('deployment')
  expect(all[deployment]).toMatchObject({ subject: 'deployment', tenant_id: null })
  for (const { tenantId, keyId } of tenants) {
    const [own, key] = [tenantId, keyId].map((id) => all.find(({ subject }) => subject === id))
    expect(own).toMatchObject({ tenant_id: tenantId })
    for (const id of [tenantId, keyId]) expect(subjects.indexOf(id)).toBeGreaterThan(deployment)
    expect(new Set(own.limits)).toEqual(
      new Set([
        { name: 'read', account_class: 'users', set: 30 },
        { name: 'write', account_class: 'service_accounts', set: 40 },
      ]),
    )
    expect(key.limits).toEqual([{ name: 'api-key', account_class: 'users', set: 50 }])
  }
  await setLimits('deployment', { limits: { read: null } })
  await setLimits(tenants[0]?.tenantId ?? '', { limits: { read: null }, service_account_limits: { write: null } })
  const after = (await listed(100)).map(({ subject }) => subject)
  expect(after).not.toContain('deployment')
  expect(after).not.toContain(tenants[0]?.tenantId)
})

test('a cursor that was made up is 422, and no key of a tenant opens the list', async () => {
  expect((await operate('GET', '/limits?cursor=x')).status).toBe(422)
  const { key } = await newTenant()
  const { status } = await callWith({}, '/v1/operator/limits', { headers: { 'X-API-Key': key } })
  expect(status).toBe(401)
})

test('a database that does not answer is a 503, and no list that is short', async () => {
  const { status } = await callWith({ DB: DOWN }, '/v1/operator/limits', { headers: asOperator })
  expect(status).toBe(503)
})
