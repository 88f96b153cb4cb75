/** @module-tag shards */
import { expect, test } from 'vitest'
import { storeMessages } from '../../../src/audit/store.ts'
import { emptyMessage } from '../../../src/audit/message.ts'
import { listAudit, type AuditRow } from '../../../src/audit/index.ts'
import { decodedCursor } from '../../support/decoded-cursor.ts'
import { until } from '../../support/until.ts'
import { addKey, addMember, call, home, newSession, newTenant, system, type Tenant } from '../../support/world.ts'

const START_MS = Date.UTC(2026, 0, 1)

/** Audit rows of a tenant as its members' requests would have left them: one a second from the start of the year. */
async function arrange(tenant: Tenant, rows: Partial<AuditRow>[]): Promise<string[]> {
  const whole = rows.map((row, index): AuditRow => ({
    id: `aud_01KE0000000000000000${String(index).padStart(6, '0')}`,
    tenant_id: tenant.tenantId,
    at: new Date(START_MS + index * 1_000).toISOString(),
    actor: tenant.userId,
    credential: { kind: 'key', id: tenant.keyId, environment: 'live', app_id: null },
    action: 'memory.store',
    resource_ids: [],
    project_id: null,
    workspace_id: null,
    outcome: 'success',
    request_id: 'req_x',
    ...row,
  }))
  // A page holds two rows.
  for (let at = 0; at < whole.length; at += 2)
    await storeMessages(system, home, [{ ...emptyMessage(), id: system.newId('aud'), rows: whole.slice(at, at + 2) }])
  return whole.map((row) => row.id)
}

const BEFORE = 'until=2026-01-02T00:00:00Z'
const idsOf = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map((row) => row.id)

test('GET /v1/audit pages through all rows, newest first, each once', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const ids = await arrange(
    tenant,
    Array.from({ length: 11 }, () => ({})),
  )
  const seen: string[] = []
  let cursor = ''
  for (let page = 0; page < 10; page++) {
    const answer = await call('GET', `/v1/audit?limit=3&${BEFORE}${cursor}`, { headers })
    expect(answer.status).toBe(200)
    seen.push(...idsOf(answer))
    if (!answer.body.has_more) break
    cursor = `&cursor=${answer.body.next_cursor}`
  }
  expect(seen).toEqual(ids.toReversed())
})

test('security 54: a statement parses 1 MiB of rows or one page more, and a rare row behind them is found', async () => {
  const tenant = await newTenant()
  const ids = Array.from({ length: 1_500 }, (_, at) => `mem_${String(at).padStart(26, '0')}`)
  const [rare] = await arrange(
    tenant,
    Array.from({ length: 51 }, (_, at) => ({ resource_ids: ids, action: at === 0 ? 'memory.delete' : 'memory.list' })),
  )
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const own = system.auditDatabase(home).metered(meter)
  const visibility = {
    tenantId: tenant.tenantId,
    actor: tenant.userId,
    credentialId: tenant.keyId,
    workspaceIds: [],
    projectIds: [],
  }
  const found = await listAudit(system, own, visibility, { action: 'memory.delete' }, { limit: 1 })
  // 26 pages of 97 KB, of which ten are a round.
  expect([found.data.map(({ id }) => id), found.has_more, meter.roundTrips]).toEqual([[rare], false, 3])
  const all = await listAudit(system, own, visibility, {}, { limit: 100 })
  expect(new Set(all.data.map(({ id }) => id)).size).toBe(51)
})

test('actor, action, resource_id, project_id, since and until each narrow the list; an unknown key is 422', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const ids = await arrange(tenant, [
    { action: 'memory.delete', resource_ids: ['mem_a', 'mem_b'] },
    { project_id: tenant.projectId },
    { project_id: tenant.projectId, actor: 'usr_other' },
  ])
  const list = async (query: string) => idsOf(await call('GET', `/v1/audit?${BEFORE}&${query}`, { headers }))
  expect(await list('action=memory.delete')).toEqual([ids[0]])
  expect(await list('resource_id=mem_b')).toEqual([ids[0]])
  expect(await list('resource_id=mem')).toEqual([])
  expect(await list(`project_id=${tenant.projectId}`)).toEqual([ids[2], ids[1]])
  expect(await list('actor=usr_other')).toEqual([ids[2]])
  expect(await list('since=2026-01-01T00:00:01Z')).toEqual([ids[2], ids[1]])
  expect(idsOf(await call('GET', '/v1/audit?until=2026-01-01T00:00:01Z', { headers }))).toEqual([ids[0]])
  expect((await call('GET', '/v1/audit?who=me', { headers })).status).toBe(422)
  expect((await call('GET', '/v1/audit?cursor=xx', { headers })).status).toBe(422)
})

test('credential_id, app_id, outcome and request_id narrow the list, together and with other filters', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const agent = { kind: 'access', id: 'tok_a', environment: null, app_id: 'https://agent.example/client.json' }
  const ids = await arrange(tenant, [
    { credential: agent },
    { credential: { ...agent, id: 'tok_b' }, outcome: 'not_found', request_id: 'req_y' },
    { credential: { ...agent, kind: 'key', id: 'key_a', app_id: null }, outcome: 'not_found' },
  ])
  const list = async (query: string) => idsOf(await call('GET', `/v1/audit?${BEFORE}&${query}`, { headers }))
  const app = `app_id=${encodeURIComponent(agent.app_id)}`
  expect(await list('credential_id=key_a')).toEqual([ids[2]])
  expect(await list('credential_id=tok_a')).toEqual([ids[0]])
  expect(await list(app)).toEqual([ids[1], ids[0]])
  expect(await list('outcome=not_found')).toEqual([ids[2], ids[1]])
  expect(await list('request_id=req_y')).toEqual([ids[1]])
  expect(await list(`${app}&outcome=not_found&action=memory.store`)).toEqual([ids[1]])
  expect(await list(`${app}&credential_id=key_a`)).toEqual([])
  expect((await call('GET', `/v1/audit?app_id=${'a'.repeat(2_001)}`, { headers })).status).toBe(422)
  expect((await call('GET', '/v1/audit?credential_id=', { headers })).status).toBe(422)
  expect((await call('GET', '/v1/audit?outcome=sucess', { headers })).body).toMatchObject({
    errors: [{ path: 'outcome' }],
  })
})

test('security 26: the filters find nothing of another tenant, nor of what the caller may not see', async () => {
  const [tenant, stranger] = [await newTenant(), await newTenant()]
  const editor = await addMember(tenant, 'editor')
  const agent = { kind: 'access', id: 'tok_z', environment: null, app_id: 'app_z' }
  const ids = await arrange(tenant, [
    { workspace_id: tenant.workspaceId, credential: agent, outcome: 'conflict', request_id: 'req_z' },
  ])
  const queries = ['credential_id=tok_z', 'app_id=app_z', 'outcome=conflict', 'request_id=req_z']
  const seenBy = async (user: Tenant) => {
    const headers = await newSession(user)
    const answers = queries.map((query) => call('GET', `/v1/audit?${BEFORE}&${query}`, { headers }))
    return (await Promise.all(answers)).map(idsOf)
  }
  expect(await seenBy(tenant)).toEqual(queries.map(() => ids))
  for (const user of [stranger, editor]) expect(await seenBy(user)).toEqual(queries.map(() => []))
})

test('security 28: a cursor tells nothing of the page of rows where it lies, and belongs to its tenant', async () => {
  const [tenant, stranger] = [await newTenant(), await newTenant()]
  const editor = await addMember(tenant, 'editor')
  const headers = await newSession(editor)
  // Each page also has a row of the owner, which the editor may not see.
  const ids = await arrange(tenant, [{ actor: editor.userId }, {}, { actor: editor.userId }, {}])
  const first = await call('GET', `/v1/audit?limit=1&${BEFORE}`, { headers })
  expect([idsOf(first), first.body.has_more]).toEqual([[ids[2]], true])
  const cursor = `cursor=${first.body.next_cursor}`
  expect(decodedCursor(first.body.next_cursor)).not.toMatch(/aud_|ten_|17672256/)
  expect(idsOf(await call('GET', `/v1/audit?${BEFORE}&${cursor}`, { headers }))).toEqual([ids[0]])
  expect((await call('GET', `/v1/audit?${cursor}`, { headers: await newSession(stranger) })).body).toMatchObject({
    errors: [{ path: 'cursor', code: 'invalid_cursor' }],
  })
})

test('owners and admins see their workspaces’ rows, others only their own', async () => {
  const tenant = await newTenant()
  const [admin, editor] = [await addMember(tenant, 'admin'), await addMember(tenant, 'editor')]
  const elsewhere = await call('POST', '/v1/workspaces', { key: tenant.key, body: { name: 'Other' } })
  const ids = await arrange(tenant, [
    { workspace_id: tenant.workspaceId },
    { project_id: tenant.projectId },
    { actor: editor.userId },
    { workspace_id: elsewhere.body.id, actor: 'usr_x' },
  ])
  const seenBy = async (user: Tenant) =>
    idsOf(await call('GET', `/v1/audit?${BEFORE}`, { headers: await newSession(user) }))
  expect(await seenBy(admin)).toEqual([ids[1], ids[0]])
  expect(await seenBy(editor)).toEqual([ids[2]])
  expect(await seenBy(tenant)).toEqual([ids[3], ids[1], ids[0]])
})

test('security 26, 27: another tenant sees nothing; a limited key sees its own rows and its projects’', async () => {
  const [tenant, stranger] = [await newTenant(), await newTenant()]
  const { id, secret } = await addKey(tenant, { permissions: [{ project_id: tenant.projectId, access: 'read' }] })
  const { secret: narrow } = await addKey(tenant, {
    permissions: [{ project_id: tenant.projectId, access: 'read', namespaces: ['a'] }],
  })
  const ids = await arrange(tenant, [
    { project_id: tenant.projectId },
    { workspace_id: tenant.workspaceId },
    { credential: { kind: 'key', id, environment: 'live', app_id: null } },
  ])
  const list = async (key: string) => idsOf(await call('GET', `/v1/audit?${BEFORE}`, { key }))
  expect(await list(secret)).toEqual([ids[2], ids[0]])
  expect(await list(narrow)).toEqual([])
  expect(await list(stranger.key)).toEqual([])
})

test('with Accept: application/x-ndjson all rows come, one a line', async () => {
  const tenant = await newTenant()
  const ids = await arrange(
    tenant,
    Array.from({ length: 7 }, () => ({})),
  )
  const answer = await call('GET', `/v1/audit?${BEFORE}`, {
    key: tenant.key,
    headers: { Accept: 'application/x-ndjson' },
  })
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
  const lines = answer.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map((row) => row.id)).toEqual(ids.toReversed())
  expect(lines[0]).not.toHaveProperty('tenant_id')
})

test('security 49: what a request did shows within a minute, refused ones too', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  await call('GET', '/v1/projects/prj_none', { headers })
  await call('POST', '/v1/workspaces', { headers, body: { name: 'Traced' } })
  await until(
    async () => {
      const { body } = await call('GET', '/v1/audit?limit=100', { headers: await newSession(tenant) })
      const seen = body.data.map((row: AuditRow) => `${row.action} ${row.outcome}`)
      expect(seen).toEqual(expect.arrayContaining(['projects.get not_found', 'workspaces.create success']))
    },
    { everyMs: 300 },
  )
})
