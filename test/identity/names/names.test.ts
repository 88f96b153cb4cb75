/** @module-tag shards */
import { expect, test } from 'vitest'
import { newApp, newPerson, newTokens } from '../../support/oauth.ts'
import { addKey, addMember, call, db, newSession, newTenant, system, type Tenant } from '../../support/world.ts'

const ask = (ids: readonly string[], by: { key?: string; headers?: Record<string, string> }) =>
  call('POST', '/v1/names', { ...by, body: { ids } })

/** A tenant with a person of each role, a second workspace, and one of each thing that has a name. */
async function arrange() {
  const owner = await newPerson()
  const app = await newApp(owner, { name: 'Diary' })
  const of = async (user: Tenant) => {
    const session = await newSession(user)
    return { ...user, session, cookie: { Cookie: `__Host-recollect_session=${session['X-Session-Token']}` } }
  }
  const [admin, editor, viewer] = [
    await of(await addMember(owner, 'admin')),
    await of(await addMember(owner, 'editor')),
    await of(await addMember(owner, 'viewer')),
  ]
  const { body: elsewhere } = await call('POST', '/v1/workspaces', { key: owner.key, body: { name: 'Elsewhere' } })
  const apart = await of(await addMember({ ...owner, workspaceId: elsewhere.id }, 'editor'))
  await newTokens(editor, app)
  const { body: shared } = await call('POST', '/v1/api-keys', {
    key: owner.key,
    body: { name: 'Bot', owner: 'workspace', workspace_id: owner.workspaceId, scopes: ['read:memory'] },
  })
  const limited = await addKey(editor, { permissions: [{ project_id: owner.projectId, access: 'read' }] })
  const service = await db.first<{ user_id: string }>('select user_id from api_keys where id = :id', { id: shared.id })
  const stranger = await newPerson()
  const ids = {
    owner: owner.userId,
    editor: editor.userId,
    apart: apart.userId,
    service: service?.user_id ?? '',
    editorKey: editor.keyId,
    limitedKey: limited.id,
    workspaceKey: shared.id,
    app: app.client_id,
    project: owner.projectId,
    workspace: owner.workspaceId,
    elsewhere: elsewhere.id,
  }
  return { owner, admin, editor, viewer, apart, stranger, shared, limited, ids }
}

test('contract §4: a name is given to whom it is shown, and to nobody else', async () => {
  const { owner, admin, editor, viewer, apart, stranger, shared, limited, ids } = await arrange()
  const byName = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name]))
  const seenBy = async (by: { key?: string; headers?: Record<string, string> }): Promise<string> => {
    const { status, body, text } = await ask(Object.values(ids), by)
    expect(status, text).toBe(200)
    expect(Object.keys(body.names)).toEqual(Object.values(ids))
    const seen = Object.entries(body.names).flatMap(([id, name]) => (name === null ? [] : [byName[id] ?? '']))
    return seen.join(' ')
  }
  const inWorkspace = 'owner editor service'
  const everything = Object.keys(ids).join(' ')
  expect(await seenBy({ headers: owner.session })).toBe(everything)
  expect(await seenBy({ headers: admin.session })).toBe(
    `${inWorkspace} editorKey limitedKey workspaceKey app project workspace`,
  )
  expect(await seenBy({ headers: editor.session })).toBe(
    `${inWorkspace} editorKey limitedKey workspaceKey app project workspace`,
  )
  expect(await seenBy({ headers: viewer.session })).toBe(`${inWorkspace} workspaceKey project workspace`)
  // Its own workspace has the owner as a member, too.
  expect(await seenBy({ headers: apart.session })).toBe('owner apart elsewhere')
  expect(await seenBy({ headers: stranger.session })).toBe('')
  // A workspace's key is a member, without `read:projects`; one that is limited to a project sees that and itself.
  expect(await seenBy({ key: shared.key })).toBe(`${inWorkspace} workspaceKey`)
  expect(await seenBy({ key: limited.secret })).toBe(`${inWorkspace} limitedKey project workspace`)
  const ofOwner = await addKey(owner, { permissions: [{ project_id: owner.projectId, access: 'read' }] })
  expect(await seenBy({ key: ofOwner.secret })).toBe(`${inWorkspace} limitedKey project workspace`)
  const none = await addKey(editor, { permissions: [{ project_id: 'prj_none', access: 'read' }] })
  expect(await seenBy({ key: none.secret })).toBe('editor')
})

test('contract §4: names have their kinds', async () => {
  const { owner, ids } = await arrange()
  const { body } = await ask([...Object.values(ids), ids.project], { headers: owner.session })
  expect(body.names).toMatchObject({
    [ids.editor]: { name: 'Member', kind: 'person' },
    [ids.service]: { kind: 'service' },
    [ids.workspaceKey]: { name: 'Bot', kind: 'key' },
    [ids.app]: { name: 'Diary', kind: 'application' },
    [ids.workspace]: { kind: 'workspace' },
    [ids.elsewhere]: { name: 'Elsewhere', kind: 'workspace' },
    [ids.project]: { name: 'Default', kind: 'project' },
  })
})

test('contract §4: an application that belongs to nobody has the name that the newest consent showed', async () => {
  const { owner, editor, viewer, stranger } = await arrange()
  const url = 'https://agent.example/client.json'
  const grant = (user: Tenant, name: string, at: number) =>
    db.write(
      `insert into oauth_grants (id, tenant_id, user_id, client_id, client_name, scopes, created_at, activated_at)
       values (:id, :tenant, :user, :client, :name, '[]', :at, :at)`,
      { id: system.newId('grt'), tenant: user.tenantId, user: user.userId, client: url, name, at },
    )
  await grant(editor, 'Agent', 2)
  await grant(owner, 'Agent of yore', 1)
  await grant(stranger, 'Agent of a stranger', 3)
  const named = async (headers: Record<string, string>) => (await ask([url], { headers })).body.names[url]?.name
  expect(await named(owner.session)).toBe('Agent')
  expect(await named(editor.session)).toBe('Agent')
  expect(await named(viewer.session)).toBeUndefined()
  expect(await named(stranger.session)).toBe('Agent of a stranger')
})

test('security 26: foreign ids, ids that never existed and nonsense are the same null, by the same statements', async () => {
  const { stranger, ids } = await arrange()
  const made = ['usr', 'key', 'app', 'prj', 'wsp'].map((prefix) => `${prefix}_01K8E3Z4T7Q9V6N2M5B8C1D0FG`)
  const foreign = [ids.editor, ids.editorKey, ids.app, ids.project, ids.workspace]
  const headers = stranger.session
  for (const asked of [made, foreign, ['mem_x', 'nothing', '__proto__', 'https://', '🐟']]) {
    const { status, text } = await ask(asked, { headers })
    expect(status).toBe(200)
    expect(text).toBe(JSON.stringify({ names: Object.fromEntries(asked.map((id) => [id, null])) }))
  }
})

test('a deleted account leaves no name of its keys, its applications and itself', async () => {
  const { owner, editor, ids } = await arrange()
  const asked = [ids.editor, ids.editorKey, ids.app]
  expect(Object.values((await ask(asked, { headers: owner.session })).body.names)).not.toContain(null)
  await db.batch([
    db.statement(`update users set deleted_at = 1, name = '' where id = :id`, { id: editor.userId }),
    db.statement('delete from workspace_members where user_id = :id', { id: editor.userId }),
    db.statement('delete from api_keys where user_id = :id', { id: editor.userId }),
    db.statement(`update oauth_grants set client_name = '' where user_id = :id`, { id: editor.userId }),
  ])
  // The owner of the tenant made the application, so it keeps that name.
  expect(Object.values((await ask(asked, { headers: owner.session })).body.names)).toEqual([
    null,
    null,
    { name: 'Diary', kind: 'application' },
  ])
})

test('it is a read: it charges `read`, and leaves no audit row', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const answer = await ask([tenant.userId], { headers })
  expect(answer.headers.get('ratelimit-policy')).toContain('"read"')
  const rows = await db.all('select 1 from audit_outbox where tenant_id = :tenant', { tenant: tenant.tenantId })
  expect(rows).toEqual([])
})

test.each([
  [{ ids: [] }, 'ids'],
  [{ ids: Array.from({ length: 101 }, (_, n) => `usr_${n}`) }, 'ids'],
  [{ ids: [''] }, 'ids.0'],
  [{ ids: ['a'.repeat(2_001)] }, 'ids.0'],
  [{ ids: 'usr_x' }, 'ids'],
  [{ ids: [7] }, 'ids.0'],
  [{}, 'ids'],
])('%o is 422 and names the field', async (body, path) => {
  const tenant = await newTenant()
  const answer = await call('POST', '/v1/names', { key: tenant.key, body })
  expect(answer.status).toBe(422)
  expect(answer.body.errors[0].path).toBe(path)
})
