import { expect, test } from 'vitest'
import { cookieOf, newApp, newPerson } from '../support/oauth.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { Browser, locationOf } from '../support/portal.ts'
import { addMember, call, newSession } from '../support/world.ts'

test('a project is made, changed, and deleted after its name is typed', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const fields = { name: 'Bot', description: 'd', icon: '', workspace_id: person.workspaceId }
  const made = await browser.send('/portal/projects/new', '/portal/projects', fields)
  const path = locationOf(made)
  expect(path).toMatch(/^\/portal\/projects\/prj_/)
  expect((await browser.open(path)).text).toContain('The project is ready.')
  await browser.send(path, path, { ...fields, name: 'Support' })
  const wrong = await browser.send(path, `${path}/delete`, { confirm_name: 'support' })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('Type the name exactly as it is shown.')
  const gone = await browser.send(path, `${path}/delete`, { confirm_name: 'Support' })
  expect(locationOf(gone)).toBe('/portal/projects')
  expect((await browser.open(path)).status).toBe(404)
})

test('a memory is stored, changed, found and deleted; each error is shown at its field', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const at = { project_id: person.projectId }
  const page = '/portal/memory'
  const broken = await browser.send(page, page, { ...at, text: 'Ada', metadata: '[1]' })
  expect(broken.status).toBe(422)
  expect(broken.text).toContain('Metadata is a JSON object')
  expect((await browser.send(page, page, { ...at, text: '' })).status).toBe(422)

  const stored = await browser.send(page, page, {
    ...at,
    text: 'line one\r\nline two',
    tags: 'a, b, a',
    metadata: '{"source":"chat"}',
    ttl: '3600',
  })
  expect(locationOf(stored)).toBe(`/portal/memory?project_id=${person.projectId}#memories`)
  const { body } = await call('GET', '/v1/memory/items', { headers: person.session })
  expect(body.data).toMatchObject([
    { content: { text: 'line one\nline two', metadata: { source: 'chat' } }, tags: ['a', 'b'], ttl: 3600 },
  ])
  const item = `/portal/memory/${body.data[0].id}`
  await browser.send(item, item, { text: 'Ada drinks tea.', tags: '', metadata: '{}' })
  expect((await browser.open(item)).text).toContain('line two')
  const found = await browser.open('/portal/memory?q=tea&mode=keyword')
  expect(found.text).toContain('Ada drinks tea.')
  const refused = await browser.open('/portal/memory?q=tea&mode=keyword&threshold=0.5')
  expect(refused.status).toBe(200)
  expect(refused.text).toMatch(/notice-danger/)
  expect(locationOf(await browser.send(item, `${item}/delete`))).toBe(`/portal/memory?project_id=${person.projectId}`)
  expect((await browser.open(item)).status).toBe(404)
})

test('exported memories can be imported, with a report for each line', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  await call('POST', '/api/memory/store', { headers: person.session, body: { content: 'Ada drinks tea.' } })
  const exported = await browser.open(`/portal/memory/export?project_id=${person.projectId}`)
  expect(exported.headers.get('content-disposition')).toMatch(/^attachment; filename="memories-prj_\w+\.jsonl"$/)
  expect(exported.headers.get('cache-control')).toBe('no-store')
  const file = new File([`${exported.text.trim()}\nnot json\n`], 'memories.jsonl')
  const report = await browser.upload('/portal/memory', '/portal/memory/import', { project_id: person.projectId }, file)
  expect(report.text).toContain('1 stored, 0 updated, 1 not imported.')
  const nothing = await browser.upload('/portal/memory', '/portal/memory/import', {}, new File([], 'x'))
  expect(nothing.status).toBe(422)
})

test('a second person joins through a link that is shown once', async () => {
  const owner = new Browser(await newPerson())
  const [, workspace = ''] =
    /href="(\/portal\/workspaces\/wsp_\w+)"/.exec((await owner.open('/portal/workspaces')).text) ?? []
  const email = `grace-${crypto.randomUUID()}@example.com`
  await owner.send(workspace, `${workspace}/members`, { email, role: 'editor' })
  const shown = (await owner.open(workspace)).text
  const [, token = ''] = /\/portal\/sign-up\?invitation=(\w+)/.exec(shown) ?? []
  expect(token).toMatch(/^rci_/)
  expect((await owner.open(workspace)).text).not.toContain(token)

  const guest = new Browser()
  const page = `/portal/sign-up?invitation=${token}`
  expect((await guest.open(page)).text).toContain('Accept your invitation')
  const joined = await guest.send(
    page,
    '/portal/sign-up',
    { invitation: token, name: 'Grace', email, password: 'correct horse battery' },
    { 'CF-Connecting-IP': '203.0.113.99' },
  )
  expect(locationOf(joined)).toBe('/portal')
  const members = (await owner.open(workspace)).text
  expect(members).toContain(email)
  const [, grace = ''] = /members\/(usr_\w+)\/reset-link/.exec(members) ?? []
  await owner.send(workspace, `${workspace}/members/${grace}/reset-link`)
  expect((await owner.open(workspace)).text).toMatch(/\/portal\/reset-password\?token=rcp_/)
  await owner.send(workspace, `${workspace}/members/${grace}`, { role: 'viewer' })
  expect((await guest.open(workspace)).text).toContain('Viewer')
  await owner.send(workspace, `${workspace}/members/${grace}/remove`)
  expect((await guest.open(workspace)).status).toBe(404)
})

test('somebody with an account accepts or refuses an invitation in the portal; an open one can be withdrawn', async () => {
  const person = await newPerson()
  const [colleague, owner] = [await addMember(person, null), new Browser(person)]
  const guest = new Browser({ cookie: cookieOf(await newSession(colleague)) })
  const workspace = `/portal/workspaces/${person.workspaceId}`
  const invite = async () => {
    await owner.send(workspace, `${workspace}/members`, { email: colleague.email, role: 'viewer' })
    const [, id = ''] = /invitations\/(inv_\w+)\/withdraw/.exec((await owner.open(workspace)).text) ?? []
    return id
  }
  const list = '/portal/workspaces'
  const first = await invite()
  expect((await guest.open('/portal')).text).toContain('You are invited')
  await guest.send(list, `/portal/invitations/${first}/refuse`)
  expect((await guest.open(list)).text).toContain('The invitation is refused.')

  const second = await invite()
  await owner.send(workspace, `${workspace}/invitations/${second}/withdraw`)
  expect(locationOf(await guest.send(list, `/portal/invitations/${second}/accept`))).toBe(list)
  expect((await guest.open(list)).text).toContain('This invitation has ended.')

  const third = await invite()
  expect((await guest.open(workspace)).status).toBe(404)
  expect(locationOf(await guest.send(list, `/portal/invitations/${third}/accept`))).toBe(workspace)
  expect((await guest.open(workspace)).text).toContain('You are a member now.')
})

test('the owner of the tenant hands it over in the settings, and others are not asked', async () => {
  const person = await newPerson()
  await givePassword(person)
  const member = await addMember(person, 'viewer')
  const [owner, other] = [new Browser(person), new Browser({ cookie: cookieOf(await newSession(member)) })]
  const page = '/portal/settings'
  expect((await other.open(page)).text).not.toContain('Hand over')
  const nobody = await owner.send(page, `${page}/owner`, { owner_id: 'usr_none', password: PASSWORD })
  expect(nobody.status).toBe(404)
  expect(nobody.text).toContain('Nobody here has this id.')
  await owner.send(page, `${page}/owner`, { owner_id: member.userId, password: PASSWORD })
  expect((await owner.open(page)).text).toContain('The ownership is handed over.')
  expect((await other.open(page)).text).toContain('Hand over')
})

test('a workspace is made, renamed, and deleted after its name is typed', async () => {
  const browser = new Browser(await newPerson())
  const list = '/portal/workspaces'
  const path = locationOf(await browser.send(list, list, { name: 'Research' }))
  expect(path).toMatch(/^\/portal\/workspaces\/wsp_/)
  await browser.send(path, path, { name: 'Research, EMEA' })
  expect((await browser.open(list)).text).toContain('Research, EMEA')
  expect((await browser.send(path, `${path}/delete`, { confirm_name: 'Research' })).status).toBe(422)
  const gone = await browser.send(path, `${path}/delete`, { confirm_name: 'Research, EMEA' })
  expect(locationOf(gone)).toBe(list)
  expect((await browser.open(path)).status).toBe(404)
})

test('other sessions are listed, and end one by one or all at once', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const others = await Promise.all([newSession(person), newSession(person), newSession(person)])
  const alive = async (): Promise<number[]> => {
    const answers = others.map((headers) => call('GET', '/api/users/me', { headers }))
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  const page = '/portal/settings'
  const ends = (await browser.open(page)).text.matchAll(/action="(\/portal\/settings\/sessions\/ses_\w+\/end)"/g)
  const paths = Array.from(ends, ([, path = '']) => path)
  expect(paths).toHaveLength(3)
  await browser.send(page, paths[0] ?? '')
  expect((await alive()).filter((status) => status === 200)).toHaveLength(2)
  await browser.send(page, `${page}/sessions/end-others`)
  expect(await alive()).toEqual([401, 401, 401])
  expect((await browser.open(page)).text).toContain('All other sessions have ended.')
})

test('settings: the appearance is saved, the password changed, the account is deleted with its cookie', async () => {
  const browser = new Browser()
  const password = 'correct horse battery'
  await browser.send(
    '/portal/sign-up',
    '/portal/sign-up',
    { name: 'Ada', email: `ada-${crypto.randomUUID()}@example.com`, password },
    { 'CF-Connecting-IP': '203.0.113.98' },
  )
  const page = '/portal/settings'
  await browser.send(page, page, { name: 'Ada L.', theme: 'dark', language: 'en-GB', notify_email: 'on' })
  expect((await browser.open(page)).text).toMatch(/data-theme="dark"[\s\S]*Ada L\./)
  const wrong = await browser.send(page, `${page}/password`, { current_password: 'no', new_password: `${password}!` })
  expect({ status: wrong.status, location: locationOf(wrong) }).toEqual({ status: 422, location: '' })
  await browser.send(page, `${page}/password`, { current_password: password, new_password: `${password}!` })
  expect((await browser.open(page)).text).toContain('Your password is changed')
  const gone = await browser.send(page, `${page}/delete`, { password: `${password}!` })
  expect(locationOf(gone)).toBe('/portal/sign-in')
  expect(browser.cookies.has('__Host-recollect_session')).toBe(false)
})

test("security 26: another tenant's ids lead to the same page as ids that never existed", async () => {
  const [mine, theirs] = [await newPerson(), await newPerson()]
  const app = await newApp(theirs)
  const { body: item } = await call('POST', '/api/memory/store', {
    headers: theirs.session,
    body: { content: 'secret' },
  })
  const browser = new Browser(mine)
  const bodyOf = async (path: string) => {
    const { status, text } = await browser.open(path)
    return { status, text: text.replaceAll(/req_\w+/g, '') }
  }
  for (const [path, id] of [
    ['/portal/keys', theirs.keyId],
    ['/portal/projects', theirs.projectId],
    ['/portal/workspaces', theirs.workspaceId],
    ['/portal/apps', app.client_id],
    ['/portal/memory', item.id],
  ]) {
    const foreign = await bodyOf(`${path}/${id}`)
    expect(foreign.status).toBe(404)
    expect(foreign).toEqual(await bodyOf(`${path}/${id?.slice(0, 4)}01M7Y5CJRQASZPGH4NMTB7D26W`))
  }
  expect((await browser.open(`/portal/memory?project_id=${theirs.projectId}`)).status).toBe(404)
})

test('audit and usage show what the person did, with the filters of the query', async () => {
  const browser = new Browser(await newPerson())
  await browser.open('/portal/projects')
  const none = await browser.open('/portal/audit?action=nothing.at.all')
  expect(none.text).toContain('No entries')
  const exported = await browser.open('/portal/audit/export?action=nothing.at.all')
  expect({ type: exported.headers.get('content-type'), text: exported.text }).toEqual({
    type: 'application/x-ndjson',
    text: '',
  })
  for (const span of ['hour', 'day', 'month', 'nonsense']) {
    const { status, text } = await browser.open(`/portal/usage?span=${span}`)
    expect(status).toBe(200)
    expect(text).toContain('<svg class="chart"')
    expect(text).toContain('20 in a second for all other reads, 10 in a second for all other changes')
  }
})
