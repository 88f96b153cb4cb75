/** @module-tag long */
import { expect, test } from 'vitest'
import { storeMessages } from '../../src/audit/store.ts'
import { emptyMessage } from '../../src/audit/message.ts'
import { Api } from '../../src/portal/api.ts'
import { actionsOf } from '../../src/portal/audit/actions.ts'
import { filtersOf } from '../../src/portal/audit/filters.tsx'
import { endpoints } from '../../src/endpoints.ts'
import { AUDIT_OUTCOMES, auditRow, type AuditRow } from '../../src/audit/index.ts'
import { newApp, newCode, newPerson, ORIGIN, redeem, type Person } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { until } from '../support/until.ts'
import { addMember, call, system } from '../support/world.ts'

const sources = import.meta.glob<string>('../../src/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true })

const rowsOf = async (person: Person, query = ''): Promise<(AuditRow & { page_read: boolean })[]> =>
  (await call('GET', `/v1/audit?limit=100${query}`, { headers: person.session })).body.data

/** A row as a request of a person leaves it. */
const rowOf = (person: Person, action: string, pageRead: boolean): AuditRow =>
  auditRow(system, {
    action,
    outcome: 'success',
    requestId: 'req_x',
    principal: { ...person, credential: { kind: 'session', id: 'ses_x', environment: null, appId: null } },
    pageRead,
  })

const store = (...rows: AuditRow[]) =>
  storeMessages(system, '00', [{ ...emptyMessage(), id: system.newId('aud'), rows }])

test('contract §3: what a page reads is recorded and marked; the same calls of a client, and what a form does, are not', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  await browser.open('/portal/keys')
  await browser.open('/portal/memory?q=tea&mode=keyword')
  await browser.send('/portal/memory', '/portal/memory', { project_id: person.projectId, text: 'Ada drinks tea.' })
  const { body } = await call('GET', '/v1/api-keys', { headers: person.session })
  await call('GET', `/v1/api-keys/${body.data[0].id}`, { headers: person.session })
  const marks = await until(async () => {
    const rows = await rowsOf(person, '&until=2100-01-01T00:00:00Z')
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['api_keys.get', 'memory.store', 'memory.search']),
    )
    return rows
  })
  const marked = (action: string) => marks.filter((row) => row.action === action).map(({ page_read }) => page_read)
  expect(new Set(marked('api_keys.list'))).toEqual(new Set([false, true]))
  expect(marked('memory.search')).toEqual([true])
  expect(marked('users.get').every(Boolean)).toBe(true)
  expect([...marked('memory.store'), ...marked('api_keys.get')]).toEqual([false, false])
})

test('a login has no id to copy, as no credential was used', async () => {
  const person = await newPerson()
  const row = rowOf(person, 'auth.login', false)
  await store({ ...row, credential: { kind: 'password', id: '', environment: null, app_id: null } })
  const { text } = await new Browser(person).open('/portal/audit?action=auth.login')
  expect(text).toContain('Password')
  expect(text).not.toContain('data-copy=""')
})

test('a page asks for the names of all of its ids, however many they are', async () => {
  const person = await newPerson()
  const row = rowOf(person, 'projects.delete', false)
  const idsOf = (nth: number) => ['a', 'b', 'c'].map((one) => `prj_${nth}${one}`)
  const rows = Array.from({ length: 50 }, (_, nth) => ({ ...row, id: system.newId('aud'), resource_ids: idsOf(nth) }))
  await store(...rows)
  const { text } = await new Browser(person).open('/portal/audit?action=projects.delete')
  expect(text.match(/a deleted project, or one you cannot see/g)).toHaveLength(150)
})

test('a page asks again for names that were over the limit, as it does for any read', async () => {
  const refusal = () =>
    Response.json({ code: 'rate_limited', detail: 'Too many.' }, { status: 429, headers: { 'Retry-After': '0' } })
  const answers = [refusal(), Response.json({ names: { usr_x: null } })]
  const dispatch = async () => answers.shift() ?? refusal()
  const api = new Api(dispatch, new Request('https://test.invalid/portal'), null)
  expect(await api.search('/v1/names', { ids: ['usr_x'] })).toEqual({ names: { usr_x: null } })
  expect(answers).toEqual([])
})

test('contract §3: page_reads=exclude leaves out the reads of pages, and pages of rows stay full', async () => {
  const person = await newPerson()
  const rows = Array.from({ length: 8 }, (_, nth) => rowOf(person, 'memory.list', nth % 2 === 0))
  await store(...rows)
  const query = '&action=memory.list&page_reads=exclude'
  expect((await rowsOf(person, query)).map(({ id }) => id)).toEqual(
    rows
      .filter((row) => !row.page_read)
      .map(({ id }) => id)
      .toReversed(),
  )
  const first = await call('GET', `/v1/audit?limit=3${query}`, { headers: person.session })
  expect({ shown: first.body.data.length, more: first.body.has_more }).toEqual({ shown: 3, more: true })
  expect((await rowsOf(person, '&action=memory.list')).length).toBe(8)
  expect((await call('GET', '/v1/audit?page_reads=hide', { headers: person.session })).status).toBe(422)
})

test('security 65: no header, cookie or parameter marks the read of a client as one of a page', async () => {
  const person = await newPerson()
  const headers = {
    ...person.session,
    Origin: 'http://recollect.test',
    Referer: 'http://recollect.test/portal/memory',
    'Sec-Fetch-Site': 'same-origin',
    'X-Page-Read': 'true',
    'X-Portal': '1',
  }
  const path = `/v1/projects/${person.projectId}`
  expect((await call('GET', path, { headers })).status).toBe(200)
  expect((await call('GET', `${path}?page_read=true`, { headers })).status).toBe(422)
  const found = await until(async () => {
    const rows = await rowsOf(person, '&action=projects.get&page_reads=exclude')
    expect(rows).toHaveLength(2)
    return rows
  })
  expect(found.map(({ page_read, outcome }) => [page_read, outcome])).toEqual(
    expect.arrayContaining([
      [false, 'success'],
      [false, 'validation_failed'],
    ]),
  )
})

test('the log hides what its pages read, says so, and shows it on demand; its export holds what it shows', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const [read, written] = [rowOf(person, 'memory.list', true), rowOf(person, 'memory.list', false)]
  await store(Object.assign(read, { request_id: 'req_read' }), Object.assign(written, { request_id: 'req_written' }))
  const query = '?action=memory.list'
  const hidden = (await browser.open(`/portal/audit${query}`)).text
  expect([hidden.includes('req_written'), hidden.includes('req_read')]).toEqual([true, false])
  const [, show = ''] = /not shown here\..*?href="([^"]+)">Show it/s.exec(hidden) ?? []
  const shown = (await browser.open(show.replaceAll('&amp;', '&'))).text
  expect([shown.includes('req_written'), shown.includes('req_read')]).toEqual([true, true])
  expect(shown).toMatch(/name="page_reads" value="include" checked/)
  const exported = await browser.open(`/portal/audit/export${query}`)
  expect([exported.text.includes('req_written'), exported.text.includes('req_read')]).toEqual([true, false])
})

test('the log names people, keys and projects, and keeps their ids to copy', async () => {
  const person = await newPerson()
  const member = await addMember(person, 'editor')
  const row = rowOf(person, 'memory.list', false)
  await store({
    ...row,
    actor: member.userId,
    workspace_id: person.workspaceId,
    resource_ids: [person.projectId, 'mem_x'],
    credential: { kind: 'key', id: member.keyId, environment: 'live', app_id: null },
  })
  const { text } = await new Browser(person).open('/portal/audit?action=memory.list')
  for (const [id, name] of [
    [member.userId, 'Member'],
    [member.keyId, 'test'],
    [person.projectId, 'Default'],
  ])
    expect(text).toMatch(new RegExp(`title="${id}"><span><bdi>${name}<.{0,200}data-copy="${id}"`, 's'))
  expect(text).toContain('data-copy="mem_x"')
})

test('the filters offer every action, the people whose rows are shown, and the projects, by name', async () => {
  const person = await newPerson()
  const member = await addMember(person, 'editor')
  const { text } = await new Browser(person).open(`/portal/audit?actor=${member.userId}&action=no.such.action`)
  expect(text).toContain('<option value="memory.retrieve">memory.retrieve</option>')
  expect(text).toContain('<option value="auth.login">auth.login</option>')
  expect(text).toContain(`<option value="${member.userId}" selected="">Member, ${member.email}</option>`)
  expect(text).toMatch(new RegExp(`<option value="${person.projectId}">[^<]+</option>`))
  // A value from a link that no list holds stays.
  expect(text).toContain('<option value="no.such.action" selected="">no.such.action</option>')
  expect(text).toContain('No entries')
})

test('the pages of a key, an app and the agents link to what was done through each, which the log then shows', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const app = await newApp(person, { name: 'Notes & more' })
  // Its tokens open /mcp only, so it is an agent.
  await redeem(app, await newCode(person, app, { resource: `${ORIGIN}/mcp` }))
  const { body: apps } = await call('GET', '/v1/apps', { headers: person.session })
  const through = (id: string, app_id: string | null, request_id: string) => ({
    ...rowOf(person, 'memory.list', false),
    credential: { kind: app_id === null ? 'key' : 'access', id, environment: null, app_id },
    request_id,
  })
  await store(through(person.keyId, null, 'req_key'), through('tok_x', app.client_id, 'req_app'))
  const seenFrom = async (page: string) => {
    const { text: shown } = await browser.open(page)
    const [, link = '', label = ''] =
      /<a href="(\/portal\/audit\?(?:credential|app)_id=[^"]+)">(.*?)<\/a>/s.exec(shown) ?? []
    const { text } = await browser.open(link.replaceAll('&amp;', '&'))
    return [label.replaceAll(/<[^>]+>/g, '').trim(), ...['req_key', 'req_app'].filter((id) => text.includes(id))]
  }
  expect(await seenFrom(`/portal/keys/${person.keyId}`)).toEqual(['Audit log of test', 'req_key'])
  for (const page of [`/portal/apps/${apps.data[0].id}`, '/portal/connected', '/portal/agents'])
    expect(await seenFrom(page), page).toEqual(['Audit log of Notes &amp; more', 'req_app'])
  expect((await browser.open('/portal/audit?outcome=not_found&request_id=req_key')).text).toContain('No entries')
})

test('a request is shown with the reads of pages that it made, which no switch hides', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const read = Object.assign(rowOf(person, 'memory.list', true), { request_id: 'req_read' })
  await store(read, rowOf(person, 'memory.list', false))
  const { text } = await browser.open('/portal/audit?request_id=req_read')
  expect(text).toContain('memory.list</span>')
  expect(text).not.toContain('not shown here')
  // The switch stays as it was for the next search.
  expect(text).not.toMatch(/name="page_reads" value="include" checked/)
  expect((await browser.open('/portal/audit/export?request_id=req_read')).text).toContain(read.id)
})

test('where the search has not ended the log says so, and leads further back', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  await store(rowOf(person, 'memory.retire', false))
  // More pages than a call searches, each with nothing that the filters ask for.
  await system.auditDatabase('00').write(
    `insert into audit_pages (id, tenant_id, first_at, last_at, rows)
     select 'aud_later' || value, :tenant, :at + value, :at + value, '[]' from json_each(:numbers)`,
    {
      tenant: person.tenantId,
      at: system.now(),
      numbers: JSON.stringify(Array.from({ length: 501 }, (_, nth) => nth)),
    },
  )
  const { text } = await browser.open('/portal/audit?action=memory.retire')
  expect(text).toContain('Nothing in this part of the log matches these filters.')
  expect(text).not.toContain('Nothing matches these filters.')
  const [, further = ''] = /<a href="([^"]+)">Search further back<\/a>/.exec(text) ?? []
  expect((await browser.open(further.replaceAll('&amp;', '&'))).text).toContain('memory.retire</span>')
})

test('each outcome that the code records can be picked, those of OAuth too', async () => {
  const { text } = await new Browser(await newPerson()).open('/portal/audit')
  const [, options = ''] = /<select[^>]*name="outcome"[^>]*>(.*?)<\/select>/s.exec(text) ?? []
  const offered = Array.from(options.matchAll(/<option value="([a-z_]+)"/g), ([, value]) => value)
  expect(offered).toEqual(expect.arrayContaining(['success', 'rate_limited', 'access_denied', 'invalid_grant']))
  expect(new Set(offered)).toEqual(new Set(AUDIT_OUTCOMES))
})

test('each action that the code records can be picked', () => {
  const auditActions = endpoints.flatMap(({ spec }) => spec.audit ?? [])
  const known = new Set(actionsOf({ auditActions }))
  const written = Object.values(sources).flatMap((text) =>
    Array.from(
      text.matchAll(/(?:action: (?:\w+ \? )?|audit: |auditStatement\(\s*\w+,\s*)'([a-z_]+(?:\.[a-z_]+)+)'/g),
      ([, action = '']) => action,
    ),
  )
  expect(written.length).toBeGreaterThan(80)
  expect(written.filter((action) => !known.has(action))).toEqual([])
})

test('the days of the filters are those of the zone that the form names', () => {
  const filters = (query: string) => filtersOf({ url: new URL(`http://recollect.test/portal/audit?${query}`) })
  expect(filters('since=2026-11-26&until=2026-11-27&zone=Asia/Tokyo')).toMatchObject({
    since: '2026-11-25T15:00:00.000Z',
    until: '2026-11-26T15:00:00.000Z',
  })
  expect(filters('since=2026-11-26')).toMatchObject({ since: '2026-11-26T00:00:00.000Z' })
})
