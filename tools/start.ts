// `npm start`: runs the whole service on this machine, offline and without an account.
// Arguments go to `wrangler dev`: npm start -- --port 9000 --persist-to /tmp/recollect --var LIMITS_FACTOR:10
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { demoAccount, greeting } from './demo.ts'
import { LocalServer } from './local-server.ts'
import { newKeyRing, SECRET_NAMES } from './secrets.ts'
import { CRON_PATH, ROOT, runWrangler } from './wrangler.ts'

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
const server = new LocalServer(['dev', '--env', 'local', '--show-interactive-dev-session=false', ...args])
// Ctrl-C also reaches the server; this process waits until it has ended.
process.on('SIGINT', () => server.stop(500))
process.on('SIGTERM', () => server.stop())

const origin = await server.address
if ((await fetch(new URL('/health', origin))).ok) console.log(greeting(origin, await demoAccount(origin, state)))
server.open()
// Locally nothing fires the cron trigger. This does, so that expiry, retries and other sweeps run.
setInterval(() => void sweep(), SWEEP_MS)
await server.watch()

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
