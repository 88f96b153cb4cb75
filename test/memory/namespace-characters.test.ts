/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import { Namespace } from '../../src/core/namespace.ts'
import { travel } from '../support/clock.ts'
import { useTool } from '../support/mcp.ts'
import { newWriter } from '../support/memory.ts'
import { newPerson } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { addKey, call } from '../support/world.ts'

/** Namespaces that hold each character of the alphabet, in places where an address or a page might take it for its own. */
const PUNCTUATION = Array.from('._:-@|+/=')
const NAMES = [
  ...PUNCTUATION.map((character) => `a${character}b`),
  ...PUNCTUATION.map((character) => `${character}b${character}`),
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  'alex+work@example.com',
  'auth0|5f7c8ec7c33c6c004bbafe82',
  'a=3Db=20c',
  'http://a.example/x',
  '../..',
]
const LONGEST = 'n'.repeat(127)
const ALL = [...NAMES, `${LONGEST}1`, `${LONGEST}2`]

/** Imports one item into each namespace. */
async function fill(session: Record<string, string>, texts: ReadonlyMap<string, string>): Promise<void> {
  const lines = [...texts].map(([namespace, content]) => JSON.stringify({ content, context: { namespace } }))
  const { body } = await call('POST', '/v1/memory/import', {
    headers: { ...session, 'Content-Type': 'application/x-ndjson' },
    raw: lines.join('\n'),
  })
  expect(body).toMatchObject({ created: lines.length, failed: 0 })
}

/** The text of an item is the place of its namespace in the list. */
const TEXTS = new Map(ALL.map((namespace, at) => [namespace, `Kettle ${at}.`]))

async function oneEach() {
  const user = await newWriter()
  await fill(user.headers, TEXTS)
  return user
}

/** What is read of each namespace, one a second. */
async function ofEach<T>(read: (namespace: string) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  for (const namespace of ALL) {
    travel(1_000)
    answers.push(await read(namespace))
  }
  return answers
}

const textsOf = (items: readonly { content: { text: string } }[]): string[] => items.map(({ content }) => content.text)

const expected = [...TEXTS.values()].map((content) => [content])

test('the alphabet is that of the contract: no other character of ASCII, none beyond it, 1 to 128 of them', () => {
  const accepted = Array.from({ length: 0x200 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => Namespace.safeParse(character).success,
  )
  expect(accepted.join('')).toBe('+-./0123456789:=@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz|')
  expect(Namespace.safeParse('').success).toBe(false)
  expect(Namespace.safeParse('a\n').success).toBe(false)
  expect(Namespace.safeParse(`${LONGEST}12`).success).toBe(false)
})

test('contract §3: each character stands in the address of a list, an export and the list of namespaces', async () => {
  const user = await oneEach()
  const query = (namespace: string) => new URLSearchParams({ namespace }).toString()
  const listed = await ofEach((namespace) => user.send('GET', `/v1/memory/items?${query(namespace)}`))
  expect(listed.map(({ body }) => textsOf(body.data))).toEqual(expected)
  const exported = await ofEach((namespace) => user.send('GET', `/v1/memory/export?${query(namespace)}`))
  expect(exported.map(({ text }) => textsOf([JSON.parse(text)]))).toEqual(expected)
  const names: string[] = []
  for (let cursor = ''; ;) {
    const { body } = await user.send('GET', `/v1/memory/namespaces?limit=7${cursor && `&cursor=${cursor}`}`)
    names.push(...body.data.map((one: { namespace: string }) => one.namespace))
    if (!body.has_more) break
    cursor = encodeURIComponent(body.next_cursor)
  }
  expect(names).toEqual(ALL.toSorted())
  // Of `namespaces`, each is repeated in the address.
  const several = new URLSearchParams(ALL.slice(0, 16).map((namespace) => ['namespaces', namespace]))
  const { body } = await user.send('GET', `/v1/memory/items?limit=100&${several.toString()}`)
  expect(textsOf(body.data).sort()).toEqual(expected.slice(0, 16).flat().sort())
})

test('contract §3: only a colon ends a level of a prefix, whatever stands beside it', async () => {
  const user = await newWriter()
  const below = ['u:+', 'u:a', 'u:=', 'u:|', 'u::', `u:${'n'.repeat(126)}`]
  const beside = PUNCTUATION.filter((character) => character !== ':').flatMap((character) => [
    `u${character}`,
    `u${character}a`,
  ])
  const names = ['u', ...below, ...beside, 'ua', 't|', 'v']
  await fill(user.headers, new Map(names.map((name) => [name, name])))
  const read = async (prefix: string) => {
    const query = new URLSearchParams({ namespace_prefix: prefix, limit: '100' }).toString()
    return textsOf((await user.send('GET', `/v1/memory/items?${query}`)).body.data).sort()
  }
  const named = async (prefix: string) => {
    const query = new URLSearchParams({ prefix, limit: '100' }).toString()
    const { body } = await user.send('GET', `/v1/memory/namespaces?${query}`)
    return body.data.map((one: { namespace: string }) => one.namespace)
  }
  expect(await read('u')).toEqual(['u', ...below].sort())
  expect(await read('u:')).toEqual(below.toSorted())
  expect(await named('u')).toEqual(['u', ...below.toSorted()])
  expect(await named('u:')).toEqual(below.toSorted())
  for (const namespace of beside) {
    travel(1_000)
    expect(await read(namespace)).toEqual([namespace])
  }
})

test('contract §3: a search, an update, a bulk deletion and custom_id tell two apart that differ in the 128th character', async () => {
  const user = await newWriter()
  const [one, two] = [`${LONGEST}1`, `${LONGEST}2`]
  const store = (namespace: string) =>
    user.store({ content: 'kettle', custom_id: 'k', wait_ms: 5_000, context: { namespace } })
  const [first, second] = [await store(one), await store(two)]
  expect(first.body.id).not.toBe(second.body.id)
  const found = async (namespace: string) => {
    const { body } = await user.send('POST', '/api/memory/search', { query: 'kettle', context: { namespace } })
    return body.results.map(({ id }: { id: string }) => id)
  }
  expect(await found(one)).toEqual([first.body.id])
  expect(await found(two)).toEqual([second.body.id])
  const moved = await user.send('PATCH', `/v1/memory/items/${first.body.id}`, { context: { namespace: two } })
  expect([moved.status, moved.body.code]).toEqual([409, 'custom_id_taken'])
  const deleted = await user.send('POST', '/v1/memory/delete', {
    filters: { custom_id: 'k' },
    context: { namespace: one },
  })
  expect(deleted.body.deleted).toBe(1)
  expect(await found(two)).toEqual([second.body.id])
})

test('security 27: a permission of a key names each, and reaches no other', async () => {
  const user = await oneEach()
  const read = await ofEach(async (namespace) => {
    const permissions = [{ project_id: user.projectId, access: 'read' as const, namespaces: [namespace] }]
    const made = await user.send('POST', '/v1/api-keys', { name: 'One', scopes: ['read:memory'], permissions })
    expect([made.status, made.body.permissions]).toEqual([201, permissions])
    return call('GET', '/v1/memory/items?namespace=*', { key: made.body.key })
  })
  expect(read.map(({ body }) => textsOf(body.data))).toEqual(expected)
  const { secret } = await addKey(user, {
    permissions: [{ project_id: user.projectId, access: 'write', namespaces: [`${LONGEST}1`] }],
    scopes: ['write:memory'],
  })
  const body = { content: 'x', context: { namespace: `${LONGEST}2` } }
  expect((await call('POST', '/api/memory/store', { key: secret, body })).status).toBe(404)
})

test('each character is an argument of a tool, at /mcp and at the path that is bound to a project', async () => {
  const user = await oneEach()
  for (const path of ['/mcp', `/mcp/${user.projectId}`]) {
    const sent = { headers: user.headers, path }
    const listed = await ofEach((namespace) => useTool('list_memories', { namespace }, sent))
    expect(listed.map(({ result }) => result.memories.map((one: { namespace: string }) => one.namespace))).toEqual(
      ALL.map((namespace) => [namespace]),
    )
  }
})

test('each character stands in the links and fields of the portal', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  await fill(person.session, TEXTS)
  const pages = await ofEach((namespace) => {
    const query = new URLSearchParams({ namespace }).toString()
    return browser.open(`/portal/memory?${query}`)
  })
  for (const [at, { text }] of pages.entries()) {
    expect([...TEXTS.values()].filter((content) => text.includes(content))).toEqual(expected[at])
    const links = Array.from(text.matchAll(/href="([^"]*[?;]namespace=[^"]*)"/g), ([, href = '']) => href)
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) {
      const { searchParams } = new URL(link.replaceAll('&amp;', '&'), 'http://recollect.test')
      expect(searchParams.get('namespace')).toBe(ALL[at])
    }
    expect(text).toContain(`value="${ALL[at]}"`)
  }
  const sent = { project_id: person.projectId, text: 'By form.', namespace: `${LONGEST}|` }
  expect((await browser.send('/portal/memory', '/portal/memory', sent)).status).toBe(303)
  const refused = await browser.send('/portal/memory', '/portal/memory', { ...sent, namespace: 'a b' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('value="a b"')
})

test('each character is a value of a filter on events', async () => {
  const user = await newWriter()
  const made = await user.send('POST', '/api/events/subscriptions', {
    channels: ['memory'],
    filters: { namespace: `${LONGEST}|` },
    delivery: { method: 'webhook', url: 'https://hooks.example.com/x' },
  })
  expect([made.status, made.body.filters]).toEqual([201, { namespace: `${LONGEST}|` }])
})
