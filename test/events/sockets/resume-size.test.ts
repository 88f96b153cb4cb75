import { expect, test } from 'vitest'
import { happen, memoryEvent } from '../../support/events.ts'
import { openSocket, receivedBy, type TestSocket } from '../../support/socket.ts'
import { until } from '../../support/until.ts'
import { addKey, db, newTenant, system, type Tenant } from '../../support/world.ts'

/** Reconnects from an id, as a client does that lost its connection. */
const resume = (tenant: Pick<Tenant, 'key'>, lastEventId: string) =>
  openSocket(`/realtime?channels=memory&token=${tenant.key}&last_event_id=${lastEventId}`)
const stateOf = (socket: TestSocket) => socket.messages[0]?.data
const idsOf = (socket: TestSocket) => receivedBy(socket).map((one) => one.id)

/** Adds a history of `count` events that were fanned out, oldest first. */
async function history(tenant: Tenant, count: number, namespace: string | null = null): Promise<void> {
  const numbers = JSON.stringify(Array.from({ length: count }, (_, n) => n))
  const now = system.now()
  await db.write(
    `insert into events (id, tenant_id, type, channel, workspace_id, project_id, actor, data, created_at, fanned_out_at,
       settled_at, resend_at, expires_at, namespace)
     select substr(?1, 1, 22) || printf('%08d', value), ?2, 'memory.created', 'memory', ?3, ?4, 'system', '{}', ?5, ?5 + 1, ?5, ?5, ?5 + 86400000, ?7
     from json_each(?6)`,
    system.newId('evt'),
    tenant.tenantId,
    tenant.workspaceId,
    tenant.projectId,
    now,
    numbers,
    namespace,
  )
}

test('1,000 missed events are all sent, in order; with one more, none', async () => {
  const tenant = await newTenant()
  const last = await happen(memoryEvent(tenant))
  await history(tenant, 1_000)
  const again = await resume(tenant, last)
  await until(() => expect(idsOf(again)).toHaveLength(1_000))
  expect(idsOf(again)).toEqual(idsOf(again).toSorted((a, b) => String(a).localeCompare(String(b))))
  expect(stateOf(again)).toMatchObject({ recovered: true, replayed: 1_000 })
  await happen(memoryEvent(tenant))
  const late = await resume(tenant, last)
  expect(stateOf(late)).toMatchObject({ recovered: false, replayed: 0 })
  expect(idsOf(late)).toEqual([])
})

test('a client that acknowledges stays open through a resume that exceeds the bound of unacknowledged events', async () => {
  const tenant = await newTenant()
  const last = await happen(memoryEvent(tenant))
  await history(tenant, 1_000)
  const again = await resume(tenant, last)
  again.send({ type: 'ack', received: 1 })
  again.send('{ "type": "ping" }')
  await again.received('pong')
  const live = await happen(memoryEvent(tenant))
  await again.received('memory.created', (one) => one.id === live)
  expect(again.closed).toBeNull()
})

test('events that a limited credential may not receive do not count towards the 1,000', async () => {
  const tenant = await newTenant()
  const limited = await addKey(tenant, {
    permissions: [{ project_id: tenant.projectId, access: 'read', namespaces: ['a'] }],
  })
  const last = await happen(memoryEvent(tenant, { namespace: 'a' }))
  await history(tenant, 4_100, 'b')
  const allowed = await happen(memoryEvent(tenant, { namespace: 'a' }))
  const again = await resume({ key: limited.secret }, last)
  expect(stateOf(again)).toMatchObject({ recovered: true, replayed: 1 })
  await again.received('memory.created')
  expect(idsOf(again)).toEqual([allowed])
})
