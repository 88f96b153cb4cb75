import { open } from 'node:fs/promises'

/** Of the end of a transcript. */
const READ_BYTES = 4 * 1_024 * 1_024

interface Line {
  id?: unknown
  type?: unknown
  /** Of a subagent. */
  agentId?: unknown
  data?: { content?: unknown; source?: unknown }
}

/** The last prompt of a person and the last answer to it, in a transcript of Copilot CLI; null where either is missing. */
export async function lastTurn(path: string): Promise<{ turn: string | null; prompt: string; answer: string } | null> {
  let answer: string | null = null
  for (const line of (await endOf(path)).split('\n').reverse()) {
    const { id, type, agentId, data } = parsed(line)
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
function parsed(line: string): Line {
  try {
    return (JSON.parse(line) as Line | null) ?? {}
  } catch {
    return {}
  }
}
