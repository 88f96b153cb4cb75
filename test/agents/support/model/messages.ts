import type { Said } from './scripted-model.ts'

/** The Messages API of Anthropic. */
export function messages(text: string): Said {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted' }
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
  return {
    json: { ...message, content: [{ type: 'text', text }], stop_reason: 'end_turn', stop_sequence: null, usage },
    events: events.map((data) => ({ name: data.type, data })),
    end: null,
  }
}
