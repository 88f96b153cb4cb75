/** @module-tag shards */
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { bindingOf } from '../../src/core/shards.ts'
import { isEmptyList } from '../../src/portal/memory-lists/empty-list.tsx'
import { travel } from '../support/clock.ts'
import { fill } from '../support/namespaces.ts'
import { observedDatabase } from '../support/observed-database.ts'
import { cookieOf, newApp, newCode, newPerson, ORIGIN, redeem, type Person } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { ctxOf } from '../support/search.ts'
import { addMember, bindingIn, call, home, newSession, system } from '../support/world.ts'

const CHAT = {
  conversation_id: 'chat/7 & more',
  context: { namespace: 'support', subject: 'Grace' },
  messages: Array.from({ length: 60 }, (_, nth) => ({
    role: nth % 2 === 0 ? 'user' : 'assistant',
    content: `Line ${nth}.`,
    timestamp: new Date(Date.UTC(2024, 2, 1) + nth * 60_000).toISOString(),
  })),
}

async function talked(person: Person): Promise<void> {
  const { status } = await call('POST', '/v1/memory/ingest', { headers: person.session, body: CHAT })
  expect(status).toBe(200)
}
const hrefIn = (html: string, pattern: RegExp): string => (pattern.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')
const linesIn = (html: string): string[] => [...html.matchAll(/<bdi>(Line \d+)\.<\/bdi>/g)].map(([, line = '']) => line)

test('a conversation is found in the list, and read as a chat page after page', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  expect((await browser.open('/portal/conversations')).text).toContain('No conversations')
  await talked(person)
  const list = (await browser.open('/portal/conversations')).text
  expect(list).toMatch(/60 turns.*about <bdi>Grace<\/bdi>.*in support/s)
  const path = hrefIn(list, /href="(\/portal\/conversations\/chat[^"]+)"/)
  const first = (await browser.open(path)).text
  expect(first).toContain('<bdi>chat/7 &amp; more</bdi>')
  expect(linesIn(first)).toEqual(Array.from({ length: 50 }, (_, nth) => `Line ${nth}`))
  expect(first).toMatch(/<li class="turn turn-user">.*?<a href="\/portal\/memory\/mem_/s)
  const later = hrefIn(first, /<a href="([^"]+)">Later →/)
  expect(linesIn((await browser.open(later)).text)).toHaveLength(10)
  const filtered = (await browser.open('/portal/conversations?namespace=other')).text
  expect(filtered).toContain('No conversations match this filter')
  expect(filtered).toContain(
    `<a href="/portal/conversations?project_id=${person.projectId}">Show all conversations</a>`,
  )
  expect(filtered).not.toContain('Connect an agent</a>, or')
  const bad = await browser.open('/portal/conversations?namespace=a%20b')
  expect([bad.status, /notice-danger/.test(bad.text)]).toEqual([200, true])
})

test('security 26: a conversation of another tenant is the 404 of one that never was', async () => {
  const [mine, theirs] = [await newPerson(), await newPerson()]
  await talked(theirs)
  const browser = new Browser(mine)
  const chat = (query: Record<string, string>) =>
    browser.open(`/portal/conversations/chat?${new URLSearchParams(query).toString()}`)
  const { conversation_id } = CHAT
  const { projectId: project_id } = theirs
  expect((await chat({ project_id, namespace: 'support', conversation_id })).status).toBe(404)
  expect((await chat({ namespace: 'support', conversation_id })).status).toBe(404)
  expect((await chat({})).status).toBe(404)
  expect((await browser.open(`/portal/namespaces?project_id=${theirs.projectId}`)).status).toBe(404)
  expect((await browser.open(`/portal/conversations?project_id=${theirs.projectId}`)).status).toBe(404)
})

test('namespaces tell what they hold, lead to it, and to its erasure', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  expect((await browser.open('/portal/namespaces')).text).toContain('No namespaces')
  await talked(person)
  await call('POST', '/api/memory/store', { headers: person.session, body: { content: 'Alone.' } })
  const { text } = await browser.open('/portal/namespaces')
  const rows = [...text.matchAll(/data-label="Namespace"><a href="([^"]+)">([^<]+)<.*?data-label="Memories">(\d+)/gs)]
  expect(rows.map(([, , name, items]) => [name, items])).toEqual([
    ['default', '1'],
    ['support', '60'],
  ])
  expect((await browser.open((rows[0]?.[1] ?? '').replaceAll('&amp;', '&'))).text).toContain('Alone.')
  expect(text).toContain('href="/portal/erasures/new?namespace=support"')
  expect(text).toContain('Erase everywhere<span class="sr-only">: support')
  expect((await browser.open('/portal/namespaces?prefix=supp')).text).toContain('No namespaces match this filter')
  const bad = await browser.open('/portal/namespaces?prefix=a%20b')
  expect([bad.status, /notice-danger/.test(bad.text)]).toEqual([200, true])
})

test('a project tells what it holds, and which keys and agents reach it at which address', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  await talked(person)
  const headers = person.session
  const other = await call('POST', '/api/projects', {
    headers,
    body: { name: 'Other', workspace_id: person.workspaceId },
  })
  const key = (name: string, project_id: string) =>
    call('POST', '/v1/api-keys', {
      headers,
      body: { name, scopes: ['read:memory'], permissions: [{ project_id, access: 'read' }] },
    })
  await key('Reader here', person.projectId)
  await key('Reader there', other.body.id)
  const expires_at = new Date(system.now() + 60_000).toISOString()
  const shortLived = { name: 'Expired', scopes: ['read:memory'], expires_at }
  expect((await call('POST', '/v1/api-keys', { headers, body: shortLived })).status).toBe(201)
  travel(61_000)
  const agent = async (name: string, project: string) => {
    const app = await newApp(person, { name })
    const code = await newCode(person, app, { resource: `${ORIGIN}/mcp/${project}` })
    expect((await redeem(app, code)).status).toBe(200)
  }
  await agent('Agent here', person.projectId)
  await agent('Agent there', other.body.id)
  const { text } = await browser.open(`/portal/projects/${person.projectId}`)
  const fact = (name: string): string =>
    new RegExp(`<dt>${name}</dt><dd>(.*?)</dd>`, 's')
      .exec(text)?.[1]
      ?.replaceAll(/<[^>]+>/g, ' ')
      .trim() ?? ''
  expect([fact('Memories'), fact('Namespaces'), fact('Conversations'), fact('Subjects')]).toEqual(['60', '1', '1', '1'])
  expect(fact('Your keys')).toContain('Reader here')
  expect(fact('Your keys')).not.toMatch(/Reader there|Expired/)
  expect(fact('Your agents')).toBe('Agent here')
  expect(text).toContain(`/mcp/${person.projectId}`)
})

/** A page of the portal, where `around` runs each trip to the database. */
async function pageOver(
  person: Person,
  path: string,
  around: (trip: () => Promise<unknown>, sql: readonly string[]) => Promise<unknown>,
) {
  const headers = { ...person.cookie, 'CF-Connecting-IP': '203.0.113.62' }
  const observed = { ...env, [bindingOf('DB', home)]: observedDatabase(bindingIn(home), around) }
  const answer = await createApp().request(path, { headers }, observed, createExecutionContext())
  return { status: answer.status, text: await answer.text() }
}

test('a project of many namespaces and subjects is counted to a bound', async () => {
  const person = await newPerson()
  await fill(ctxOf(person), Object.fromEntries(Array.from({ length: 30 }, (_, nth) => [`n${nth + 10}`, 100])))
  let rows = 0
  const { status, text } = await pageOver(person, `/portal/projects/${person.projectId}`, async (trip) => {
    const answer = await trip()
    for (const { meta } of [answer].flat() as D1Result[]) rows += meta.rows_read
    return answer
  })
  expect(status).toBe(200)
  expect(text).toMatch(/<dt>Memories<\/dt><dd><a[^>]*>[\d,]+ or more</)
  expect(text).toMatch(/<dt>Namespaces<\/dt><dd><a[^>]*>10 or more</)
  expect(rows).toBeLessThan(2_500)
})

test('a project is shown without what could not be counted', async () => {
  const person = await newPerson()
  await talked(person)
  const { status, text } = await pageOver(person, `/portal/projects/${person.projectId}`, (trip, sql) => {
    if (sql.some((one) => /json_array\(count|oauth_grants/.test(one))) throw new Error('D1_ERROR: out of order')
    return trip()
  })
  expect(status).toBe(200)
  expect(text).toMatch(/<dt>Memories<\/dt><dd><a[^>]*>–</)
  expect(text).toContain('<dt>Your agents</dt><dd>–</dd>')
  expect(text).toContain(`/mcp/${person.projectId}`)
})

test('a page of hidden entries says that the list goes on, and a viewer is offered no erasure', async () => {
  const owner = await newPerson()
  const { projectId: project_id } = owner
  const hidden = Object.fromEntries(Array.from({ length: 1_005 }, (_, nth) => [`hidden-${nth}`, 1]))
  await fill(ctxOf(owner), hidden, { visibility: 'private' })
  await call('POST', '/api/memory/store', {
    headers: owner.session,
    body: { content: 'Seen.', context: { namespace: 'z', subject: 'Ada' } },
  })
  const viewer = new Browser({ cookie: cookieOf(await newSession(await addMember(owner, 'viewer'))) })
  const first = (await viewer.open(`/portal/namespaces?project_id=${project_id}`)).text
  expect(first).toContain('No namespaces on this page')
  const next = (await viewer.open(hrefIn(first, /<a href="([^"]+)">More/))).text
  expect(next).toMatch(/data-label="Namespace"><a [^>]*>z</)
  const subjects = (await viewer.open(`/portal/erasures/subjects?project_id=${project_id}`)).text
  expect(subjects).toContain('<bdi>Ada</bdi>')
  expect(next + subjects).not.toContain('Erase everywhere')
  const own = (await new Browser(owner).open(`/portal/erasures/subjects?project_id=${project_id}`)).text
  expect(own).toContain('Erase everywhere<span class="sr-only">: Ada')
})

test.each([
  [[], false, '', true],
  [[], true, '', false],
  [[], false, '?cursor=c', false],
  [[1], false, '', false],
])('a list with the entries %j, more behind them: %s, at %j is empty: %s', (data, has_more, search, isEmpty) => {
  const next_cursor = has_more ? 'c' : null
  expect(isEmptyList({ data, has_more, next_cursor }, new URL(`https://recollect.test/list${search}`))).toBe(isEmpty)
})
