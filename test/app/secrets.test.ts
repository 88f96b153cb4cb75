import { expect, test, vi } from 'vitest'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { Database } from '../../src/core/db.ts'
import { addMember, call, db, form, newSession, newTenant, system } from '../support/world.ts'

const PASSWORD = 'correct horse battery'

async function dump(database: Database): Promise<string> {
  const tables = await database.all<{ name: string }>(
    `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like '\\_cf%' escape '\\'
       and name not like 'memory_words%'`,
  )
  const all = await Promise.all(tables.map(({ name }) => database.all(`select * from "${name}"`)))
  return JSON.stringify(all)
}

async function dumpHubs(routingIds: string[]): Promise<string> {
  const all = await Promise.all(
    routingIds.map((routingId) =>
      runInDurableObject(env.USER_HUB.getByName(routingId), (_, { storage }) =>
        storage.sql
          .exec<{ name: string }>(
            `select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\'`,
          )
          .toArray()
          .map(({ name }) => storage.sql.exec(`select * from "${name}"`).toArray()),
      ),
    ),
  )
  return JSON.stringify(all)
}

test('security 24: no secret that was ever issued is in a database, a hub, the audit log or a log line', async () => {
  const lines: string[] = []
  const spies = (['log', 'error', 'warn', 'info'] as const).map((method) =>
    vi
      .spyOn(console, method)
      .mockImplementation((...values: unknown[]) => void lines.push(values.map(String).join(' '))),
  )
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const member = await addMember(tenant, 'editor')
  const email = `guest-${crypto.randomUUID()}@example.com`
  const key = await call('POST', '/v1/api-keys', { headers, body: { name: 'k', scopes: ['read:projects'] } })
  const rotated = await call('POST', `/v1/api-keys/${key.body.id}/rotate`, { headers })
  const path = `/v1/workspaces/${tenant.workspaceId}/members`
  const invited = await call('POST', path, { headers, body: { email, role: 'viewer' } })
  const invitation = new URL(invited.body.invitation_url).searchParams.get('invitation') ?? ''
  const joined = await form('/auth/register-user', { email, password: PASSWORD, name: 'Guest', invitation })
  const login = await form('/auth/login', { username: email, password: PASSWORD })
  await form('/auth/login', { username: email, password: `wrong ${PASSWORD}` })
  const link = await call('POST', `${path}/${member.userId}/reset-link`, { headers })
  const reset = new URL(link.body.reset_url).searchParams.get('token') ?? ''
  await form('/auth/reset-password', { token: reset, password: PASSWORD })
  await call('GET', '/v1/projects', { key: `${rotated.body.key}x` })
  const secrets = [
    PASSWORD,
    tenant.key,
    headers['X-Session-Token'],
    key.body.key,
    rotated.body.key,
    invitation,
    joined.body.session_token,
    login.body.session_token,
    reset,
  ]
  for (const secret of secrets) expect(secret.length).toBeGreaterThan(20)
  await vi.waitFor(
    async () => {
      const page = await system.auditDatabase.first('select 1 from audit_pages where tenant_id = ?', tenant.tenantId)
      expect(page).not.toBeNull()
    },
    { timeout: 10_000, interval: 100 },
  )
  const kept = [
    await dump(db),
    await dump(system.auditDatabase),
    await dumpHubs([tenant.routingId, member.routingId]),
    lines.join('\n'),
  ]
  for (const spy of spies) spy.mockRestore()
  expect(kept[0]).toContain(tenant.userId)
  expect(kept[1]).toContain(tenant.userId)
  expect(kept[2]).toContain(key.body.id)
  for (const secret of secrets) for (const text of kept) expect(text.includes(secret)).toBe(false)
})

test('security 28: a cursor of another tenant shows nothing of it', async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const foreign = await newSession(theirs)
  await call('POST', '/api/projects', { headers: foreign, body: { name: 'Secret', workspace_id: theirs.workspaceId } })
  const page = await call('GET', '/v1/projects?limit=1', { headers: foreign })
  const answer = await call('GET', `/v1/projects?cursor=${page.body.next_cursor}`, { headers: await newSession(mine) })
  const ids = answer.body.data.map((one: { id: string }) => one.id)
  expect(ids.every((id: string) => id === mine.projectId)).toBe(true)
  expect(answer.text).not.toContain(theirs.projectId)
})
