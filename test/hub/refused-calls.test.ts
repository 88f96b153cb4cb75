import { expect, test } from 'vitest'
import { sha256 } from '../../src/core/values/hash.ts'
import { travel } from '../support/clock.ts'
import { until } from '../support/until.ts'
import { addKey, call, db, newSession, newTenant, system, type Tenant } from '../support/world.ts'

const MESSAGE = { type: 'message.new', data: { conversation_id: 'c', message: { text: 'Hello' } } }
const publish = (headers: Record<string, string>, body: unknown = MESSAGE) =>
  call('POST', '/api/events/publish', { headers, body })
const subscribe = (headers: Record<string, string>, body: unknown = { channels: ['Bad Name'] }) =>
  call('POST', '/api/events/subscriptions', { headers, body })

/** A user who has had `count` calls refused in this minute, without their cost. The clock stands still. */
async function refusedBefore(count: number): Promise<{ tenant: Tenant; headers: Record<string, string> }> {
  travel(0)
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const hub = system.hub(tenant.routingId)
  const tokenHash = await sha256(headers['X-Session-Token'])
  for (let n = 0; n < count; n += 1) await hub.admit({ kind: 'session', tokenHash, permits: ['events.refused'] })
  return { tenant, headers }
}

/** The outcomes of a user's audited events calls, in order of arrival. */
async function audited({ tenantId }: Tenant): Promise<string[]> {
  const rows = await system
    .auditDatabase('00')
    .all<{ row: string }>('select r.value as row from audit_pages p, json_each(p.rows) r where p.tenant_id = :tenant', {
      tenant: tenantId,
    })
  return rows
    .map(({ row }) => JSON.parse(row) as { action: string; outcome: string })
    .filter(({ action }) => action.startsWith('events.'))
    .map(({ action, outcome }) => `${action} ${outcome}`)
}

test('security 47: after sixty refused publications and subscriptions in a minute each further one is 429', async () => {
  const { headers } = await refusedBefore(58)
  expect((await publish(headers, { type: 'message.new', data: {} })).status).toBe(422)
  expect((await subscribe(headers)).status).toBe(422)
  for (const answer of [await publish(headers), await subscribe(headers)]) {
    expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(answer.headers.get('ratelimit-policy')).toContain('"events.refused";q=60;w=60')
    expect(Number(answer.headers.get('retry-after'))).toBe(60)
  }
  travel(60_000)
  expect((await publish(headers)).status).toBe(202)
})

test('security 47: refused calls at once, with several keys of a user, never pass the limit by one', async () => {
  const { tenant } = await refusedBefore(55)
  const keys = await Promise.all(Array.from({ length: 4 }, () => addKey(tenant)))
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, n) => publish({ 'X-API-Key': keys[n % 4]!.secret }, { type: 'message.new' })),
  )
  const counted = (status: number) => answers.filter((answer) => answer.status === status).length
  expect([counted(422), counted(429)]).toEqual([5, 11])
})

test('security 49: past that limit a minute leaves one audit row, and not one for each call', async () => {
  const { tenant, headers } = await refusedBefore(59)
  expect((await publish(headers, { type: 'message.new', data: {} })).status).toBe(422)
  for (let n = 0; n < 4; n += 1) {
    // An isolate remembers a refusal for a second: each of these reaches the hub.
    travel(1_001)
    expect((await publish(headers)).status).toBe(429)
  }
  travel(60_000)
  expect((await publish(headers)).status).toBe(202)
  const expected = ['events.publish rate_limited', 'events.publish success', 'events.publish validation_failed']
  await until(async () => expect((await audited(tenant)).sort()).toEqual(expected), { everyMs: 200 })
})

test('a call that succeeds, and one that fails on the side of the service, count as no refused one', async () => {
  const { headers } = await refusedBefore(58)
  for (let n = 0; n < 4; n += 1) {
    expect((await publish(headers)).status).toBe(202)
    await until(async () => expect(await refusedOf(headers)).toBe(58))
  }
  await db.write('alter table events rename to events_away')
  try {
    expect((await publish(headers)).status).toBe(503)
  } finally {
    await db.write('alter table events_away rename to events')
  }
  expect(await refusedOf(headers)).toBe(58)
})

/** How many refused calls count: it acquires a permit and releases it. */
async function refusedOf(headers: Record<string, string>): Promise<number> {
  const parsed = await system.tokens.parse(headers['X-Session-Token'] ?? '')
  const hub = system.hub(parsed?.routingId ?? '')
  const reply = await hub.admit({ kind: 'session', tokenHash: parsed?.hash ?? '', permits: ['events.refused'] })
  if (reply.outcome !== 'admitted') return 60
  await hub.release('events.refused', reply.acquiredAt)
  return 59 - (reply.limits[0]?.remaining ?? 0)
}
