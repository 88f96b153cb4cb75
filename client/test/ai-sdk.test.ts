import { generateText, streamText, wrapLanguageModel, type ModelMessage } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'
import { expect, onTestFinished, test, vi } from 'vitest'
import { memoryMiddleware, type MemoryMiddlewareOptions } from '../src/ai-sdk/index.ts'
import { calling, ended, saying, streamed, systemOf, type StreamPart } from './models.ts'
import { clientOf, json, lost, problem } from './support.ts'

interface Sent {
  path: string
  body: any
}

/** A model with a memory whose service recalls this text. */
function newChat(options: Partial<MemoryMiddlewareOptions> = {}, recalled = '') {
  return withService(options, (path) =>
    path === '/v1/memory/recall'
      ? json({ text: recalled, pending: 0 })
      : json({ conversation_id: 'chat-1', messages: [] }),
  )
}

/** The same with a service that answers as it likes. */
function withService(options: Partial<MemoryMiddlewareOptions>, answer: (path: string) => Response | Error) {
  const sent: Sent[] = []
  const { client: recollect } = clientOf(
    [
      async (request) => {
        const path = new URL(request.url).pathname
        sent.push({ path, body: await request.json() })
        const response = answer(path)
        if (response instanceof Error) throw response
        return response
      },
    ],
    { maxRetries: 0 },
  )
  const middleware = memoryMiddleware({ recollect, ...options })
  const wrap = (model: MockLanguageModelV4) => wrapLanguageModel({ model, middleware })
  const stored = () => sent.filter(({ path }) => path === '/v1/memory/ingest').map(({ body }) => body)
  const said = () => stored().map(({ messages }) => messages.map((one: any) => `${one.role}: ${one.content}`))
  const asked = () => sent.filter(({ path }) => path === '/v1/memory/recall').map(({ body }) => body)
  return { wrap, stored, said, asked }
}

const generating = (text: string) => new MockLanguageModelV4({ doGenerate: saying(text) })

test('the model gets what is recalled for the user, and the conversation is stored as it stands', async () => {
  const { wrap, asked, stored } = newChat(
    { user: 'alex@example.com', conversationId: 'chat-1', maxTokens: 150, tags: ['chat'] },
    'No peanuts.',
  )
  const model = generating('Try rice.')
  const messages: ModelMessage[] = [
    { role: 'user', content: 'I am allergic to peanuts.' },
    { role: 'assistant', content: 'Noted.' },
    { role: 'user', content: 'What may I cook?' },
  ]
  const { text } = await generateText({ model: wrap(model), instructions: 'Be kind.', messages })
  expect(text).toBe('Try rice.')
  expect(systemOf(model)).toBe('Be kind.\n\nNo peanuts.')
  expect(asked()).toEqual([
    {
      messages: [messages[0], messages[2]],
      context: { namespace: 'user:alex@example.com' },
      max_tokens: 150,
      format: 'text',
    },
  ])
  expect(stored()).toEqual([
    {
      conversation_id: 'chat-1',
      context: { namespace: 'user:alex@example.com', subject: 'alex@example.com' },
      mode: 'history',
      tags: ['chat'],
      messages: [...messages, { role: 'assistant', content: 'Try rice.' }],
    },
  ])
})

test('where nothing is recalled the prompt stays as it is, and without a question nothing is asked', async () => {
  const { wrap, asked, said } = newChat()
  const model = generating('Hello.')
  await generateText({ model: wrap(model), messages: [{ role: 'assistant', content: 'Hi.' }] })
  await generateText({ model: wrap(model), prompt: 'Hi?' })
  expect([systemOf(model, 0), systemOf(model, 1)]).toEqual([undefined, undefined])
  expect(asked()).toHaveLength(1)
  expect(said()).toEqual([
    ['assistant: Hi.', 'assistant: Hello.'],
    ['user: Hi?', 'assistant: Hello.'],
  ])
})

test('a stream passes unchanged, and is stored before it ends', async () => {
  const { wrap, said } = newChat()
  const parts = streamed('Tea ', 'is ', 'ready.')
  const model = new MockLanguageModelV4({ doStream: { stream: convertArrayToReadableStream(parts) } })
  const { stream } = await wrap(model).doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Tea?' }] }],
  })
  const passed: StreamPart[] = []
  for await (const part of stream) passed.push(part)
  expect(passed).toEqual(parts)
  expect(said()).toEqual([['user: Tea?', 'assistant: Tea is ready.']])
})

test('streamText streams, and stores once', async () => {
  const { wrap, said } = newChat()
  const model = new MockLanguageModelV4({ doStream: { stream: convertArrayToReadableStream(streamed('a', 'b')) } })
  expect(await streamText({ model: wrap(model), prompt: 'x?' }).text).toBe('ab')
  expect(said()).toEqual([['user: x?', 'assistant: ab']])
})

test('an answer that broke off, and a stream that nobody reads to its end, are not stored', async () => {
  const { wrap, stored } = newChat()
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'x?' }] }]
  const failed = streamed('half').map((part) => (part.type === 'finish' ? { ...part, ...ended('error') } : part))
  const first = await wrap(
    new MockLanguageModelV4({ doStream: { stream: convertArrayToReadableStream(failed) } }),
  ).doStream({ prompt })
  for await (const _ of first.stream) continue
  const endless = new ReadableStream<StreamPart>({
    pull: (to) => to.enqueue({ type: 'text-delta', id: '1', delta: 'x' }),
  })
  const second = await wrap(new MockLanguageModelV4({ doStream: { stream: endless } })).doStream({ prompt })
  await second.stream.cancel()
  expect(stored()).toEqual([])
})

test('a step that calls a tool stores nothing', async () => {
  const { wrap, asked, stored } = newChat()
  const model = new MockLanguageModelV4({ doGenerate: calling('look', {}) })
  await wrap(model).doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'x?' }] }] })
  expect(asked()).toHaveLength(1)
  expect(stored()).toEqual([])
})

test('parts without a text, and what the system and tools say, are not sent', async () => {
  const { wrap, said } = newChat()
  const messages: ModelMessage[] = [
    { role: 'user', content: [{ type: 'image', image: new Uint8Array(8) }] },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: '1', toolName: 'look', input: {} }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: '1', toolName: 'look', output: { type: 'text', value: 'seen' } }],
    },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    },
  ]
  await generateText({ model: wrap(generating('ok')), instructions: 'Be kind.', messages })
  expect(said()).toEqual([['user: one\ntwo', 'assistant: ok']])
})

test('store: question stores what the user says, none nothing', async () => {
  const questions = newChat({ store: 'question' })
  await generateText({ model: questions.wrap(generating('one')), prompt: 'x?' })
  expect(questions.said()).toEqual([['user: x?']])
  const silent = newChat({ store: 'none' })
  await generateText({ model: silent.wrap(generating('one')), prompt: 'x?' })
  expect(silent.stored()).toEqual([])
})

test('excludeConversation recalls nothing of the conversation', async () => {
  const { wrap, asked } = newChat({ conversationId: 'chat-1', excludeConversation: true })
  await generateText({ model: wrap(generating('one')), prompt: 'x?' })
  expect(asked()).toMatchObject([{ exclude_conversation_id: 'chat-1' }])
})

test('without an id each middleware is a conversation of its own', async () => {
  const conversations = await Promise.all(
    [newChat(), newChat()].map(async ({ wrap, stored }) => {
      for (const prompt of ['x?', 'y?']) await generateText({ model: wrap(generating('one')), prompt })
      return [...new Set(stored().map(({ conversation_id }) => conversation_id))]
    }),
  )
  expect(conversations.map((ids) => ids.length)).toEqual([1, 1])
  expect(conversations[0]).not.toEqual(conversations[1])
})

test('an empty id of a user is a TypeError before anything is sent', () => {
  expect(() => newChat({ user: '' })).toThrow(TypeError)
  expect(() => newChat({ context: { namespace: 'chat:' } })).toThrow(TypeError)
})

const DOWN: [string, () => Response | Error][] = [
  ['a 503', () => problem(503, 'unavailable')],
  ['a 429', () => problem(429, 'rate_limited')],
  ['a lost connection', lost],
]

test.each(DOWN)('with %s the model answers, and the console warns once', async (_, answer) => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => warn.mockRestore())
  const { wrap } = withService({}, answer)
  for (const prompt of ['Hello?', 'Still there?']) {
    const { text } = await generateText({ model: wrap(generating('Still here.')), prompt })
    expect(text).toBe('Still here.')
  }
  expect(warn).toHaveBeenCalledTimes(1)
})

test.each([401, 403, 404, 422])('a %s fails the first call', async (status) => {
  const { wrap } = withService({}, () => problem(status, 'refused'))
  await expect(generateText({ model: wrap(generating('x')), prompt: 'x?', maxRetries: 0 })).rejects.toMatchObject({
    status,
  })
})

test.each([422, 503])('onError is told of each failure, also of a %s, and none fails the model', async (status) => {
  const errors: unknown[] = []
  const { wrap } = withService({ onError: (error) => void errors.push(error) }, () => problem(status, 'refused'))
  const { text } = await generateText({ model: wrap(generating('Still here.')), prompt: 'Hello?' })
  expect(text).toBe('Still here.')
  expect(errors).toMatchObject([{ status }, { status }])
})

test('a NUL and half a character are sent as U+FFFD', async () => {
  const { wrap, said } = newChat()
  await generateText({ model: wrap(generating('b\0b')), prompt: 'a\ud83da' })
  expect(said()).toEqual([['user: a\uFFFDa', 'assistant: b\uFFFDb']])
})
