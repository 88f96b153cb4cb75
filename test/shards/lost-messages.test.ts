/** @module-tag long */
import { beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/auth/index.ts'
import { enqueueAuditRow } from '../../src/audit/queue.ts'
import { MESSAGE_KINDS } from '../../src/core/message-kinds.ts'
import type { QueueName, Queues } from '../../src/core/ports.ts'
import { handlers } from '../../src/consumer.ts'
import { deleteProject } from '../../src/identity/projects/delete.ts'
import { deleteMe } from '../../src/identity/users/delete-me.ts'
import { deleteWorkspace } from '../../src/identity/workspaces/delete.ts'
import { erase } from '../../src/memory/erasures/request.ts'
import { deleteItem } from '../../src/memory/operations/delete.ts'
import { auditRowOf, storedIds } from '../support/audit.ts'
import { travel } from '../support/clock.ts'
import { mailbox, type Fate } from '../support/mailbox.ts'
import { writerFor } from '../support/memory.ts'
import { requestContext } from '../support/oauth.ts'
import { messageOf } from '../support/queue-message.ts'
import { callerOf } from '../support/race.ts'
import { newReceiver } from '../support/receiver.ts'
import { ctxOf, stored } from '../support/search.ts'
import { deliveriesOf, subscribe } from '../support/webhooks.ts'
import { addMember, db, home, newSession, newTenant, system, type Tenant } from '../support/world.ts'

type Parts = ReturnType<typeof mailbox>['parts']

/** What is done, and whether its end is reached, however its messages travel. */
type Scenario = (parts: Parts) => Promise<() => Promise<boolean>>

const count = async (sql: string, params: Record<string, string>): Promise<number> =>
  (await db.first<{ n: number }>(`select count(*) as n from ${sql}`, params))?.n ?? 0

const storeAndDelete: Scenario = async (parts) => {
  const tenant = await newTenant()
  const ctx = ctxOf(tenant, parts)
  const { id } = await stored(ctx, 'a blue kettle', { tags: ['tea'] })
  await deleteItem(ctx, { id, ifMatch: null })
  return async () => (await count('memory_items where id = :id', { id })) === 0
}

/** An erased person with a private item and a grant in the project of somebody else. */
const eraseUser: Scenario = async (parts) => {
  const owner = await newTenant()
  const member = await addMember(owner, 'editor')
  const password = 'correct horse battery'
  await db.write('update users set password_hash = :hash where id = :user', {
    hash: await hashPassword(system, password),
    user: member.userId,
  })
  const diary = await stored(ctxOf(member, { ...parts }), 'diary', {
    visibility: 'private',
    context: { project_id: owner.projectId },
  })
  const writer = await writerFor(owner)
  const lent = await writer.store({
    content: 'lent',
    visibility: 'private',
    permissions: [{ user_id: member.userId, access: 'read' }],
  })
  expect(lent.status).toBe(201)
  await deleteMe(requestContext(parts, await callerOf(await newSession(member))), { password })
  return async () =>
    (await count('memory_items where id = :id and deleted_at is null', { id: diary.id })) === 0 &&
    (await count('memory_grants where user_id = :user', { user: member.userId })) === 0 &&
    (await count('users where id = :user and purged_at is not null', { user: member.userId })) === 1
}

/** An event that a webhook gets. */
const deliver: Scenario = async (parts) => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const subscription = await subscribe(tenant, receiver, { channels: ['memory'], events: ['memory.created'] })
  await stored(ctxOf(tenant, parts), 'a blue kettle')
  return async () => {
    const unsettled = await count('events where tenant_id = :tenant and settled_at is null', {
      tenant: tenant.tenantId,
    })
    const deliveries = await deliveriesOf(subscription)
    return unsettled === 0 && receiver.received.length === 1 && deliveries[0]?.status === 'delivered'
  }
}

const WORK: Record<string, Scenario> = {
  embed: async (parts) => {
    const { id } = await stored(ctxOf(await newTenant(), parts), 'a blue kettle')
    return async () => (await count(`memory_items where id = :id and embedding_status = 'completed'`, { id })) === 1
  },
  tombstones: storeAndDelete,
  sweep: storeAndDelete,
  project: async (parts) => {
    const tenant = await newTenant()
    const ctx = ctxOf(tenant, parts)
    await stored(ctx, 'a blue kettle')
    await deleteProject(ctx, tenant.projectId)
    const project = { project: tenant.projectId }
    return async () =>
      (await count('memory_items where project_id = :project', project)) === 0 &&
      (await count('projects where id = :project and purged_at is not null', project)) === 1
  },
  workspace: async (parts) => {
    const tenant = await newTenant()
    const owner = requestContext(parts, await callerOf(await newSession(tenant)))
    await deleteWorkspace(owner, tenant.workspaceId)
    return async () =>
      (await count('workspaces where id = :workspace and purged_at is not null', { workspace: tenant.workspaceId })) ===
      1
  },
  user: eraseUser,
  erasure: async (parts) => {
    const tenant = await newTenant()
    const ctx = ctxOf(tenant, parts)
    const { id } = await stored(ctx, 'a blue kettle', { context: { namespace: 'ada' } })
    await erase(requestContext(parts, await callerOf(await newSession(tenant))), { namespace: 'ada', dry_run: false })
    return async () =>
      (await count('memory_items where id = :id', { id })) === 0 &&
      (await count(`erasures where tenant_id = :tenant and erased_at is not null`, { tenant: tenant.tenantId })) === 1
  },
  events: deliver,
  deliveries: deliver,
}

/** Sends one row through the queues, and answers how often it is stored. */
type DataScenario = (parts: Parts, tenant: Tenant) => { send(): void; stored(): Promise<number> }

const DATA: Record<string, DataScenario> = {
  audit: (parts, tenant) => ({
    send: () => enqueueAuditRow({ ...system, ...parts }, home, auditRowOf(tenant)),
    stored: async () => (await storedIds(tenant)).length,
  }),
}

beforeEach(() => travel(0))

test('every kind of message that the features declare is one of work or of data, and is tried here', () => {
  const of = (holds: string) => MESSAGE_KINDS.filter((kind) => kind.holds === holds).map(({ name }) => name)
  expect(Object.keys(WORK).toSorted()).toEqual(of('work').toSorted())
  expect(Object.keys(DATA).toSorted()).toEqual(of('data').toSorted())
})

const work = MESSAGE_KINDS.filter((kind) => kind.holds === 'work')
const FATES: Fate[] = ['lost', 'late', 'doubled']

describe.each(FATES)('work whose message is %s reaches the same end', (fate) => {
  test.each(work.map((kind) => [kind.name, kind] as const))(
    '%s',
    async (name, kind) => {
      const { parts, met, settle } = mailbox(kind, fate)
      const isReached = await WORK[name]?.(parts)
      if (!isReached) throw new Error(`nothing tries ${name}`)
      expect(await settle(isReached)).toBe(true)
      expect(met.subject).toBeGreaterThan(0)
    },
    60_000,
  )
})

describe.each(MESSAGE_KINDS.filter((kind) => kind.holds === 'data').map((kind) => [kind.name, kind] as const))(
  'data: %s',
  (name, kind) => {
    /** Queues that refuse the first calls, and then deliver each message this often. */
    function rig(refusals: number, copies: number) {
      const working: Promise<unknown>[] = []
      let calls = 0
      const send: Queues['send'] = async (queue: QueueName, bodies) => {
        expect(queue).toBe(kind.queue)
        calls += 1
        if (calls <= refusals) throw new Error('the queue takes nothing')
        for (let copy = 0; copy < copies; copy += 1) await handlers[queue].consume(system, bodies.map(messageOf))
      }
      const parts: Parts = {
        queues: { send },
        log: { info: () => {}, error: () => {} },
        waitUntil: (one) => void working.push(one),
      }
      const settled = async (): Promise<void> => {
        for (let at = 0; at < working.length; at += 1) await working[at]
      }
      return { parts, settled }
    }

    test.each([
      ['comes twice', 0, 2],
      ['is refused by its queue once', 1, 1],
      ['is refused by its queue for good', Infinity, 1],
    ])('a message that %s adds once', async (_, refusals, copies) => {
      const tenant = await newTenant()
      const { parts, settled } = rig(refusals, copies)
      const scenario = DATA[name]?.(parts, tenant)
      scenario?.send()
      await settled()
      expect(await scenario?.stored()).toBe(1)
    })
  },
)
