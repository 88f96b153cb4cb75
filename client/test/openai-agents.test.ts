import { exports } from 'cloudflare:workers'
import {
  Agent,
  MemorySession,
  Runner,
  Usage,
  type AgentInputItem,
  type AgentOutputItem,
  type Model,
  type ModelRequest,
} from '@openai/agents-core'
import { expect, test, vi } from 'vitest'
import { Recollect } from '../src/index.ts'
import { memoryTools, recollectSession } from '../src/openai-agents/index.ts'
import { newWriter } from '../../test/support/memory.ts'
import { clientOf, problem } from './support.ts'

const USER = 'ada@example.com'
const NAMESPACE = `user:${USER}`
const runner = new Runner({ tracingDisabled: true })

async function newClient(): Promise<Recollect> {
  const user = await newWriter()
  return new Recollect({
    baseUrl: 'http://recollect.test',
    credential: { sessionToken: user.headers['X-Session-Token'] ?? '' },
    fetch: (input, init) => exports.default.fetch(new Request(input, init)),
  })
}

const message = (text: string): AgentOutputItem => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
})

const call = (name: string, input: object): AgentOutputItem => ({
  type: 'function_call',
  callId: `call_${name}`,
  name,
  status: 'completed',
  arguments: JSON.stringify(input),
})

/** Asks the memory about a question, remembers a fact that begins with `Note:`, and answers with what a tool says. */
function outputFor(last: AgentInputItem | undefined): AgentOutputItem[] {
  if (last?.type === 'function_call_result') return [message(`The tool says: ${JSON.stringify(last.output)}`)]
  const text = last && 'content' in last && typeof last.content === 'string' ? last.content : ''
  if (text.endsWith('?')) return [{ type: 'reasoning', content: [] }, call('recall', { question: text })]
  if (text.startsWith('Note: ')) return [call('remember', { fact: text.slice('Note: '.length) })]
  return [message('I will keep that in mind.')]
}

const scripted: Model = {
  getResponse: async ({ input }: ModelRequest) => ({
    usage: new Usage(),
    output: outputFor(typeof input === 'string' ? { type: 'message', role: 'user', content: input } : input.at(-1)),
  }),
  getStreamedResponse: () => {
    throw new Error('No test streams.')
  },
}

const agentOf = (recollect: Recollect) =>
  new Agent({ name: 'Cook', model: scripted, tools: memoryTools({ recollect, user: USER }) })

const ASKED = [
  'I am allergic to peanuts.',
  'My kettle is blue.',
  'Which allergy is there to peanuts?',
  'Note: Ada has a dog.',
]

test('the history stays in the inner session as it is, and texts of user and assistant are remembered', async () => {
  const recollect = await newClient()
  const agent = agentOf(recollect)
  const inner = new MemorySession({ sessionId: 'chat-1' })
  const added = vi.spyOn(inner, 'addItems')
  const session = recollectSession(inner, { recollect, user: USER })
  expect(session).toBeInstanceOf(MemorySession)
  const answers: unknown[] = []
  for (const text of ASKED) answers.push((await runner.run(agent, text, { session })).finalOutput)
  expect(answers).toEqual([
    'I will keep that in mind.',
    'I will keep that in mind.',
    expect.stringMatching(/^The tool says: .*allergic to peanuts/s),
    expect.stringContaining('Remembered.'),
  ])
  const history = await inner.getItems()
  const called = 'function_call function_call_result message'
  expect(history.map(({ type }) => type).join(' ')).toBe(
    `message message message message message reasoning ${called} message ${called}`,
  )
  expect(added.mock.calls.flatMap(([given]) => given)).toEqual(history)
  expect(await session.getItems()).toEqual(history)

  const items = []
  for await (const item of recollect.memory.list({ namespace: NAMESPACE })) items.push(item)
  const turns = items.filter(({ kind }) => kind === 'turn')
  expect(
    turns
      .map(({ content, context }) => [context.conversation_id, context.subject, content.text])
      .sort((a, b) => (a.join() < b.join() ? -1 : 1)),
  ).toEqual(
    [
      'I am allergic to peanuts.',
      'I will keep that in mind.',
      'I will keep that in mind.',
      'My kettle is blue.',
      'Note: Ada has a dog.',
      expect.stringMatching(/^The tool says: .*peanuts/s),
      expect.stringContaining('Remembered.'),
      'Which allergy is there to peanuts?',
    ].map((text) => ['chat-1', USER, text]),
  )
  expect(items.filter(({ kind }) => kind === 'note').map(({ content }) => content.text)).toEqual(['Ada has a dog.'])

  expect(await session.popItem()).toEqual(history.at(-1))
  expect(await inner.getItems()).toEqual(history.slice(0, -1))
  await session.clearSession()
  expect(await inner.getItems()).toEqual([])
  expect((await recollect.memory.list({ namespace: NAMESPACE })).data).toHaveLength(items.length)
})

test('what a run appends is remembered once by each function that appends', async () => {
  const recollect = await newClient()
  const item: AgentInputItem = {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: 'Good morning.' }],
  }
  const inner = Object.assign(new MemorySession({ sessionId: 'chat-2' }), {
    applyHistoryTransaction: vi.fn<() => Promise<void>>(async () => {}),
    addItemsWithCompactionOwnership: vi.fn<() => Promise<void>>(async () => {}),
    acceptsRunContext: true as const,
  })
  const session = recollectSession(inner, { recollect, user: USER })
  expect(session.acceptsRunContext).toBe(true)
  const transaction = { operationId: 'op-1', transaction: { type: 'append_items', items: [item] } }
  for (const given of [transaction, transaction]) await Reflect.apply(session.applyHistoryTransaction, session, [given])
  expect((await recollect.memory.list({ namespace: NAMESPACE })).data).toHaveLength(1)
  await Reflect.apply(session.addItemsWithCompactionOwnership, session, [[item], null])
  expect((await recollect.memory.list({ namespace: NAMESPACE })).data).toHaveLength(2)
  const suffix = { type: 'replace_suffix', expectedSuffix: [item], replacement: [item] }
  await Reflect.apply(session.applyHistoryTransaction, session, [{ operationId: 'op-2', transaction: suffix }])
  expect((await recollect.memory.list({ namespace: NAMESPACE })).data).toHaveLength(2)
})

const said = (text: string): AgentInputItem => ({ type: 'message', role: 'user', content: text })
const COMPACTION: AgentInputItem = { type: 'compaction', encrypted_content: 'x' }

const textsIn = async (recollect: Recollect): Promise<string[]> =>
  (await recollect.memory.list({ namespace: NAMESPACE })).data.map(({ content }) => content.text).sort()

test('of a history that is replaced by a compacted one, what is new is remembered', async () => {
  const recollect = await newClient()
  const inner = Object.assign(new MemorySession(), {
    replaceHistoryWithCompaction: vi.fn<(items: AgentInputItem[]) => Promise<void>>(async () => {}),
  })
  const session = recollectSession(inner, { recollect, user: USER })
  await session.addItems([said('One.'), said('Two.')])
  await session.replaceHistoryWithCompaction([COMPACTION, said('Two.'), said('Three.'), said('Two.')])
  expect(inner.replaceHistoryWithCompaction).toHaveBeenCalledOnce()
  expect(await textsIn(recollect)).toEqual(['One.', 'Three.', 'Two.', 'Two.'])
})

test('of a history that is cleared and written again, what is new is remembered, and a restored one is not', async () => {
  const recollect = await newClient()
  const inner = new MemorySession()
  const session = recollectSession(inner, { recollect, user: USER })
  await session.addItems([said('One.'), said('Two.')])
  await session.clearSession()
  vi.spyOn(inner, 'addItems').mockRejectedValueOnce(new Error('The disk is full.'))
  await expect(session.addItems([COMPACTION, said('Two.'), said('Three.')])).rejects.toThrow('The disk is full.')
  await session.clearSession()
  await session.addItems([said('One.'), said('Two.')])
  expect(await textsIn(recollect)).toEqual(['One.', 'Two.'])
  await session.clearSession()
  await session.addItems([COMPACTION, said('Two.'), said('Three.')])
  await session.addItems([said('Two.')])
  expect(await textsIn(recollect)).toEqual(['One.', 'Three.', 'Two.', 'Two.'])
})

test('a refusal fails no call that writes a history again, because the run would take it back', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { client: recollect } = clientOf([problem(403, 'forbidden')], { maxRetries: 0 })
  const inner = new MemorySession({ initialItems: [said('One.')] })
  vi.spyOn(inner, 'getItems').mockRejectedValueOnce(new Error('The disk is slow.'))
  const session = recollectSession(inner, { recollect, user: USER })
  await session.clearSession()
  await session.addItems([said('Two.')])
  expect(await inner.getItems()).toEqual([said('Two.')])
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.any(String), expect.objectContaining({ status: 403 }))
  await expect(session.addItems([said('Three.')])).rejects.toMatchObject({ status: 403 })
  warn.mockRestore()
})

test.each([
  [503, 'unavailable'],
  [429, 'rate_limited'],
])('a memory that answers %i fails no run, and the history is kept', async (status, code) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { client: recollect } = clientOf([problem(status, code)], { maxRetries: 0 })
  const session = recollectSession(new MemorySession(), { recollect, user: USER })
  const agent = agentOf(recollect)
  expect((await runner.run(agent, 'Good morning.', { session })).finalOutput).toBe('I will keep that in mind.')
  expect(await session.getItems()).toHaveLength(2)
  expect(warn).toHaveBeenCalledOnce()
  warn.mockRestore()
})

test('a run waits 5 s at most for its memory', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { client: recollect, waits } = clientOf([problem(503, 'unavailable', { 'Retry-After': '6' })])
  await recollectSession(new MemorySession(), { recollect, user: USER }).addItems([said('Good morning.')])
  expect(waits).toEqual([])
  expect(warn).toHaveBeenCalledOnce()
  warn.mockRestore()
})

test('another refusal fails the run, or is told; the history is kept', async () => {
  const { client: recollect } = clientOf([problem(403, 'forbidden'), problem(403, 'forbidden')], { maxRetries: 0 })
  const item: AgentInputItem = { role: 'user', content: 'Good morning.' }
  const session = recollectSession(new MemorySession(), { recollect, user: USER })
  await expect(session.addItems([item])).rejects.toMatchObject({ status: 403 })
  expect(await session.getItems()).toHaveLength(1)
  const onError = vi.fn<(error: unknown) => void>()
  await recollectSession(new MemorySession(), { recollect, user: USER, onError }).addItems([item])
  expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ status: 403 }))
})

test('an empty id of a user is a TypeError', () => {
  const { client: recollect } = clientOf([])
  expect(() => recollectSession(new MemorySession(), { recollect, user: '' })).toThrow(TypeError)
  expect(() => memoryTools({ recollect, user: '' })).toThrow(TypeError)
})
