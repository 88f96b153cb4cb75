// `npm start`: the whole service on this machine, offline and without an account.
// Every argument is one of `wrangler dev`: npm start -- --port 9000 --persist-to /tmp/recollect --var LIMITS_FACTOR:10
import type { ChildProcess } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { demoAccount, greeting } from './demo.ts'
import { newKeyRing, SECRET_NAMES } from './secrets.ts'
import { CRON_PATH, ROOT, runWrangler, spawnWrangler } from './wrangler.ts'

const SECRETS_FILE = join(ROOT, '.dev.vars.local')
const SWEEP_MS = 60_000

const args = process.argv.slice(2)
const { 'persist-to': persistTo } = parseArgs({
  args,
  options: { 'persist-to': { type: 'string' } },
  strict: false,
  allowPositionals: true,
}).values
const state = typeof persistTo === 'string' ? persistTo : join(ROOT, '.wrangler/state')

makeSecrets()
console.log('Preparing the databases …')
for (const database of ['DB', 'AUDIT_DB']) {
  await runWrangler(['d1', 'migrations', 'apply', database, '--local', '--env', 'local', '--persist-to', state])
}
console.log('Starting Recollect …')
const server = spawnWrangler(['dev', '--env', 'local', '--show-interactive-dev-session=false', ...args], {
  stdio: ['inherit', 'pipe', 'pipe'],
})
// Ctrl-C reaches the server by itself; this process waits for it to end.
process.on('SIGINT', () => setTimeout(() => server.kill('SIGTERM'), 500))
process.on('SIGTERM', () => server.kill('SIGTERM'))

const origin = await addressOf(server)
server.on('exit', (code) => process.exit(code ?? 0))
if ((await fetch(new URL('/health', origin))).ok) console.log(greeting(origin, await demoAccount(origin, state)))
// Nothing local starts the cron trigger, so this does: expiry, retries and other sweeps run as in production.
setInterval(() => void sweep(), SWEEP_MS)

async function sweep(): Promise<void> {
  // No answer: the server is going down, or reloads.
  const answer = await fetch(new URL(CRON_PATH, origin)).catch(() => null)
  if (answer?.ok === false) console.error(`The cron trigger answered ${answer.status}: nothing expires or retries.`)
}

/** Random key rings for this machine alone. An existing file is never touched: its keys verify what is stored. */
function makeSecrets(): void {
  if (existsSync(SECRETS_FILE)) return
  const lines = SECRET_NAMES.map((name) => `${name}=${newKeyRing()}\n`)
  writeFileSync(SECRETS_FILE, lines.join(''), { mode: 0o600, flag: 'wx' })
}

/** Waits until the server listens, silently; then its output goes on to the terminal. If it dies, shows all and ends. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let held = ''
    let ready = false
    const listen = (chunk: Buffer, to: NodeJS.WriteStream): void => {
      if (ready) {
        to.write(chunk)
        return
      }
      held += chunk.toString()
      const address = /Ready on (https?:\/\/\S+)/.exec(held)?.[1]
      if (address === undefined) return
      ready = true
      resolve(address)
    }
    child.stdout?.on('data', (chunk: Buffer) => listen(chunk, process.stdout))
    child.stderr?.on('data', (chunk: Buffer) => listen(chunk, process.stderr))
    // Not at its exit, when the last of what it said is yet to come.
    child.on('close', (code) => {
      if (ready) return
      process.stderr.write(held)
      process.exit(code ?? 1)
    })
  })
}
