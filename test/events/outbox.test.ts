import { expect, test } from 'vitest'
import { sql } from '../../src/core/database/sql.ts'
import { eventStatement } from '../../src/events/index.ts'
import { db, newTenant, system } from '../support/world.ts'

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
  expect(await db.first('select workspace_id, data from events where id = :id', { id: row?.id ?? '' })).toEqual({
    workspace_id: workspaceId,
    data: '{"offering_id":"o1"}',
  })
})

test('an event whose cause did not happen is not committed', async () => {
  const { tenantId, projectId, userId } = await newTenant()
  const event = { tenantId, projectId, type: 'offering.updated', channel: 'offering', actor: userId, data: {} }
  const [rows] = await db.batch<[{ id: string }]>([
    eventStatement(
      ctx,
      event,
      sql(`exists (select 1 from projects where id = :id and name = 'Nothing')`, { id: projectId }),
    ),
  ])
  expect(rows).toEqual([])
})
