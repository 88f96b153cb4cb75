/**
 * @module-tag long
 * @module-tag shards
 */
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { bindingOf } from '../../src/core/shards.ts'
import { RUNNING_MS } from '../../src/core/idempotency/claim.ts'
import worker from '../../src/index.ts'
import { travel } from '../support/clock.ts'
import { invitationFor } from '../support/invitation.ts'
import { observedDatabase } from '../support/observed-database.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { addKey, addMember, bindingIn, call, db, newSession, newTenant, system, type Tenant } from '../support/world.ts'
import { rows } from './every-endpoint.ts'

/** What is sent to an endpoint, and by whom. */
interface Sent {
  by: Tenant
  ids?: Record<string, string>
  body?: unknown
  lines?: string
}

const made = async (tenant: Tenant, path: string, body: unknown): Promise<any> =>
  (await call('POST', path, { headers: await newSession(tenant), body })).body

const APP = { name: 'App', redirect_uris: ['https://app.example/cb'], scopes: ['read:memory'] }
const SUBSCRIPTION = { channels: ['conversation'], delivery: { method: 'webhook', url: 'http://127.0.0.1:9/' } }
const subscribed = async (by: Tenant): Promise<Record<string, string>> => ({
  id: (await made(by, '/api/events/subscriptions', SUBSCRIPTION)).subscription_id,
})

/** A request that creates, for each endpoint that takes an idempotency key. */
const SENT: Record<string, (by: Tenant) => Sent | Promise<Sent>> = {
  '/api/memory/store': (by) => ({ by, body: { content: 'one' } }),
  '/v1/memory/ingest': (by) => ({ by, body: { conversation_id: 'c', messages: [{ role: 'user', content: 'one' }] } }),
  '/api/memory/batch': (by) => ({ by, body: { operations: [{ op: 'store', content: 'one' }] } }),
  '/v1/memory/import': (by) => ({ by, lines: '{"content": "one"}\n' }),
  '/api/projects': (by) => ({ by, body: { name: 'P', workspace_id: by.workspaceId } }),
  '/v1/workspaces': (by) => ({ by, body: { name: 'W' } }),
  '/v1/workspaces/{id}/members': (by) => ({
    by,
    ids: { id: by.workspaceId },
    body: { email: 'grace@example.com', role: 'editor' },
  }),
  '/v1/workspaces/{id}/members/{user_id}/reset-link': async (by) => ({
    by,
    ids: { id: by.workspaceId, user_id: (await addMember(by, 'viewer')).userId },
  }),
  '/v1/tenant/people/{user_id}/reset-link': async (by) => {
    await givePassword(by)
    return { by, ids: { user_id: (await addMember(by, null)).userId }, body: { password: PASSWORD } }
  },
  '/v1/invitations/{id}/accept': async (by) => {
    const invited = await addMember(by, null)
    return { by: invited, ids: { id: await invitationFor(by, invited) } }
  },
  '/v1/workspaces/{id}/invitations/{invitation_id}/renew': async (by) => ({
    by,
    ids: { id: by.workspaceId, invitation_id: await invitationFor(by, await addMember(by, null)) },
  }),
  '/v1/api-keys': (by) => ({ by, body: { name: 'K', scopes: ['read:memory'], owner: 'workspace' } }),
  '/v1/api-keys/{id}/rotate': async (by) => ({ by, ids: { id: (await addKey(by)).id }, body: { overlap_seconds: 60 } }),
  '/v1/apps': (by) => ({ by, body: APP }),
  '/v1/apps/{id}/rotate-secret': async (by) => ({ by, ids: { id: (await made(by, '/v1/apps', APP)).id }, body: {} }),
  '/api/events/publish': (by) => ({ by, body: { type: 'message.new', data: { conversation_id: 'c' } } }),
  '/api/events/subscriptions': (by) => ({ by, body: SUBSCRIPTION }),
  '/v1/events/subscriptions/{id}/test': async (by) => ({ by, ids: await subscribed(by) }),
  '/v1/events/subscriptions/{id}/secret/rotate': async (by) => ({ by, ids: await subscribed(by) }),
}

/**
 * One request, without what it leaves to queues. Its process dies: the answer to its trip `last` to the database never
 * arrives, and there are no further trips. How many it began tells whether it outlived its last one.
 */
async function send(path: string, init: RequestInit, last = Infinity): Promise<{ answer: Response; trips: number }> {
  let trips = 0
  const queue = { sendBatch: async () => {} } as unknown as Queue
  const observed = async (trip: () => Promise<unknown>): Promise<unknown> => {
    trips += 1
    if (trips > last) throw new Error('dead')
    const answer = await trip()
    if (trips >= last) throw new Error('dead')
    return answer
  }
  // The directory is in the first shard, and the tenant in its own.
  const databases = Object.fromEntries(
    system.shards.map((shard) => [bindingOf('DB', shard), observedDatabase(bindingIn(shard), observed)]),
  )
  const queues = { EVENTS_QUEUE: queue, DELIVERY_QUEUE: queue, EMBED_QUEUE: queue }
  const request = new Request<unknown, IncomingRequestCfProperties>(`http://recollect.test${path}`, init as object)
  const answer = await worker.fetch(request, { ...env, ...queues, ...databases }, createExecutionContext())
  await answer.clone().arrayBuffer()
  return { answer, trips }
}

/** Every row of the tenant. Keys of requests and audit rows come and go beside what a request makes. */
async function everythingOf({ tenantId }: Tenant): Promise<string> {
  const tables = await db.all<{ name: string }>(
    `select m.name from sqlite_master m join pragma_table_info(m.name) c on c.name = 'tenant_id'
     where m.type = 'table' and m.name not in ('idempotency_keys', 'idempotency_progress', 'audit_outbox', 'sessions')`,
  )
  const all = tables.map(({ name }) =>
    db.all(`select * from ${name} where tenant_id = :tenant order by 1, 2`, { tenant: tenantId }),
  )
  // The fan-out settles events of the preparations meanwhile.
  return JSON.stringify(await Promise.all(all), (name, value: unknown) => (name === 'settled_at' ? null : value))
}

const creating = rows(({ idempotent }) => idempotent !== undefined)

test('every endpoint that takes an idempotency key has a request below', () => {
  expect(creating.map(({ spec }) => spec.path).sort()).toEqual(Object.keys(SENT).sort())
})

test.each(creating)(
  'contract §1: $name, wherever it dies, makes one thing when it is sent again under its key',
  async ({ spec }) => {
    const outcomes: string[] = []
    const owner = await newTenant()
    for (let last = 1; ; last += 1) {
      const { by, ids = {}, body, lines } = (await SENT[spec.path]?.(owner)) ?? { by: owner }
      const path = spec.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')
      const type = { 'Content-Type': lines === undefined ? 'application/json' : 'application/x-ndjson' }
      const init = {
        method: 'POST',
        headers: { ...(await newSession(by)), 'Idempotency-Key': `k${last}`, ...type },
        ...(body === undefined && lines === undefined ? {} : { body: lines ?? JSON.stringify(body) }),
      }
      // Past the windows of the limits by the second.
      travel(2_000)
      const before = await everythingOf(by)
      const { trips } = await send(path, init, last)
      const broken = await everythingOf(by)
      const tookPlace = broken !== before
      if (trips < last) {
        outcomes.push(tookPlace ? 'lived' : 'failed')
        break
      }
      travel(RUNNING_MS + 1_000)
      const { answer } = await send(path, init)
      expect({ last, ok: answer.ok, text: await answer.clone().text() }).toMatchObject({ last, ok: true })
      expect({ last, changed: (await everythingOf(by)) !== broken }).toEqual({ last, changed: !tookPlace })
      const { answer: third } = await send(path, init)
      expect(third.status).toBe(answer.status)
      expect(third.headers.get('idempotent-replayed')).toBe('true')
      outcomes.push(tookPlace ? 'made' : 'nothing made')
    }
    expect(outcomes.at(-1)).toBe('lived')
    expect(outcomes).toContain('made')
    // A key that commits with its effect has no trip before it.
    expect(spec.idempotent?.mode === 'committed' || outcomes.includes('nothing made')).toBe(true)
  },
)
