import { open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { orMissing } from '../config/private-file.ts'
import { readJson } from '../read-json.ts'

/** Of the end of a transcript. */
const READ_BYTES = 4 * 1_024 * 1_024
/** Copilot CLI calls the hook before it writes what was said. */
const WRITTEN_MS = 2_000
const LOOK_MS = 25

interface Line {
  id?: unknown
  type?: unknown
  /** Of a subagent. */
  agentId?: unknown
  data?: { content?: unknown }
}

interface LastTurn {
  turn: string | null
  prompt: string
  answer: string
}

/**
 * The last prompt of a person and the last answer to it, in a transcript of Copilot CLI; null where either is missing.
 * `calledAt`: when the hook was called, which a line behind the turn repeats. After two seconds what is there counts.
 */
export async function lastTurn(path: string, calledAt: number | null): Promise<LastTurn | null> {
  const deadline = performance.now() + (calledAt === null ? 0 : WRITTEN_MS)
  for (;;) {
    const text = (await orMissing(endOf(path))) ?? ''
    if (text.includes(`"timestamp":${calledAt}`) || performance.now() >= deadline)
      return turnOf(text.split('\n').reverse().map(parsed))
    await setTimeout(LOOK_MS)
  }
}

/** Of lines with the last one first. */
function turnOf(lines: readonly Line[]): LastTurn | null {
  let answer: string | null = null
  for (const { id, type, agentId, data } of lines) {
    const text = typeof data?.content === 'string' && data.content.trim() !== '' ? data.content : null
    if (agentId !== undefined || text === null) continue
    if (type === 'assistant.message') answer ??= text
    if (type === 'user.message')
      return answer === null ? null : { turn: typeof id === 'string' ? id : null, prompt: text, answer }
  }
  return null
}

async function endOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const length = Math.min(size, READ_BYTES)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The first line may be the end of one. */
const parsed = (line: string): Line => (readJson(line) as Line | null | undefined) ?? {}
