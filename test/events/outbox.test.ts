import { expect, test } from 'vitest'
import { eventStatement, memoryEventsStatement } from '../../src/events/index.ts'
import { isId, timeOfId } from '../../src/core/ids.ts'
import { newReceiver } from '../support/receiver.ts'
import { openSocket } from '../support/socket.ts'
import { call, db, newTenant, system, type Tenant } from '../support/world.ts'
import { subscribe } from './webhooks.ts'

const ctx = { ...system, db }

test('an event is committed with the workspace of its project', async () => {
  const { tenantId, projectId, workspaceId, userId } = await newTenant()
  const event = {
    tenantId,
    projectId,
    type: 'offering.updated',
    channel: 'offering',
    actor: userId,
    data: { offering_id: 'o1' },
  }
  const [[row]] = await db.batch<[{ id: string }]>([eventStatement(ctx, event)])
  expect(await db.first('select workspace_id, data from events where id = ?', row?.id ?? '')).toEqual({
    workspace_id: workspaceId,
    data: '{"offering_id":"o1"}',
  })
})

test('an event whose cause did not happen is not committed', async () => {
  const { tenantId, projectId, userId } = await newTenant()
  const event = { tenantId, projectId, type: 'offering.updated', channel: 'offering', actor: userId, data: {} }
  const [rows] = await db.batch<[{ id: string }]>([
    eventStatement(ctx, event, 'exists (select 1 from projects where id = ? and name = ?)', projectId, 'Nothing'),
  ])
  expect(rows).toEqual([])
})

test('memory events are committed as a set, one for each row of the source, with ids of the usual shape', async () => {
  const { tenantId, projectId, userId } = await newTenant()
  const items = ['mem_1', 'mem_2'].map((id) => ({ id, readers: '["usr_x"]' }))
  const before = system.now()
  const [rows] = await db.batch<[{ id: string }]>([
    memoryEventsStatement(
      ctx,
      { type: 'memory.deleted', actor: 'system' },
      `select value ->> 'id' as memory_id, ? as project_id, 'default' as namespace, 'project' as scope,
         null as conversation_id, 3 as version, 'private' as visibility, ? as creator, value ->> 'readers' as readers,
         'expired' as reason
       from json_each(?)`,
      projectId,
      userId,
      JSON.stringify(items),
    ),
  ])
  expect(rows).toHaveLength(2)
  for (const { id } of rows) {
    expect(isId('evt', id)).toBe(true)
    expect(timeOfId(id)).toBeGreaterThanOrEqual(before)
  }
  const stored = await db.all<{ data: string; visibility: string; readers: string; tenant_id: string }>(
    'select data, visibility, readers, tenant_id from events where project_id = ? order by data',
    projectId,
  )
  expect(stored.map(({ data }) => JSON.parse(data))).toEqual(
    items.map(({ id }) => ({
      memory_id: id,
      project_id: projectId,
      namespace: 'default',
      scope: 'project',
      version: 3,
      actor: 'system',
      reason: 'expired',
    })),
  )
  expect(stored[0]).toMatchObject({ visibility: 'private', readers: '["usr_x"]', tenant_id: tenantId })
})

test('where nobody listens a memory event is settled by its own commit; with a subscription or a socket it is not', async () => {
  const [unheard, subscribed, connected] = [await newTenant(), await newTenant(), await newTenant()]
  await subscribe(subscribed, newReceiver(), { channels: ['memory'] })
  const socket = await openSocket('/realtime?channels=memory', { 'X-API-Key': connected.key })
  const stampOf = async ({ projectId, key }: Tenant) => {
    const { body } = await call('POST', '/api/memory/store', { key, body: { content: { text: 'Heard?' } } })
    return db.first<{ stamped: number; settled: number }>(
      `select created_at <= fanned_out_at as stamped, settled_at > created_at as settled from events
       where project_id = ? and data ->> 'memory_id' = ? and type = 'memory.created'`,
      projectId,
      String(body['id']),
    )
  }
  expect(await stampOf(unheard)).toEqual({ stamped: 1, settled: 1 })
  expect(await stampOf(subscribed)).not.toEqual({ stamped: 1, settled: 1 })
  expect(await stampOf(connected)).not.toEqual({ stamped: 1, settled: 1 })
  socket.close()
})
