/** @module-tag shards */
import { expect, test } from 'vitest'
import { hashPassword } from '../../../src/auth/index.ts'
import { names, type Names } from '../../../src/identity/index.ts'
import { withinProject } from '../../../src/mcp/within-project.ts'
import { withAsked } from '../../support/asked-database.ts'
import { cookieOf, newApp, newPerson, newTokens, requestContext, type Person } from '../../support/oauth.ts'
import { callerOf } from '../../support/race.ts'
import { addKey, addMember, call, db, newSession, newTenant, system, type Tenant } from '../../support/world.ts'

const ask = (ids: readonly string[], by: { key?: string; headers?: Record<string, string> }) =>
  call('POST', '/v1/names', { ...by, body: { ids } })

/** A tenant with a person of each role, a second workspace, a person in neither, and one of each thing that has a name. */
async function arrange() {
  const owner = await newPerson()
  const app = await newApp(owner, { name: 'Diary' })
  const of = async (user: Tenant): Promise<Person> => {
    const session = await newSession(user)
    return { ...user, session, cookie: cookieOf(session) }
  }
  const [admin, editor, viewer, left] = [
    await of(await addMember(owner, 'admin')),
    await of(await addMember(owner, 'editor')),
    await of(await addMember(owner, 'viewer')),
    await of(await addMember(owner, null)),
  ]
  const made = async (path: string, body: object) => {
    const answer = await call('POST', path, { key: owner.key, body })
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }
  const elsewhere = await made('/v1/workspaces', { name: 'Elsewhere' })
  const foreign = await made('/api/projects', { name: 'Foreign', workspace_id: elsewhere.id })
  const apart = await of(await addMember({ ...owner, workspaceId: elsewhere.id }, 'editor'))
  const tokens = await newTokens(editor, app)
  const keyIn = (workspace: string) =>
    made('/v1/api-keys', { name: 'Bot', owner: 'workspace', workspace_id: workspace, scopes: ['read:memory'] })
  const [shared, distant] = [await keyIn(owner.workspaceId), await keyIn(elsewhere.id)]
  const limited = await addKey(editor, { permissions: [{ project_id: owner.projectId, access: 'read' }] })
  const remote = await addKey(editor, { permissions: [{ project_id: foreign.id, access: 'read' }] })
  const revoked = await addKey(editor)
  await call('DELETE', `/v1/api-keys/${revoked.id}`, { headers: editor.session })
  const service = await db.first<{ user_id: string }>('select user_id from api_keys where id = :id', { id: shared.id })
  const stranger = await newPerson()
  const ids = {
    owner: owner.userId,
    editor: editor.userId,
    apart: apart.userId,
    left: left.userId,
    service: service?.user_id ?? '',
    ownerKey: owner.keyId,
    editorKey: editor.keyId,
    limitedKey: limited.id,
    revokedKey: revoked.id,
    remoteKey: remote.id,
    leftKey: left.keyId,
    workspaceKey: shared.id,
    distantKey: distant.id,
    app: app.client_id,
    leftApp: (await newApp(left)).client_id,
    project: owner.projectId,
    workspace: owner.workspaceId,
    elsewhere: elsewhere.id,
  }
  return { owner, admin, editor, viewer, left, apart, stranger, app, tokens, shared, limited, ids }
}

test('contract §4: a name is given to whom it is shown, and to nobody else', async () => {
  const { owner, admin, editor, viewer, left, apart, stranger, app, tokens, shared, limited, ids } = await arrange()
  const byName = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name]))
  const seenIn = (found: Names): string =>
    Object.entries(found)
      .flatMap(([id, name]) => (name === null ? [] : [byName[id] ?? '']))
      .join(' ')
  const seenBy = async (by: { key?: string; headers?: Record<string, string> }): Promise<string> => {
    const { status, body, text } = await ask(Object.values(ids), by)
    expect(status, text).toBe(200)
    expect(Object.keys(body.names)).toEqual(Object.values(ids))
    return seenIn(body.names)
  }
  const inWorkspace = 'owner editor service'
  const ofTenant = 'service ownerKey editorKey limitedKey revokedKey remoteKey workspaceKey distantKey app'
  expect(await seenBy({ headers: owner.session })).toBe(
    `owner editor apart left ${ofTenant} project workspace elsewhere`,
  )
  // The list of people needs a session: a key of the owner names those of its workspaces.
  expect(await seenBy({ key: owner.key })).toBe(`owner editor apart ${ofTenant} project workspace elsewhere`)
  // A key of a member that reaches another workspace alone is nothing of this one.
  expect(await seenBy({ headers: admin.session })).toBe(
    `${inWorkspace} ownerKey editorKey limitedKey revokedKey workspaceKey app project workspace`,
  )
  const ofEditor = `${inWorkspace} editorKey limitedKey revokedKey remoteKey workspaceKey app`
  expect(await seenBy({ headers: editor.session })).toBe(`${ofEditor} project workspace`)
  // Its application asked for no `read:projects`.
  expect(await seenBy({ headers: { Authorization: `Bearer ${tokens.access_token}` } })).toBe(ofEditor)
  expect(await seenBy({ headers: viewer.session })).toBe(`${inWorkspace} workspaceKey project workspace`)
  // Its own workspace has the owner as a member, too.
  expect(await seenBy({ headers: apart.session })).toBe('owner apart distantKey elsewhere')
  expect(await seenBy({ headers: left.session })).toBe('left leftKey leftApp')
  expect(await seenBy({ headers: stranger.session })).toBe('')
  // A workspace's key is a member, without `read:projects`; one that is limited to a project sees that and itself.
  expect(await seenBy({ key: shared.key })).toBe(`${inWorkspace} workspaceKey`)
  expect(await seenBy({ key: limited.secret })).toBe(`${inWorkspace} limitedKey project workspace`)
  const permissions = [{ project_id: owner.projectId, access: 'read' as const }]
  const ofOwner = await addKey(owner, { permissions })
  expect(await seenBy({ key: ofOwner.secret })).toBe(`${inWorkspace} limitedKey project workspace`)
  const blind = await addKey(editor, { permissions, scopes: ['read:memory'] })
  expect(await seenBy({ key: blind.secret })).toBe(`${inWorkspace} limitedKey`)
  const none = await addKey(editor, { permissions: [{ project_id: 'prj_none', access: 'read' }] })
  expect(await seenBy({ key: none.secret })).toBe('editor')
  // An agent that is bound to a project sees that, and the application that it is.
  const principal = await callerOf(editor.session)
  const agent = { ...principal, credential: { ...principal.credential, appId: app.client_id } }
  const bound = requestContext({}, withinProject(agent, owner.projectId))
  expect(seenIn(await names(bound, Object.values(ids)))).toBe(`${inWorkspace} limitedKey app project workspace`)
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

test('contract §4: an application of the tenant has the name that it has now, whatever a consent showed', async () => {
  const { owner, admin, editor, viewer, app } = await arrange()
  const headers = owner.session
  const renamed = await call('PATCH', `/v1/apps/${app.client_id}`, { headers, body: { name: 'Journal' } })
  expect(renamed.status).toBe(200)
  const named = async (by: Person) => (await ask([app.client_id], { headers: by.session })).body.names[app.client_id]
  for (const by of [owner, admin, editor]) expect(await named(by)).toEqual({ name: 'Journal', kind: 'application' })
  expect(await named(viewer)).toBeNull()
})

test('security 26: foreign ids, ids that never existed and nonsense are the same null, by the same statements', async () => {
  const { stranger, ids } = await arrange()
  const principal = await callerOf(stranger.session)
  const statementsFor = async (asked: readonly string[]) => {
    const { own, asked: sent } = withAsked(requestContext({}, principal))
    await names(own, asked)
    return sent.statements
  }
  const made = ['usr', 'key', 'app', 'prj', 'wsp'].map((prefix) => `${prefix}_01K8E3Z4T7Q9V6N2M5B8C1D0FG`)
  const foreign = [ids.editor, ids.editorKey, ids.app, ids.project, ids.workspace]
  expect(await statementsFor(foreign)).toEqual(await statementsFor(made))
  const headers = stranger.session
  for (const asked of [made, foreign, ['mem_x', 'nothing', '__proto__', 'https://', '🐟']]) {
    const { status, text } = await ask(asked, { headers })
    expect(status).toBe(200)
    expect(text).toBe(JSON.stringify({ names: Object.fromEntries(asked.map((id) => [id, null])) }))
  }
})

test('a deleted account leaves no name of its keys, its applications and itself', async () => {
  const { owner, editor, ids } = await arrange()
  const own = await newApp(editor, { name: 'Scrapbook' })
  const asked = [ids.editor, ids.editorKey, own.client_id, ids.app]
  expect(Object.values((await ask(asked, { headers: owner.session })).body.names)).not.toContain(null)
  const password = 'correct horse battery'
  await db.write('update users set password_hash = :hash where id = :user', {
    hash: await hashPassword(system, password),
    user: editor.userId,
  })
  const gone = await call('DELETE', '/api/users/me', { headers: editor.session, body: { password } })
  expect(gone.status, gone.text).toBe(204)
  // The owner of the tenant made the other application, so it keeps that name.
  expect(Object.values((await ask(asked, { headers: owner.session })).body.names)).toEqual([
    null,
    null,
    null,
    { name: 'Diary', kind: 'application' },
  ])
})

test('a deleted workspace, its key and who was only there have no name, nor has a deleted application', async () => {
  const { owner, editor, apart, ids } = await arrange()
  const headers = owner.session
  const [own, asked] = [await newApp(owner), [ids.elsewhere, ids.distantKey]]
  const namesFor = async (by: Person, of: readonly string[]) =>
    Object.values((await ask(of, { headers: by.session })).body.names)
  expect(await namesFor(owner, [...asked, own.client_id])).not.toContain(null)
  expect(await namesFor(apart, [ids.owner])).not.toContain(null)
  expect((await call('DELETE', `/v1/workspaces/${ids.elsewhere}`, { headers })).status).toBe(204)
  for (const app of [own.client_id, ids.app])
    expect((await call('DELETE', `/v1/apps/${app}`, { headers })).status).toBe(204)
  expect(await namesFor(owner, [...asked, own.client_id])).toEqual([null, null, null])
  expect(await namesFor(apart, [ids.owner])).toEqual([null])
  expect(await namesFor(editor, [ids.app])).toEqual([null])
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
