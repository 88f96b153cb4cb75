/** @module-tag shards */
import { expect, test } from 'vitest'
import type { KeyPermission, Scope } from '../../src/core/context.ts'
import { credentialMayReceive, mayReceive } from '../../src/events/access.ts'
import type { EventFacts } from '../../src/events/match.ts'
import { eventStatement, type NewEvent } from '../../src/events/outbox.ts'
import { addMember, db, newTenant, system, type Tenant } from '../support/world.ts'

async function commit(tenant: Tenant, event: Partial<NewEvent>): Promise<string> {
  const [[row]] = await db.batch<[{ id: string }]>([
    eventStatement(
      { ...system, db },
      {
        tenantId: tenant.tenantId,
        projectId: tenant.projectId,
        type: 'memory.updated',
        channel: 'memory',
        actor: 'system',
        data: {},
        ...event,
      },
    ),
  ])
  return row!.id
}

const receives = async (eventId: string, userId: string): Promise<boolean> =>
  (await db.first(`select 1 from events e where e.id = :event and ${mayReceive('e', ':user')}`, {
    event: eventId,
    user: userId,
  })) !== null

test('members of the workspace receive an event of its project, others do not', async () => {
  const [tenant, stranger] = [await newTenant(), await newTenant()]
  const viewer = await addMember(tenant, 'viewer')
  const outsider = await addMember(tenant, null)
  const event = await commit(tenant, {})
  expect(await receives(event, tenant.userId)).toBe(true)
  expect(await receives(event, viewer.userId)).toBe(true)
  expect(await receives(event, outsider.userId)).toBe(false)
  expect(await receives(event, stranger.userId)).toBe(false)
})

test('the event of a private item goes to its creator, to users with a grant and to admins', async () => {
  const tenant = await newTenant()
  const [creator, reader, other, admin] = [
    await addMember(tenant, 'editor'),
    await addMember(tenant, 'viewer'),
    await addMember(tenant, 'editor'),
    await addMember(tenant, 'admin'),
  ]
  const event = await commit(tenant, { visibility: 'private', creator: creator.userId, readers: [reader.userId] })
  expect(
    await Promise.all([creator, reader, admin, tenant, other].map(({ userId }) => receives(event, userId))),
  ).toEqual([true, true, true, true, false])
})

test('targets narrow the recipients and never add any', async () => {
  const [tenant, stranger] = [await newTenant(), await newTenant()]
  const viewer = await addMember(tenant, 'viewer')
  const event = await commit(tenant, { targets: [viewer.userId, stranger.userId] })
  expect(await receives(event, viewer.userId)).toBe(true)
  expect(await receives(event, tenant.userId)).toBe(false)
  expect(await receives(event, stranger.userId)).toBe(false)
})

test('a notification goes to its target alone, and only within its tenant', async () => {
  const [tenant, stranger] = [await newTenant(), await newTenant()]
  const viewer = await addMember(tenant, 'viewer')
  const event = await commit(tenant, { projectId: null, targets: [viewer.userId, stranger.userId] })
  expect(await receives(event, viewer.userId)).toBe(true)
  expect(await receives(event, tenant.userId)).toBe(false)
  expect(await receives(event, stranger.userId)).toBe(false)
})

test('an event without workspace and targets has no recipient', async () => {
  const tenant = await newTenant()
  expect(await receives(await commit(tenant, { projectId: null }), tenant.userId)).toBe(false)
})

test('an event of a deleted project has no recipient, except for the deletion of its items', async () => {
  const tenant = await newTenant()
  const [updated, deleted] = [await commit(tenant, {}), await commit(tenant, { type: 'memory.deleted' })]
  await db.write('update projects set deleted_at = 1 where id = :project', { project: tenant.projectId })
  expect(await receives(updated, tenant.userId)).toBe(false)
  expect(await receives(deleted, tenant.userId)).toBe(true)
})

test('a lost role acts on the next event', async () => {
  const tenant = await newTenant()
  const viewer = await addMember(tenant, 'viewer')
  const event = await commit(tenant, { visibility: 'private', readers: [viewer.userId] })
  expect(await receives(event, viewer.userId)).toBe(true)
  await db.write('delete from workspace_members where user_id = :user', { user: viewer.userId })
  expect(await receives(event, viewer.userId)).toBe(false)
})

const facts: EventFacts = {
  type: 'message.new',
  channel: 'conversation',
  workspace_id: 'w',
  project_id: 'p',
  namespace: null,
  scope: null,
  conversation_id: null,
}
const noProject = { ...facts, project_id: null }
const memory = { ...facts, type: 'memory.created', channel: 'memory', namespace: 'a' }
const limited = (...namespaces: string[]): KeyPermission[] => [{ project_id: 'p', access: 'read', namespaces }]

test.each<[string, Scope[], KeyPermission[] | null, EventFacts, boolean]>([
  ['read:events receives a conversation', ['read:events'], null, facts, true],
  ['memory also needs read:memory', ['read:events'], null, memory, false],
  ['with both, memory', ['read:events', 'read:memory'], null, memory, true],
  ['a key limited to the project', ['read:events'], [{ project_id: 'p', access: 'read' }], facts, true],
  ['a key limited to another project', ['read:events'], [{ project_id: 'q', access: 'write' }], facts, false],
  ['a key limited to nothing', ['read:events'], [], facts, false],
  ['a key limited to the namespace', ['read:events', 'read:memory'], limited('a'), memory, true],
  ['a key limited to another namespace', ['read:events', 'read:memory'], limited('b'), memory, false],
  ['a key limited to a namespace, event without one', ['read:events'], limited('a'), facts, false],
  [
    'a key limited to a project, event of none',
    ['read:events'],
    [{ project_id: 'p', access: 'read' }],
    noProject,
    false,
  ],
])('security 27: %s', (_, scopes, permissions, event, expected) => {
  expect(credentialMayReceive({ scopes, permissions }, event)).toBe(expected)
})
