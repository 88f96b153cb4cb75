import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Evaluation } from '../../../src/cli/eval/run-eval.ts'
import { run } from '../../../src/cli/run.ts'
import { evalService, itemId, type SearchAnswer, type Searched, type Stored } from './eval-service.ts'
import { testIo } from './io.ts'

export const NUTS = itemId(1)
export const TEA = itemId(2)
/** It begins with a character that no id of an item begins with. */
export const LIKE_AN_ID = `mem_8${'0'.repeat(25)}`
const STORED: Stored[] = [
  { id: NUTS },
  { id: TEA, custom_id: 'tea' },
  { id: itemId(3), custom_id: 'tea', namespace: 'other' },
  { id: itemId(4), retired_at: '2026-11-01T00:00:00.000Z' },
  { id: itemId(5), custom_id: 'gone', retired_at: '2026-11-01T00:00:00.000Z' },
  { id: itemId(6), custom_id: LIKE_AN_ID },
]
export const NUT_LINE = { query: 'a nut allergy', expected: [NUTS] }
export const TEA_LINE = { query: 'what to drink', expected: ['tea'] }
export const NOTHING = { query: 'the weather on Mars', expected: [] }

/** What the service answers to each of the questions. */
const answers: Record<string, SearchAnswer> = {
  [NUT_LINE.query]: { found: [NUTS, TEA] },
  [TEA_LINE.query]: { found: [NUTS, itemId(4), itemId(5), TEA] },
  [NOTHING.query]: { found: [] },
}
export const usual = ({ query }: { query: string }): SearchAnswer => answers[query] ?? { found: [] }

export interface Setting {
  args?: string[]
  terminal?: boolean
  search?: (asked: Searched, call: number, interrupt: AbortController) => SearchAnswer
  /** Files beside the questions. */
  files?: Record<string, string>
}

/** Runs `recollect eval` on the lines. The clock says that each search takes 10 ms. */
export async function evaluate(
  lines: readonly unknown[],
  { args = [], terminal = false, search = usual, files = {} }: Setting = {},
) {
  const interrupt = new AbortController()
  let tick = () => {}
  const { env, searched, paths, lengths } = await evalService(STORED, (asked, call) => {
    tick()
    return search(asked, call, interrupt)
  })
  const { io, home, clock, out, err } = testIo({ env, terminal, columns: 120 })
  Object.assign(io, { interrupted: interrupt.signal })
  tick = () => (clock.now += 10)
  const file = join(home, 'questions.jsonl')
  await writeFile(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text)
  const began = clock.now
  const code = await run(io, ['eval', file, ...args.map((arg) => arg.replace('HOME', home))], '1.0.0')
  const json = (): Evaluation & { compared?: unknown } => JSON.parse(out())
  return { code, json, out: out(), err: err(), searched, paths, lengths, passed: clock.now - began }
}
