import { html } from 'hono/html'
import { expect, test } from 'vitest'
import { Api } from '../../src/portal/api.ts'
import { ConversationAround, readAround } from '../../src/portal/memory/conversation-around.tsx'
import { newPerson, type Person } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { call } from '../support/world.ts'

interface Message {
  role: 'user' | 'assistant'
  content: string
  name?: string
  timestamp?: string
}

/** The first item of each message. */
async function ingest(person: Person, messages: readonly Message[]): Promise<string[]> {
  const body = { conversation_id: 'chat-7', messages }
  const ingested = await call('POST', '/v1/memory/ingest', { headers: person.session, body })
  expect(ingested.status).toBe(200)
  return ingested.body.messages.map(({ ids }: { ids: string[] }) => ids[0])
}

async function chatOf(person: Person, id: string | undefined): Promise<string> {
  const { text } = await new Browser(person).open(`/portal/memory/${id}`)
  return /<ol class="chat">([\s\S]*?)<\/ol>/.exec(text)?.[1] ?? ''
}
const linesIn = (chat: string): string[] => [...chat.matchAll(/Line \d+/g)].map(([line]) => line)
const lines = (...numbers: number[]): string[] => numbers.map((nth) => `Line ${nth}`)

test('a turn stands among those before and after it, each as who said it', async () => {
  const person = await newPerson()
  const ids = await ingest(
    person,
    Array.from({ length: 9 }, (_, nth) => ({
      ...(nth % 2 === 0 ? { role: 'user', name: 'Grace' } : { role: 'assistant' }),
      content: `Line ${nth}.`,
    })),
  )
  const chat = await chatOf(person, ids[4])
  expect(linesIn(chat)).toEqual(lines(1, 2, 3, 4, 5, 6, 7))
  expect(chat.match(/<li class="turn turn-user" aria-current="true">.*?<\/li>/s)?.[0]).toContain('Line 4.')
  expect(chat).toContain('Grace')
  expect(chat).toContain('Assistant')
  const stored = await call('POST', '/api/memory/store', { headers: person.session, body: { content: 'Alone.' } })
  expect(await chatOf(person, stored.body.id)).toBe('')
})

test('turns of one instant have their neighbours, and so have the first and the last one', async () => {
  const person = await newPerson()
  const at = '2026-03-01T10:00:00Z'
  const ids = await ingest(
    person,
    Array.from({ length: 9 }, (_, nth) => ({ role: 'user', content: `Line ${nth}.`, timestamp: at })),
  )
  expect(linesIn(await chatOf(person, ids[4]))).toEqual(lines(1, 2, 3, 4, 5, 6, 7))
  expect(linesIn(await chatOf(person, ids[0]))).toEqual(lines(0, 1, 2, 3))
  expect(linesIn(await chatOf(person, ids[8]))).toEqual(lines(5, 6, 7, 8))
})

test('notes of a conversation without a time of their own stand in the order in which they were stored', async () => {
  const person = await newPerson()
  const operations = Array.from({ length: 5 }, (_, nth) => ({
    op: 'store',
    content: `Line ${nth}.`,
    context: { conversation_id: 'chat-8' },
    ...(nth === 4 ? { occurred_at: '2020-01-01T00:00:00Z' } : {}),
  }))
  const { body } = await call('POST', '/api/memory/batch', { headers: person.session, body: { operations } })
  expect(body).toMatchObject({ error_count: 0 })
  expect(linesIn(await chatOf(person, body.results[2].id))).toEqual(lines(4, 0, 1, 2, 3))
})

test('"Read all of it" leads to the notes and the turns of the conversation in their order', async () => {
  const person = await newPerson()
  const store = (content: string, occurred_at: string) =>
    call('POST', '/api/memory/store', {
      headers: person.session,
      body: { content, context: { conversation_id: 'chat-7' }, occurred_at },
    })
  const note = await store('Line 1.', '2026-03-01T10:00:00Z')
  const browser = new Browser(person)
  const linkOf = async (id: string) => {
    const { text } = await browser.open(`/portal/memory/${id}`)
    return /<a href="([^"]+)">Read all of it<\/a>/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  const path = await linkOf(note.body.id)
  expect(linesIn((await browser.open(path ?? '')).text)).toEqual(lines(1))
  await ingest(person, [{ role: 'user', content: 'Line 2.', timestamp: '2026-03-01T10:01:00Z' }])
  await store('Line 3.', '2026-03-01T10:02:00Z')
  const chat = await browser.open(path ?? '')
  expect(linesIn(chat.text)).toEqual(lines(1, 2, 3))
  expect(chat.text).toMatch(/<bdi>Note<\/bdi>.*<bdi>User<\/bdi>/s)
})

test('"Read all of it" is not offered where nothing of the conversation is current', async () => {
  const person = await newPerson()
  const [first, second] = await ingest(
    person,
    [1, 2].map((nth) => ({ role: 'user', content: `Line ${nth}.` })),
  )
  const offers = async () =>
    (await new Browser(person).open(`/portal/memory/${first}`)).text.includes('Read all of it</a>')
  const retire = (id: string | undefined) => call('POST', `/v1/memory/items/${id}/retire`, { headers: person.session })
  expect((await retire(first)).status).toBe(200)
  expect(await offers()).toBe(true)
  expect((await retire(second)).status).toBe(200)
  expect(await offers()).toBe(false)
})

test('a retired turn stands where it stood, and long texts beside one are cut', async () => {
  const person = await newPerson()
  const ids = await ingest(
    person,
    Array.from({ length: 5 }, (_, nth) => ({ role: 'user', content: `Line ${nth}. ${'cup '.repeat(200)}over` })),
  )
  expect((await call('POST', `/v1/memory/items/${ids[2]}/retire`, { headers: person.session })).status).toBe(200)
  const chat = await chatOf(person, ids[2])
  expect(linesIn(chat)).toEqual(lines(0, 1, 2, 3, 4))
  expect(chat).not.toContain('over')
})

test('a conversation that cannot be read takes nothing else from the page', async () => {
  const person = await newPerson()
  const { body } = await call('POST', '/api/memory/store', {
    headers: person.session,
    body: { content: 'Tea.', context: { conversation_id: 'chat-9' } },
  })
  for (const [code, status] of [
    ['rate_limited', 429],
    ['dependency_unavailable', 503],
  ] as const) {
    const dispatch = async () => Response.json({ code, detail: 'Later.' }, { status, headers: { 'Retry-After': '60' } })
    const api = new Api(dispatch, new Request('https://test.invalid/portal'), null)
    const around = await readAround({ api }, body)
    expect(around).toMatchObject({ ok: false, error: { code } })
    const card = await html`${around && ConversationAround({ around, item: body })}`
    expect(card.toString()).toContain('could not be loaded')
  }
})
