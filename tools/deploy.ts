// `npm run deploy`: creates what the Cloudflare account lacks, migrates, deploys and waits until the service is ready.
// It is safe to repeat: existing resources are kept. `npm run deploy -- --dry-run` prints the steps.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unstable_readConfig, type Unstable_Config } from 'wrangler'
import {
  databasesOf,
  inspect,
  plan,
  refuseLocalOnly,
  refuseUnknownRegion,
  type Account,
  type Blueprint,
  type Step,
} from './provision.ts'
import { ROOT, runWrangler, wrangler, type Wrangler } from './wrangler.ts'

interface Options {
  dryRun: boolean
  by: Wrangler
  say: (line: string) => void
  fetch: (url: string) => Promise<Response>
  /** The pause between two readiness probes. */
  pauseMs: number
}

const READY_ATTEMPTS = 30
/** wrangler.toml with the account's database ids. Each deployment writes it; it is never committed. */
const CONFIG = 'wrangler.deploy.toml'
const EMPTY: Account = {
  databases: new Map(),
  queues: new Set(),
  indexes: new Set(),
  metadataIndexes: new Set(),
  secrets: new Set(),
}

/** Returns the address of the service; null for a dry run. Throws an error with one readable line. */
export async function deploy({ dryRun, by, say, fetch, pauseMs }: Options): Promise<string | null> {
  const blueprint = readBlueprint()
  refuseLocalOnly(Object.keys(blueprint.vars))
  refuseUnknownRegion(blueprint.vars['DATA_REGION'])
  const login = await by(['whoami', '--json'])
  if (login.code !== 0 && !dryRun) throw new Error('Nobody is logged in: run `npx wrangler login` first.')
  const account = login.code === 0 ? await inspect(blueprint, by) : EMPTY
  say(
    login.code === 0
      ? `Account: ${accountName(login.stdout)}`
      : 'Nobody is logged in: this is the plan for an empty account.',
  )
  refuseLocalOnly(account.secrets)

  const steps = plan(blueprint, account)
  for (const step of steps) await take(step, { dryRun, by, say })
  const migrations = blueprint.databases.map(({ binding, name }) => ({
    title: `apply the migrations of ${name}`,
    args: ['d1', 'migrations', 'apply', binding, '--remote', '--config', CONFIG],
  }))
  if (!dryRun) writeConfig(blueprint, await databasesOf(by))
  for (const step of migrations) await take(step, { dryRun, by, say })
  const output = await take(deployment(`deploy the Worker ${blueprint.worker}`, blueprint.hosts), { dryRun, by, say })
  if (dryRun) {
    say('Nothing was changed.')
    return null
  }
  const address = /https:\/\/[\w.-]+\.workers\.dev/.exec(output)?.[0]
  if (address === undefined) throw new Error(`wrangler printed no address:\n${output}`)
  const { host } = new URL(address)
  if (!blueprint.hosts.includes(host)) {
    const hosts = [...blueprint.hosts, host]
    await take(deployment('deploy it again with its own address, which no webhook may lead to', hosts), {
      dryRun,
      by,
      say,
    })
    say(`PUBLIC_HOSTS = "${hosts.join()}" in [vars] of wrangler.toml saves the second deployment.`)
  }
  await untilReady(address, fetch, pauseMs)
  say(`Ready: ${address}\nPortal: ${address}/portal\nAPI reference: ${address}/api-reference`)
  return address
}

const deployment = (title: string, hosts: readonly string[]): Step => ({
  title,
  args: ['deploy', '--config', CONFIG, ...(hosts.length > 0 ? ['--var', `PUBLIC_HOSTS:${hosts.join()}`] : [])],
})

async function take(step: Step, { dryRun, by, say }: Pick<Options, 'dryRun' | 'by' | 'say'>): Promise<string> {
  say(`${dryRun ? 'would ' : ''}${step.title}`)
  return dryRun ? '' : runWrangler(step.args, by, step.stdin)
}

function readBlueprint(): Blueprint {
  const config: Unstable_Config = unstable_readConfig({ config: join(ROOT, 'wrangler.toml') })
  const consumers = config.queues.consumers ?? []
  const [index] = config.vectorize
  if (config.name === undefined || !index) throw new Error('wrangler.toml lacks a name or a vector index.')
  return {
    worker: config.name,
    vars: config.vars,
    hosts: hostsOf(config),
    databases: config.d1_databases.map(({ binding, database_name: name = binding }) => ({ binding, name })),
    queues: [
      ...new Set(consumers.flatMap((c) => [c.queue, ...(c.dead_letter_queue ? [c.dead_letter_queue] : [])])),
    ].sort(),
    index: { name: index.index_name, dimensions: Number(config.vars['EMBEDDING_DIMENSION']) },
  }
}

/** The hosts that are known before the first deployment; the address under workers.dev is not. */
function hostsOf({ vars, routes = [] }: Unstable_Config): string[] {
  const named = vars['PUBLIC_HOSTS']
  const domains = routes.flatMap((route) => (typeof route === 'object' && route.custom_domain ? [route.pattern] : []))
  return [...(typeof named === 'string' ? named.split(/[\s,]+/).filter(Boolean) : []), ...domains]
}

const accountName = (whoami: string): string => {
  const { accounts } = JSON.parse(whoami) as { accounts?: { name: string }[] }
  return accounts?.map(({ name }) => name).join(', ') ?? 'unknown'
}

/** Replaces the placeholder ids of wrangler.toml. The top level comes first, so the first block of each name is its own. */
function writeConfig(blueprint: Blueprint, ids: Map<string, string>): void {
  let text = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')
  for (const { name } of blueprint.databases) {
    const id = ids.get(name)
    if (id === undefined) throw new Error(`The database ${name} was not created.`)
    text = text.replace(new RegExp(`(database_name = "${name}"\\ndatabase_id = )"[^"]*"`), `$1"${id}"`)
  }
  writeFileSync(join(ROOT, CONFIG), text)
}

/** A new deployment takes some seconds to reach every location. */
async function untilReady(address: string, ask: Options['fetch'], pauseMs: number): Promise<void> {
  let last = ''
  for (let attempt = 0; attempt < READY_ATTEMPTS; attempt += 1) {
    if (attempt > 0) await sleep(pauseMs)
    try {
      const answer = await ask(`${address}/ready`)
      if (answer.ok) return
      last = `${answer.status} ${await answer.text()}`
    } catch (error) {
      last = String(error)
    }
  }
  throw new Error(`${address}/ready does not answer 200: ${last}`)
}

if (import.meta.main) {
  try {
    const dryRun = process.argv.includes('--dry-run')
    await deploy({ dryRun, by: wrangler, say: console.log, fetch, pauseMs: 2_000 })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
