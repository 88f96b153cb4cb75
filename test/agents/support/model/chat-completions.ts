import type { Said } from './scripted-model.ts'

/** The Chat Completions API of OpenAI, as OpenCode and Copilot CLI speak it. */
export function chatCompletion(text: string): Said {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const of = (object: string, choice: object) => ({
    id: 'chat_1',
    object,
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, ...choice }],
  })
  const chunk = (delta: object, finish_reason: string | null) => of('chat.completion.chunk', { delta, finish_reason })
  return {
    json: {
      ...of('chat.completion', { message: { role: 'assistant', content: text }, finish_reason: 'stop' }),
      usage,
    },
    events: [{ data: chunk({ role: 'assistant', content: text }, null) }, { data: { ...chunk({}, 'stop'), usage } }],
    end: '[DONE]',
  }
}
