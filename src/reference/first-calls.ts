import { SAMPLE_QUESTION, SAMPLE_TEXT } from '../core/sample.ts'

const callOf = (url: string, body: object): string => `curl ${url} \\
  -H 'X-API-Key: rck_YOUR_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'`

/** The commands that a newcomer pastes first: a memory, then a search that finds it by meaning. */
export const firstCalls = (origin: string): string =>
  [
    callOf(`${origin}/api/memory/store`, { content: SAMPLE_TEXT, tags: ['ada'], deduplicate: true, wait_ms: 5_000 }),
    callOf(`${origin}/api/memory/search`, { query: SAMPLE_QUESTION }),
  ].join('\n\n')
