// The program that coding agents run: `recollect-hook.js AGENT [EVENT]`, with the input of the hook on standard input.
import { join } from 'node:path'
import { isAgent } from '../agent/agents.ts'
import { handle } from './handle.ts'
import { BUDGET_MS } from './recall.ts'

const MAX_INPUT_BYTES = 16 * 1_024 * 1_024

// The time counts from the start of this process.
const signal = AbortSignal.timeout(Math.max(0, Math.round(BUDGET_MS - performance.now())))

/** What comes until the agent ends its input, or for as long as a prompt may wait. */
async function readInput(): Promise<string> {
  const { stdin } = process
  const late = setTimeout(() => stdin.destroy(), BUDGET_MS)
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of stdin as AsyncIterable<Buffer>) {
      bytes += part.byteLength
      if (bytes > MAX_INPUT_BYTES) return ''
      parts.push(part)
    }
  } catch {
    // Cut off: what has come may be all.
  }
  clearTimeout(late)
  return Buffer.concat(parts).toString()
}

async function startSender(): Promise<void> {
  // Loaded only where it is needed: a hook starts often.
  const { spawn } = await import('node:child_process')
  const program = join(import.meta.dirname, 'recollect.js')
  const sender = spawn(process.execPath, [program, 'agent', 'send'], {
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  })
  // There is nobody to tell: the next hook tries again.
  sender.on('error', () => undefined)
  sender.unref()
}

const [, , agent, event] = process.argv
if (isAgent(agent)) {
  // oxlint-disable-next-line no-restricted-properties -- the clock of the process enters here
  const io = { env: process.env, now: () => Date.now(), signal, startSender }
  const output = await handle(io, agent, event, await readInput())
  // Nothing that is still under way keeps the agent waiting.
  process.stdout.write(output, () => process.exit(0))
}
