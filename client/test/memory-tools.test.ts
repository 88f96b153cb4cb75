import { exports } from 'cloudflare:workers'
import { generateText, isStepCount } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, test } from 'vitest'
import { memoryTools } from '../src/ai-sdk/index.ts'
import { Recollect } from '../src/index.ts'
import { newWriter } from '../../test/support/memory.ts'
import { calling, saying } from './models.ts'

const fetchHere: typeof fetch = (input, init) => exports.default.fetch(new Request(input, init))

async function newChat() {
  const user = await newWriter()
  const recollect = new Recollect({
    baseUrl: 'http://recollect.test',
    credential: { sessionToken: user.headers['X-Session-Token'] ?? '' },
    fetch: fetchHere,
  })
  const texts = async (query: Record<string, unknown> = {}): Promise<string[]> =>
    (await recollect.memory.list({ namespace: '*', sort: 'created_at', ...query })).data.map(
      ({ content }) => content.text,
    )
  return { recollect, texts }
}

test('the model finds what is stored in its namespace, and nothing of another', async () => {
  const { recollect } = await newChat()
  await recollect.memory.store({ content: 'Ada drinks green tea.', context: { namespace: 'chat' }, wait_ms: 5_000 })
  await recollect.memory.store({ content: 'Bob drinks black tea.', context: { namespace: 'bob' }, wait_ms: 5_000 })
  const { steps } = await generateText({
    model: new MockLanguageModelV4({ doGenerate: [calling('searchMemories', { query: 'tea' }), saying('Green tea.')] }),
    tools: memoryTools({ recollect, context: { namespace: 'chat' } }),
    stopWhen: isStepCount(3),
    prompt: 'Which tea does Ada drink?',
  })
  expect(steps[0]?.toolResults[0]?.output).toMatchObject([{ text: 'Ada drinks green tea.' }])
})

test('the model stores what it wants to keep, once, in its namespace', async () => {
  const { recollect, texts } = await newChat()
  const tools = memoryTools({ recollect, context: { namespace: 'chat' }, tags: ['noted'] })
  for (const known of [false, true]) {
    const model = new MockLanguageModelV4({ doGenerate: calling('storeMemory', { text: 'Ada moved to Bonn.' }) })
    const { toolResults } = await generateText({ model, tools, prompt: 'I moved.' })
    expect(toolResults[0]?.output).toMatchObject({ known })
  }
  expect(await texts({ namespace: 'chat', tags: 'noted' })).toEqual(['Ada moved to Bonn.'])
})

test('a NUL and half a character are stored as U+FFFD', async () => {
  const { recollect, texts } = await newChat()
  const calls = [calling('storeMemory', { text: 'c\udc00c' }), calling('searchMemories', { query: 'kettle\0' })]
  for (const doGenerate of calls) {
    const { toolResults } = await generateText({
      model: new MockLanguageModelV4({ doGenerate }),
      tools: memoryTools({ recollect }),
      prompt: 'Remember.',
    })
    expect(toolResults[0]?.type).toBe('tool-result')
  }
  expect(await texts()).toEqual(['c\uFFFDc'])
})
