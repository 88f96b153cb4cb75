import { expect, test } from 'vitest'
import { storeMessages } from '../../src/audit/store.ts'
import { emptyMessage, type AuditMessage } from '../../src/audit/message.ts'
import { until } from '../support/until.ts'
import { auditRowOf, storedIds } from '../support/audit.ts'
import { call, newTenant, system, db, type Tenant } from '../support/world.ts'

const audit = system.auditDatabase('00')

const pagesOf = (tenantId: string) =>
  audit.all<{ row: string }>(
    'select r.value as row from audit_pages p, json_each(p.rows) r where p.tenant_id = :tenant',
    { tenant: tenantId },
  )

test('reads, refusals and writes reach the audit database, each once, with who, through what and how it ended', async () => {
  const tenant = await newTenant()
  const { key, keyId, userId, tenantId, workspaceId } = tenant
  const made = await call('POST', '/api/projects', { key, body: { name: 'One', workspace_id: workspaceId } })
  await call('GET', '/v1/projects', { key })
  await call('GET', '/v1/projects/prj_none', { key })
  await until(async () => expect(await pagesOf(tenantId)).toHaveLength(3))
  const rows = (await pagesOf(tenantId)).map(({ row }) => JSON.parse(row))
  expect(rows).toContainEqual({
    id: expect.stringMatching(/^aud_/),
    tenant_id: tenantId,
    at: expect.stringMatching(/Z$/),
    actor: userId,
    credential: { kind: 'key', id: keyId, environment: 'live', app_id: null },
    action: 'projects.create',
    resource_ids: [made.body.id],
    project_id: made.body.id,
    workspace_id: workspaceId,
    outcome: 'success',
    request_id: made.headers.get('X-Request-Id'),
  })
  expect(new Set(rows.map((row) => `${row.action} ${row.outcome}`))).toEqual(
    new Set(['projects.create success', 'projects.get not_found', 'projects.list success']),
  )
  expect(await db.all('select id from audit_outbox where tenant_id = :tenant', { tenant: tenantId })).toEqual([])
})

test('a message that the queue delivers twice is stored and counted once', async () => {
  const { tenantId, userId } = await newTenant()
  const message: AuditMessage = {
    ...emptyMessage(),
    id: system.newId('aud'),
    counts: { [`${tenantId} ${userId} memory.store ok 0`]: 2 },
    rows: [
      {
        id: system.newId('aud'),
        tenant_id: tenantId,
        at: new Date(0).toISOString(),
        actor: userId,
        credential: { kind: 'key', id: 'key_x', environment: 'live', app_id: null },
        action: 'memory.store',
        resource_ids: [],
        project_id: null,
        workspace_id: null,
        outcome: 'success',
        request_id: 'req_x',
      },
    ],
  }
  await storeMessages(system, '00', [message])
  await storeMessages(system, '00', [message])
  await Promise.allSettled([storeMessages(system, '00', [message]), storeMessages(system, '00', [message])])
  expect(await pagesOf(tenantId)).toHaveLength(1)
  expect(await audit.all('select count from usage_counts where tenant_id = :tenant', { tenant: tenantId })).toEqual([
    { count: 2 },
  ])
})

/** Messages of a tenant with long rows, of so many characters in all. */
function messagesOf(tenant: Tenant, characters: number): AuditMessage[] {
  const resource_ids = Array.from({ length: 300 }, (_, nth) => `mem_${String(nth).padStart(26, '0')}`)
  const length = JSON.stringify({ ...auditRowOf(tenant), resource_ids }).length
  return Array.from({ length: Math.ceil(characters / length / 20) }, () => ({
    ...emptyMessage(),
    id: system.newId('aud'),
    counts: { [`${tenant.tenantId} ${tenant.userId} memory.list ok 0`]: 1 },
    rows: Array.from({ length: 20 }, () => ({ ...auditRowOf(tenant), resource_ids })),
  }))
}

test('a batch of megabytes becomes pages that D1 takes, and counts once, alone or with others', async () => {
  const tenant = await newTenant()
  const [messages, more] = [messagesOf(tenant, 2.5 * 1024 * 1024), messagesOf(tenant, 256 * 1024)]
  await Promise.allSettled([storeMessages(system, '00', messages), storeMessages(system, '00', messages)])
  await storeMessages(system, '00', [...messages, ...more])
  await storeMessages(system, '00', more.toReversed())
  const longest = await audit.first<{ size: number }>(
    'select max(length(rows)) as size from audit_pages where tenant_id = :tenant',
    { tenant: tenant.tenantId },
  )
  expect(longest?.size).toBeLessThan(130 * 1024)
  const all = [...messages, ...more].flatMap(({ rows }) => rows.map(({ id }) => id))
  expect(await storedIds(tenant)).toEqual(all.toSorted())
  expect(
    await audit.first('select sum(count) as count from usage_counts where tenant_id = :tenant', {
      tenant: tenant.tenantId,
    }),
  ).toEqual({ count: messages.length + more.length })
})
