/**
 * `npm run bench:import [-- --megabytes 1000]`
 *
 * Writes an export of ChatGPT of this size, looks at it with `recollect import --dry-run`, and prints how long that takes and
 * the most memory that the program held, beside the same program with an empty export, never a verdict. Linux only.
 */
import { spawn } from 'node:child_process'
import { createWriteStream, existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { bundleCli } from '../client/build.ts'
import { Texts } from './support/texts.ts'

const { values } = parseArgs({ options: { megabytes: { type: 'string', default: '1000' } } })
const MESSAGES = 40
const WORDS = 120
const LOOK_MS = 20

const folder = await mkdtemp(join(tmpdir(), 'recollect-import-'))
const cli = join(folder, 'recollect.js')
await bundleCli(cli)

/** The conversations of an export, a text each, until they have so many bytes together. */
function* conversations(bytes: number): Generator<string> {
  const texts = new Texts(1)
  let [written, nth] = [0, 0]
  for (; written < bytes; nth += 1) {
    const messages = Array.from({ length: MESSAGES }, (_, at) => messageOf(texts, nth, at))
    const conversation = {
      title: texts.text(4),
      create_time: 1_700_000_000 + nth,
      mapping: Object.fromEntries(messages.map((one) => [one.id, one])),
      current_node: messages.at(-1)?.id,
      conversation_id: `c${nth}`,
    }
    const json = JSON.stringify(conversation)
    written += json.length
    yield `${nth === 0 ? '[' : ','}${json}`
  }
  yield nth === 0 ? '[]' : ']'
}

const messageOf = (texts: Texts, nth: number, at: number) => ({
  id: `c${nth}m${at}`,
  message: {
    id: `c${nth}m${at}`,
    author: { role: at % 2 === 0 ? 'user' : 'assistant' },
    create_time: 1_700_000_000 + nth + at,
    content: { content_type: 'text', parts: [texts.text(WORDS)] },
    recipient: 'all',
  },
  parent: at === 0 ? null : `c${nth}m${at - 1}`,
  children: at === MESSAGES - 1 ? [] : [`c${nth}m${at + 1}`],
})

/** What Linux says of a process; empty once it has ended. */
const statusOf = (pid: number | undefined): string =>
  existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''

/** Seconds, the most memory in MB, and what a dry run would store. */
async function dryRun(file: string): Promise<{ seconds: number; megabytes: number; messages: number }> {
  const began = performance.now()
  const env = { PATH: process.env['PATH'], HOME: folder, RECOLLECT_URL: 'http://127.0.0.1:9', RECOLLECT_API_KEY: 'x' }
  const child = spawn(process.execPath, [cli, 'import', file, '--from', 'chatgpt', '--dry-run'], { env })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => (said[name] += String(chunk)))
  let most = 0
  const look = setInterval(() => {
    most = Math.max(most, Number(/^VmHWM:\s+(\d+)/m.exec(statusOf(child.pid))?.[1] ?? 0))
  }, LOOK_MS)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearInterval(look)
  if (code !== 0) throw new Error(`the dry run ended with ${String(code)}: ${said.stderr}`)
  return {
    seconds: (performance.now() - began) / 1_000,
    megabytes: most / 1_024,
    messages: JSON.parse(said.stdout).messages,
  }
}

for (const [name, bytes] of [
  ['an empty export', 0],
  [`an export of ${values.megabytes} MB`, Number(values.megabytes) * 1e6],
] as const) {
  const file = join(folder, 'conversations.json')
  await pipeline(Readable.from(conversations(bytes)), createWriteStream(file))
  const { seconds, megabytes, messages } = await dryRun(file)
  console.log(name.padEnd(24), `${messages} messages`, `${seconds.toFixed(1)} s`, `${megabytes.toFixed(0)} MB`)
}
await rm(folder, { recursive: true, force: true })
