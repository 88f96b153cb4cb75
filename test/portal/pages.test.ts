/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import { portalRoutes } from '../../src/portal/index.ts'
import { cookieOf, newApp, newPerson } from '../support/oauth.ts'
import { PAGE_ROUTES } from '../support/portal-pages.ts'
import { Browser, locationOf } from '../support/portal.ts'
import { addMember, call, newSession } from '../support/world.ts'

/** What a script or a download gets, and an earlier address. */
const NO_PAGES = [
  '/portal/agents/connected',
  '/portal/insights',
  '/portal/audit/export',
  '/portal/memory/export',
  '/portal/settings/export',
  '/portal/things',
]

test('the list of pages that a browser looks at has every page of the portal', () => {
  const routes = portalRoutes.flatMap(({ method, path }) => (method === 'get' ? path.replaceAll(/:\w+/g, ':id') : []))
  expect([...PAGE_ROUTES, ...NO_PAGES].toSorted()).toEqual(routes.toSorted())
})

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
  const badDate = await browser.send(page, page, { ...at, text: 'Ada', occurred_at: '08/05/2023' })
  expect(badDate.status).toBe(422)
  expect(badDate.text).toContain('such as 2026-11-21T09:30:00Z, or a date alone')
  const broken = await browser.send(page, page, { ...at, text: 'Ada', metadata: '[1]' })
  expect(broken.status).toBe(422)
  expect(broken.text).toContain('Metadata must be a JSON object')
  const rounded = await browser.send(page, page, { ...at, text: 'Ada', metadata: '{"id":1234567890123456789}' })
  expect(rounded.status).toBe(422)
  expect(rounded.text).toContain('id is an integer that JSON numbers do not keep exactly')
  expect((await browser.send(page, page, { ...at, text: '' })).status).toBe(422)

  const stored = await browser.send(page, page, {
    ...at,
    text: 'line one\r\nline two',
    tags: 'a, b, a',
    metadata: '{"source":"chat"}',
    ttl: '3600',
    occurred_at: '2023-05-08T13:56',
  })
  expect(locationOf(stored)).toBe(`/portal/memory?project_id=${person.projectId}#memories`)
  const AT = '2023-05-08T13:56:00.000Z'
  const { body } = await call('GET', '/v1/memory/items', { headers: person.session })
  expect(body.data).toMatchObject([
    {
      content: { text: 'line one\nline two', metadata: { source: 'chat' } },
      tags: ['a', 'b'],
      ttl: 3600,
      occurred_at: AT,
    },
  ])
  const item = `/portal/memory/${body.data[0].id}`
  const shown = (await browser.open(item)).text
  expect(shown).toContain('2023-05-08 13:56 UTC')
  expect(shown).toContain('value="2023-05-08T13:56:00.000"')
  await browser.send(item, item, { text: 'Ada drinks tea.', tags: '', metadata: '{}' })
  expect((await browser.open(item)).text).toContain('2023-05-08 13:56 UTC')
  await browser.send(item, item, { text: 'Ada drinks tea.', metadata: '{}', occurred_at: '' })
  expect((await browser.open(item)).text).not.toContain('2023-05-08')
  expect((await browser.open(item)).text).toContain('line two')
  const found = await browser.open('/portal/memory?q=tea&mode=keyword')
  expect(found.text).toContain('Ada drinks <mark>tea</mark>.')
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

test('a memory of another tenant, or private to another person, has no version to bring back', async () => {
  const owner = await newPerson()
  const body = { content: 'Tea.', visibility: 'private' }
  const { id } = (await call('POST', '/api/memory/store', { headers: owner.session, body })).body
  const change = { content: 'Mate.' }
  expect((await call('PATCH', `/v1/memory/items/${id}`, { headers: owner.session, body: change })).status).toBe(200)
  const member = await addMember(owner, 'editor')
  const own = new Browser({ cookie: cookieOf(await newSession(member)) })
  for (const browser of [own, new Browser(await newPerson())]) {
    const refused = await browser.send('/portal/keys/new', `/portal/memory/${id}/bring-back`, {
      version: '1',
      seen: '2',
    })
    expect([refused.status, /Tea\.|Mate\./.test(refused.text)]).toEqual([404, false])
  }
  const kept = await call('GET', `/v1/memory/items/${id}`, { headers: owner.session })
  expect(kept.body.content.text).toBe('Mate.')
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
    expect(text).toContain('<svg class="chart-plot"')
    expect(text).toContain('20 in a second for all other reads, 10 in a second for all other changes')
  }
})
