import type { Said } from './scripted-model.ts'

/** The Responses API of OpenAI. */
export function responses(text: string): Said {
  const item = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text }] }
  const usage = {
    input_tokens: 1,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 2,
  }
  const done = { id: 'resp_1', object: 'response', status: 'completed', model: 'scripted', output: [item], usage }
  const events = [
    { type: 'response.created', response: { ...done, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: item.id, delta: text },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: done },
  ]
  return { json: done, events: events.map((data) => ({ name: data.type, data })), end: null }
}
