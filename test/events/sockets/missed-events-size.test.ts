import { expect, test } from 'vitest'
import { newId } from '../../../src/core/values/ids.ts'
import { isTooMuch, MAX_HELD_CHARACTERS, MAX_MISSED } from '../../../src/events/sockets/missed-events.ts'
import { happen, memoryEvent } from '../../support/events.ts'
import { openSocket, receivedBy, type TestSocket } from '../../support/socket.ts'
import { until } from '../../support/until.ts'
import { addKey, db, newTenant, system, type Tenant } from '../../support/world.ts'

/** Reconnects from an id, as a client does that lost its connection. */
const resume = (tenant: Pick<Tenant, 'key'>, lastEventId: string) =>
  openSocket(`/realtime?channels=memory&token=${tenant.key}&last_event_id=${lastEventId}`)
const stateOf = (socket: TestSocket) => socket.messages[0]?.data
const idsOf = (socket: TestSocket) => receivedBy(socket).map((one) => one.id)

/** Adds a history of `count` events that were made and fanned out at `now`, oldest first. */
async function history(
  tenant: Tenant,
  count: number,
  { namespace = null, now = system.now() }: { namespace?: string | null; now?: number } = {},
): Promise<void> {
  const numbers = JSON.stringify(Array.from({ length: count }, (_, n) => n))
  await db.write(
    `insert into events (id, tenant_id, type, channel, workspace_id, project_id, actor, data, created_at, fanned_out_at,
       settled_at, resend_at, expires_at, namespace)
     select substr(:id, 1, 22) || printf('%08d', value), :tenant, 'memory.created', 'memory', :workspace, :project, 'system', '{}', :now, :now + 1, :now, :now, :now + 86400000, :namespace
     from json_each(:numbers)`,
    {
      id: newId('evt', now, system.random),
      tenant: tenant.tenantId,
      workspace: tenant.workspaceId,
      project: tenant.projectId,
      now,
      numbers,
      namespace,
    },
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

test('contract §5: any number of events that were made before and may not have arrived comes with those made since', async () => {
  const tenant = await newTenant()
  // A hub of somebody else is not reached: its events are fanned out again and again, before the last event and after.
  await history(tenant, 1_500, { now: system.now() - 30_000 })
  await history(tenant, 1_500, { now: system.now() - 300_000 })
  const last = await happen(memoryEvent(tenant))
  await db.write(
    `update events set settled_at = null, fanned_out_at = case when created_at > :minute_ago then :shortly_before else :later end
     where tenant_id = :tenant and id <> :last`,
    {
      minute_ago: system.now() - 60_000,
      shortly_before: system.now() - 10_000,
      later: system.now() + 10_000,
      tenant: tenant.tenantId,
      last,
    },
  )
  const missed = await happen(memoryEvent(tenant))
  const again = await resume(tenant, last)
  expect(stateOf(again)).toMatchObject({ recovered: true, replayed: 3_001 })
  await until(() => expect(new Set(idsOf(again)).size).toBe(3_001))
  expect(idsOf(again)).toContain(missed)
  expect(idsOf(again)).not.toContain(last)
})

test.each([
  [{ made: MAX_MISSED, characters: 0 }, false],
  [{ made: MAX_MISSED + 1, characters: 0 }, true],
  [{ made: 0, characters: MAX_HELD_CHARACTERS }, false],
  [{ made: 0, characters: MAX_HELD_CHARACTERS + 1 }, true],
])('%j is too much: %s', (found, expected) => {
  expect(isTooMuch(found)).toBe(expected)
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
  await history(tenant, 4_100, { namespace: 'b' })
  const allowed = await happen(memoryEvent(tenant, { namespace: 'a' }))
  const again = await resume({ key: limited.secret }, last)
  expect(stateOf(again)).toMatchObject({ recovered: true, replayed: 1 })
  await again.received('memory.created')
  expect(idsOf(again)).toEqual([allowed])
})
