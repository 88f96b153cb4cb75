/** @module-tag shards */
import { expect, test } from 'vitest'
import { newPerson, type Person } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { call } from '../support/world.ts'

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
  expect((await browser.open('/portal/conversations?namespace=other')).text).toContain('No conversations')
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
  expect((await browser.open('/portal/namespaces?prefix=supp')).text).toContain('No namespaces')
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
  const { text } = await browser.open(`/portal/projects/${person.projectId}`)
  const fact = (name: string): string =>
    new RegExp(`<dt>${name}</dt><dd>(.*?)</dd>`, 's')
      .exec(text)?.[1]
      ?.replaceAll(/<[^>]+>/g, ' ')
      .trim() ?? ''
  expect([fact('Memories'), fact('Namespaces'), fact('Conversations'), fact('Subjects')]).toEqual(['60', '1', '1', '1'])
  expect(fact('Your keys')).toContain('Reader here')
  expect(fact('Your keys')).not.toContain('Reader there')
  expect(fact('Your agents')).toBe('None')
  expect(text).toContain(`/mcp/${person.projectId}`)
})
