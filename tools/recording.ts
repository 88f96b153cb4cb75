// `npm run recording`: writes docs/images/first-sight.svg, in which the real programs run in pseudo-terminals. The one thing
// that is made up is the model of Claude Code: a script on this machine says what it finds in the prompt.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { installed } from '../test/agents/support/installed.ts'
import { startModel } from '../test/agents/support/model/scripted-model.ts'
import { PROGRAMS } from '../test/agents/support/programs.ts'
import { newWorkplace, type Workplace } from '../test/agents/support/workplace.ts'
import { Agent as Person } from '../test/e2e/support/agent.ts'
import { helpIfAsked } from './help.ts'
import { Cast } from './recording/cast.ts'
import { svgOf, type Frame } from './recording/svg.ts'
import { ROOT } from './wrangler.ts'

helpIfAsked(`Writes docs/images/first-sight.svg from pseudo-terminals of the real programs. Needs "script" of util-linux.

  npm run recording
  npm run recording -- --port 9000

  --port NUMBER   port of the server (default: 8787)`)

const SIZE = { columns: 98, rows: 22 }
/** Changes within this time are one frame. */
const FRAME_MS = 90
const LOOK_MS = 250
const MAX_LOOKS = 100
const FACT = 'The deploys of this service go to the region fra-7.'
const QUESTION = 'Which region do the deploys of this service go to?'

const { port } = parseArgs({ options: { port: { type: 'string' } } }).values
const folder = mkdtempSync(join(tmpdir(), 'recollect-recording-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const cast = new Cast(SIZE)
const server = await recordStart()
try {
  const origin = `http://localhost:${port ?? 8787}`
  await recordClient(origin)
  await recordAgent(origin)
} finally {
  await server.stop()
}
writeFileSync(join(ROOT, 'docs/images/first-sight.svg'), svgOf(await framesOf(), SIZE))

/** A fresh clone, with the packages of this one. */
async function recordStart() {
  const clone = join(folder, 'recollect')
  run('git', ['clone', '--quiet', ROOT, clone], folder)
  for (const packages of ['node_modules', 'client/node_modules'])
    if (existsSync(join(ROOT, packages))) run('cp', ['-al', join(ROOT, packages), join(clone, packages)], folder)
  cast.page('a fresh clone')
  const command = port === undefined ? 'npm start' : `npm start -- --port ${port}`
  return cast.command(command, { cwd: clone, env: process.env, until: 'Stop with Ctrl-C.' })
}

/** The TypeScript of README, with the package of this clone. */
async function recordClient(origin: string): Promise<void> {
  const app = join(folder, 'app')
  const key = readFileSync(join(folder, 'recollect/.wrangler/state/demo-key.txt'), 'utf8').trim()
  run('npm', ['run', 'client'], ROOT)
  cpSync(join(ROOT, 'dist/client'), join(app, 'node_modules/recollect'), { recursive: true })
  const [, block = ''] = /```ts\n([^]*?)```/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? []
  writeFileSync(join(app, 'lunch.mjs'), block)
  const env = { ...process.env, RECOLLECT_URL: origin, RECOLLECT_API_KEY: key }
  cast.page('remember and recall, in a second terminal')
  await cast.command('cat lunch.mjs', { cwd: app, env })
  await cast.command('node lunch.mjs', { cwd: app, env })
}

/** Claude Code with the hooks of Recollect. Its model is a script that says what it finds in the prompt. */
async function recordAgent(origin: string): Promise<void> {
  const program = PROGRAMS.find(({ agent }) => agent === 'claude-code')
  if (!program) throw new Error('Claude Code is not among the programs.')
  const { path } = await installed(program)
  const model = await startModel((body) => (body.includes(QUESTION) ? answerFrom(body) : 'Noted.'))
  const place = await newWorkplace(await Person.logIn(origin, ...demoAccount()))
  try {
    Object.assign(place.env, program.env(place.home, model.url))
    await place.recollect('agent', 'install', program.agent, '--yes')
    cast.page('Claude Code with the hooks of Recollect. Its model is a script on this machine.')
    const ask = (prompt: string) =>
      cast.command(`claude -p "${prompt}"`, { cwd: place.folder, env: place.env, run: `${path} -p "${prompt}"` })
    await ask(FACT)
    await untilStored(place)
    cast.add('\r\n\x1b[2m# a new session\x1b[0m\r\n', 900)
    await ask(QUESTION)
  } finally {
    model.stop()
    await place.remove()
  }
}

/** The hook sends what was said in the background. */
async function untilStored(place: Workplace): Promise<void> {
  for (let n = 0; n < MAX_LOOKS; n += 1) {
    if (JSON.stringify(await place.stored()).includes(FACT)) return
    await wait(LOOK_MS)
  }
  throw new Error('What was said is not stored.')
}

function answerFrom(body: string): string {
  return body.includes(FACT) ? 'To fra-7: you said so in an earlier session.' : 'I do not know.'
}

function demoAccount(): [email: string, password: string] {
  const password = readFileSync(join(folder, 'recollect/.wrangler/state/demo-password.txt'), 'utf8').trim()
  return ['demo@example.com', password]
}

async function framesOf(): Promise<Frame[]> {
  const home = join(ROOT, 'tools/terminal-frames')
  if (!existsSync(join(home, 'node_modules'))) run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], home)
  const input = JSON.stringify({ ...SIZE, chunks: cast.chunks })
  const frames = JSON.parse(run(process.execPath, ['frames.mjs'], home, input)) as Frame[]
  return frames.filter(({ at }, n) => (frames[n + 1]?.at ?? Infinity) - at > FRAME_MS)
}

function run(program: string, args: string[], cwd: string, input = ''): string {
  return execFileSync(program, args, { cwd, input, encoding: 'utf8', maxBuffer: 1e8 })
}
