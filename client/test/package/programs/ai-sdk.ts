// The example of the AI SDK, with a model that answers what it was told to.
import { MockLanguageModelV4 } from 'ai/test'
import { Recollect } from 'recollect'
import { chatOf } from '../../../../examples/ai-sdk.ts'

const { BASE = '', KEY = '' } = process.env
const saying = (text: string) => ({
  content: [{ type: 'text' as const, text }],
  finishReason: { unified: 'stop' as const, raw: undefined },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
  warnings: [],
})
const model = new MockLanguageModelV4({ doGenerate: [saying('Noted.'), saying('No peanuts for you.')] })
const chat = await chatOf('ada', { model, baseUrl: BASE, apiKey: KEY })
const answers = [await chat('I am allergic to peanuts.'), await chat('May I eat peanuts?')]
const { data } = await new Recollect({ baseUrl: BASE, credential: { apiKey: KEY } }).memory.list({
  namespace: 'user:ada',
  sort: 'created_at',
})
console.log(
  JSON.stringify({
    node: process.versions.node.split('.')[0],
    answers,
    remembered: model.doGenerateCalls.map(({ prompt }) => JSON.stringify(prompt[0]).includes('allergic to peanuts')),
    stored: data.map(({ content }) => content.text),
  }),
)
