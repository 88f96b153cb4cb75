import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { recall, remember, type Message } from '../src/conversations/index.ts'
import { Recollect } from '../src/index.ts'
import { travel } from '../../test/support/clock.ts'
import { newWriter } from '../../test/support/memory.ts'

const fetchHere: typeof fetch = (input, init) => exports.default.fetch(new Request(input, init))

async function newClient(): Promise<Recollect> {
  const user = await newWriter()
  return new Recollect({
    baseUrl: 'http://recollect.test',
    credential: { sessionToken: user.headers['X-Session-Token'] ?? '' },
    fetch: fetchHere,
    sleep: async (ms) => travel(ms),
  })
}

const SAID: Message[] = [
  { role: 'user', content: 'I cook for two, and I am allergic to peanuts.' },
  { role: 'assistant', name: 'Kim', content: [{ type: 'text', text: 'Noted.' }] },
]
const ASKED = 'What can I cook without peanuts?'

test('what is remembered for a user is recalled for this user alone', async () => {
  const recollect = await newClient()
  const kept = await remember(SAID, { recollect, user: 'alex@example.com', conversationId: 'lunch', tags: ['chat'] })
  expect(kept.messages.map(({ status, ids }) => [status, ids.length])).toEqual([
    ['created', 1],
    ['created', 1],
  ])
  const { data } = await recollect.memory.list({ namespace: 'user:alex@example.com', sort: 'occurred_at' })
  expect(data).toMatchObject([
    { kind: 'turn', role: 'user', speaker: null, tags: ['chat'], context: { subject: 'alex@example.com' } },
    { kind: 'turn', role: 'assistant', speaker: 'Kim', context: { conversation_id: 'lunch' } },
  ])
  const place = { recollect, user: 'alex@example.com' }
  expect((await recall(ASKED, { ...place, maxTokens: 150 })).text).toContain('allergic to peanuts')
  const { items } = await recall([...SAID, { role: 'user', content: ASKED }], { ...place, format: 'items' })
  expect(items).toMatchObject([{ role: 'user', conversation_id: 'lunch' }, { speaker: 'Kim' }])
  expect((await recall(ASKED, { ...place, excludeConversationId: 'lunch' })).text).toBe('')
  expect((await recall(ASKED, { recollect, user: 'ada' })).text).toBe('')
  expect((await recall(ASKED, { recollect })).text).toBe('')
})

test('a call that is started again with its key stores nothing twice, and two honest texts are two', async () => {
  const recollect = await newClient()
  const options = { recollect, conversationId: 'lunch', idempotencyKey: 'turn-1' }
  const yes: Message[] = [
    { role: 'user', content: 'yes' },
    { role: 'user', content: 'yes' },
  ]
  const first = await remember(yes, options)
  expect((await remember(yes, options)).messages.map(({ ids }) => ids)).toEqual(first.messages.map(({ ids }) => ids))
  await remember(yes, { recollect, conversationId: 'lunch' })
  expect((await recollect.memory.list({ sort: 'occurred_at' })).data).toHaveLength(4)
})

test('a history that is sent again brings what is new', async () => {
  const recollect = await newClient()
  const options = { recollect, conversationId: 'lunch', mode: 'history' } as const
  await remember(SAID, options)
  const more: Message[] = [...SAID, { role: 'user', content: 'Thanks.' }]
  expect((await remember(more, options)).messages.map(({ status }) => status)).toEqual([
    'unchanged',
    'unchanged',
    'created',
  ])
})

test('250 messages are kept in their order', async () => {
  const recollect = await newClient()
  const messages = Array.from({ length: 250 }, (_, n): Message => ({ role: 'user', content: `number ${n}` }))
  expect((await remember(messages, { recollect, conversationId: 'long' })).messages).toHaveLength(250)
  const texts: string[] = []
  for await (const { content } of recollect.memory.list({ sort: 'occurred_at', limit: 100 })) texts.push(content.text)
  expect(texts).toEqual(messages.map(({ content }) => content))
})

test('a history that is larger than a call is its newest messages that fit', async () => {
  const sent: Message[][] = []
  const recollect = new Recollect({
    baseUrl: 'http://recollect.test',
    credential: { apiKey: 'rck_test_a' },
    fetch: async (url, init) => {
      const { messages } = await new Request(url, init).json<{ messages: Message[] }>()
      sent.push(messages)
      return Response.json({ conversation_id: 'c', messages: [] })
    },
  })
  const messages = ['a', 'b', 'c'].map((letter): Message => ({ role: 'user', content: letter.repeat(400_000) }))
  await remember(messages, { recollect, conversationId: 'c', mode: 'history' })
  await remember([], { recollect, conversationId: 'c', mode: 'history' })
  expect(sent).toEqual([messages.slice(1)])
})
