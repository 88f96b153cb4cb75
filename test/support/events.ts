import { fanOut } from '../../src/events/fan-out.ts'
import { eventStatement, type NewEvent } from '../../src/events/outbox.ts'
import { expect } from 'vitest'
import { call, db, system, type Tenant } from './world.ts'

/** Commits an event whose queue message is lost. */
export async function commitEvent(event: NewEvent): Promise<string> {
  const [[row]] = await db.batch<[{ id: string }]>([eventStatement({ ...system, db }, event)])
  if (!row) throw new Error('no event')
  return row.id
}

/** Commits an event as its cause would, and spreads it, without the queue in between. */
export async function happen(event: NewEvent): Promise<string> {
  const id = await commitEvent(event)
  await fanOut(system, db, [id])
  return id
}

export const conversationEvent = (tenant: Tenant): NewEvent => ({
  tenantId: tenant.tenantId,
  projectId: tenant.projectId,
  type: 'message.new',
  channel: 'conversation',
  conversationId: 'c1',
  actor: tenant.userId,
  data: { conversation_id: 'c1' },
})

export const memoryEvent = (tenant: Tenant, more: Partial<NewEvent> = {}): NewEvent => ({
  tenantId: tenant.tenantId,
  type: 'memory.created',
  channel: 'memory',
  projectId: tenant.projectId,
  namespace: 'default',
  actor: tenant.userId,
  data: { memory_id: 'mem_x' },
  ...more,
})

export async function publishBy({ key }: Pick<Tenant, 'key'>, body: Record<string, unknown>) {
  const answer = await call('POST', '/api/events/publish', { key, body })
  expect(answer.status).toBe(202)
  return answer.body as { event_id: string; timestamp: string }
}

/** What a client publishes as a message of a conversation. */
export const message = (n: number, more: Record<string, unknown> = {}) => ({
  type: 'message.new',
  data: { conversation_id: 'c-1', n },
  ...more,
})
