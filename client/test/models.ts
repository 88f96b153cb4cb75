import type { MockLanguageModelV4 } from 'ai/test'

type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>
export type StreamPart =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
export const ended = (unified: 'stop' | 'tool-calls' | 'error') => ({
  finishReason: { unified, raw: undefined },
  usage,
})

export const saying = (text: string): Generated => ({
  content: [{ type: 'text', text }],
  warnings: [],
  ...ended('stop'),
})
export const calling = (toolName: string, input: object): Generated => ({
  content: [{ type: 'tool-call', toolCallId: 'call_1', toolName, input: JSON.stringify(input) }],
  warnings: [],
  ...ended('tool-calls'),
})
export const streamed = (...deltas: string[]): StreamPart[] => [
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: '1' },
  ...deltas.map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
  { type: 'text-end', id: '1' },
  { type: 'finish', ...ended('stop') },
]

/** What the model got as its system message. */
export const systemOf = (model: MockLanguageModelV4, call = 0): string | undefined => {
  const message = [...model.doGenerateCalls, ...model.doStreamCalls][call]?.prompt[0]
  return message?.role === 'system' ? message.content : undefined
}
