// `npm start`: runs the whole service on this machine, offline and without an account.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { REGIONS } from '../src/core/regions.ts'
import { MINUTE_MS } from '../src/core/values/durations.ts'
import { noticesOf } from '../src/settings/index.ts'
import { demoAccount, demoSession, greeting } from './demo.ts'
import { furnishAccount } from './furnished/account.ts'
import {
  FURNISHED_STATE,
  furnishedArguments,
  isFurnished,
  markFurnished,
  readFurnished,
  startReceiver,
  writeHistoryOf,
} from './furnished/local-data.ts'
import { helpIfAsked } from './help.ts'
import { addBucket, addShards, configArguments, readBucket, readShards, regionArguments } from './local-shards.ts'
import { withLocalDatabases } from './local-databases.ts'
import { RestartingServer } from './restarting-server.ts'
import { eraseTraces } from './erase-traces.ts'
import { newKeyRing, SECRET_NAMES } from './secrets.ts'
import { prepareDatabases } from './prepare-databases.ts'
import { whenStarterEnds } from './starter.ts'
import { lockState } from './state-lock.ts'
import { CRON_PATH, ROOT } from './wrangler.ts'

helpIfAsked(`Runs the whole service on this machine, offline and without an account.

  npm start
  npm start -- --port 9000 --persist-to /tmp/recollect --var LIMITS_FACTOR:10

  --port NUMBER         port of the server (default: 8787)
  --persist-to FOLDER   folder of the data (default: .wrangler/state)
  --var NAME:VALUE      set a variable from docs/operations.md (repeatable)
  --shards NUMBER       add databases for this many shards
  --regions A,B,…       regions of the shards: ${REGIONS.join(', ')}
  --audit-bucket        add a bucket for the audit log
  --furnished           give the demo account three months of content for each page of the portal; the data is in
                        ${FURNISHED_STATE} unless --persist-to is given, and limits are 100 times as high

All other options are passed to "wrangler dev".`)

const SECRETS_FILE = join(ROOT, '.dev.vars.local')
const SWEEP_MS = MINUTE_MS

const { furnished, rest: others } = readFurnished(process.argv.slice(2))
const { bucket: asksBucket, rest } = readBucket(others)
const { shards: asked, regions, rest: args } = readShards(rest)
const { 'persist-to': persistTo } = parseArgs({
  args,
  options: { 'persist-to': { type: 'string' } },
  strict: false,
  allowPositionals: true,
}).values
const state = typeof persistTo === 'string' ? persistTo : join(ROOT, furnished ? FURNISHED_STATE : '.wrangler/state')

const { var: variables = [] } = parseArgs({
  args,
  options: { var: { type: 'string', multiple: true } },
  strict: false,
  allowPositionals: true,
}).values
for (const notice of noticesOf(variables.map((one) => String(one).replace(/:.*/s, '')))) console.log(`${notice}.`)

let server: RestartingServer | undefined
const stop = (): unknown => (server ? server.stop() : process.exit(1))
whenStarterEnds(stop)
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
// Ctrl-C also reaches the server; this process waits until it has ended.
process.on('SIGINT', () => (server ? server.stop(500) : process.exit(130)))

makeSecrets()
orEnd(() => lockState(state))
const isDue = furnished && !orEnd(() => isFurnished(state))
if (eraseTraces(state)) console.log('Erased the traces of an earlier version, which held whole URLs.')
const shards = orEnd(() => addShards(state, asked))
const placed = orEnd(() => regionArguments(state, regions, shards))
const config = configArguments(state, shards, { bucket: addBucket(state, asksBucket) })
if (config[0] === '--config') process.on('exit', () => rmSync(join(ROOT, config[1] ?? ''), { force: true }))
console.log('Preparing the databases …')
for (const line of await withLocalDatabases(config, state, prepareDatabases).catch(end)) console.error(line)
console.log('Starting Recollect …')
server = new RestartingServer([
  'dev',
  ...config,
  '--show-interactive-dev-session=false',
  ...placed,
  ...(furnished ? furnishedArguments(persistTo === undefined ? state : undefined) : []),
  ...args,
])

const origin = await server.address
const { ok } = await server.fetch(new URL('/health', origin))
const account = ok ? await demoAccount(origin, state, server.fetch) : null
if (furnished) await furnish(server).catch(end)
if (ok) console.log(greeting(origin, account))
server.open()
// Locally nothing fires the cron trigger. This does, so that expiry, retries and other sweeps run.
setInterval(() => void sweep(), SWEEP_MS)
await server.watch()

/** Furnishes the demo account on the first start. On each one, a receiver answers one of its webhooks. */
async function furnish(server: RestartingServer): Promise<void> {
  const receiver = await startReceiver(state)
  if (!isDue) return
  if (!account) throw new Error('No account can be furnished: the server is not healthy, or its sign-ups are closed.')
  console.log('Furnishing the account …')
  const made = await furnishAccount(origin, await demoSession(origin, account), receiver.url)
  await server.stopFor(() => withLocalDatabases(config, state, (databases) => writeHistoryOf(made, databases)))
  markFurnished(state, receiver.port)
}

async function sweep(): Promise<void> {
  // Without a response the server is stopping or reloading.
  const answer = await fetch(new URL(CRON_PATH, origin)).catch(() => null)
  if (answer?.ok === false)
    console.error(`The cron trigger responded with ${answer.status}: nothing expires or is retried.`)
}

/** Prints the fault of an option in one line, and ends. */
function orEnd<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    return end(error)
  }
}

function end(error: unknown): never {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

/** Random key rings for this machine. An existing file is kept: its keys verify the stored data. */
function makeSecrets(): void {
  if (existsSync(SECRETS_FILE)) return
  const lines = SECRET_NAMES.map((name) => `${name}=${newKeyRing()}\n`)
  writeFileSync(SECRETS_FILE, lines.join(''), { mode: 0o600, flag: 'wx' })
}
