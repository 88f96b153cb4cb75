// `npm start`: runs the whole service on this machine, offline and without an account.
// Arguments go to `wrangler dev`: npm start -- --port 9000 --persist-to /tmp/recollect --var LIMITS_FACTOR:10
import type { ChildProcess } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs, stripVTControlCharacters } from 'node:util'
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
// Ctrl-C also reaches the server; this process waits until it has ended.
process.on('SIGINT', () => setTimeout(() => server.kill('SIGTERM'), 500))
process.on('SIGTERM', () => server.kill('SIGTERM'))

const terminal = quietUntilGreeted(server)
const origin = await terminal.address
server.on('exit', (code) => process.exit(code ?? 0))
if ((await fetch(new URL('/health', origin))).ok) console.log(greeting(origin, await demoAccount(origin, state)))
terminal.open()
// Locally nothing fires the cron trigger. This does, so that expiry, retries and other sweeps run.
setInterval(() => void sweep(), SWEEP_MS)

async function sweep(): Promise<void> {
  // Without a response the server is stopping or reloading.
  const answer = await fetch(new URL(CRON_PATH, origin)).catch(() => null)
  if (answer?.ok === false) console.error(`The cron trigger answered ${answer.status}: nothing expires or retries.`)
}

/** Random key rings for this machine. An existing file is kept: its keys verify the stored data. */
function makeSecrets(): void {
  if (existsSync(SECRETS_FILE)) return
  const lines = SECRET_NAMES.map((name) => `${name}=${newKeyRing()}\n`)
  writeFileSync(SECRETS_FILE, lines.join(''), { mode: 0o600, flag: 'wx' })
}

/** Routine lines: a queue that delivered all its messages, and the cron trigger. */
const ROUTINE = /^\[wrangler:info\] (QUEUE \S+ (\d+)\/\2 |GET \/cdn-cgi\/\S* 200 )/

/**
 * Holds the server's output back until `open`, which drops it. After that the output goes to the terminal, without
 * routine lines. If the server exits before `open`, everything is printed and this process exits.
 */
function quietUntilGreeted(child: ChildProcess): { address: Promise<string>; open(): void } {
  let held = ''
  let open = false
  const { promise: address, resolve } = Promise.withResolvers<string>()
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = child[name]
    if (stream === null) continue
    createInterface({ input: stream }).on('line', (line) => {
      if (open) {
        if (!ROUTINE.test(stripVTControlCharacters(line))) process[name].write(`${line}\n`)
        return
      }
      held += `${line}\n`
      const found = /Ready on (https?:\/\/\S+)/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
  }
  // On 'close', because 'exit' may come before the last output.
  child.on('close', (code) => {
    if (open) return
    process.stderr.write(held)
    process.exit(code ?? 1)
  })
  return { address, open: () => (open = true) }
}
