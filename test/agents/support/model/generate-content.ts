import type { Said } from './scripted-model.ts'

/** The Gemini API. */
export function generateContent(text: string): Said {
  const json = {
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: 'scripted',
  }
  return { json, events: [{ data: json }], end: null }
}
