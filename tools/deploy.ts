// `npm run deploy`: creates what the Cloudflare account lacks, migrates, deploys and waits until the service is ready.
// It is safe to run again: existing resources are kept.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { REGIONS } from '../src/core/regions.ts'
import { firstShards } from '../src/core/shards.ts'
import { noticesOf } from '../src/settings/index.ts'
import { auditBucket, createBucket, withBucket } from './audit-bucket.ts'
import { blueprintOf, CONFIG, sourceOf, writeConfig } from './blueprint.ts'
import { helpIfAsked } from './help.ts'
import { databasesOf, indexFor, inspect, NOT_LOGGED_IN, plan, type Account, type Step } from './provision.ts'
import { refuseFaulty, refuseLocalOnly, refuseMisbound } from './refuse-variables.ts'
import { placed, readRegions, withRegions } from './regions.ts'
import { countShards, databasesOfShards, shardsWanted } from './shards.ts'
import { ROOT, runWrangler, wrangler, type Wrangler } from './wrangler.ts'

const HELP = `Creates missing resources in the Cloudflare account, migrates, deploys, and waits until the service is ready.
It is safe to run again: existing resources are kept.

  npm run deploy
  npm run deploy -- --dry-run

  --dry-run             print the steps without running them
  --staging             deploy a second service, with its own names
  --open-signups        let anyone sign up until the next deployment
  --shards NUMBER       add databases for this many shards
  --regions A,B,…       regions to create the shards in: ${REGIONS.join(', ')}
  --audit-bucket NAME   bind an R2 bucket for the audit log

Variables are in wrangler.toml; docs/operations.md explains them.`

interface Options {
  dryRun: boolean
  /** Deploys a second service beside the first, with `-staging` behind the name of everything that it has. */
  staging?: boolean
  /** Lets anybody register until the next deployment, for the first account. */
  openSignups?: boolean
  /** The number of shards. A higher number than before adds shards. Default: those that the account has. */
  shards?: string | undefined
  /** A region for each shard, where its databases are made. */
  regions?: string | undefined
  /** The bucket of the audit log. Default: the one that is bound, if any. */
  auditBucket?: string | undefined
  by: Wrangler
  say: (line: string) => void
  fetch: (url: string) => Promise<Response>
  /** The pause between two readiness probes. */
  pauseMs: number
  /** The configuration that is deployed, by default wrangler.toml. */
  config?: string
  /** The file, beside wrangler.toml, that gets the configuration of this account. */
  writes?: string
}

const READY_ATTEMPTS = 30
const EMPTY: Account = {
  databases: new Map(),
  queues: new Set(),
  indexes: new Set(),
  metadataIndexes: new Set(),
  secrets: new Set(),
}

/** Returns the address of the service; null for a dry run. Throws an error with one readable line. */
export async function deploy(options: Options): Promise<string | null> {
  const { dryRun, by, say, fetch, pauseMs, openSignups = false, writes = CONFIG } = options
  const single = sourceOf(options.config ?? join(ROOT, 'wrangler.toml'), options.staging === true)
  const login = await by(['whoami', '--json'])
  if (login.code !== 0 && !dryRun) throw new Error(NOT_LOGGED_IN)
  const databases = single.d1_databases ?? []
  const known = countShards(databases, login.code === 0 ? (await databasesOf(by)).keys() : [])
  const shards = shardsWanted(options.shards, known)
  const bucket = await auditBucket({
    option: options.auditBucket,
    source: single,
    staging: options.staging === true,
    by: login.code === 0 ? by : null,
  })
  const source = withBucket({ ...single, d1_databases: databasesOfShards(databases, shards) }, bucket.name)
  refuseFaulty(source.vars ?? {}, firstShards(shards))
  const wanted = blueprintOf(source)
  refuseMisbound(wanted.databases.map(({ binding }) => binding))
  const regions = readRegions(options.regions, wanted.vars['SHARD_REGIONS'], shards)
  for (const notice of noticesOf(Object.keys(wanted.vars))) say(`${notice}.`)
  const blueprint = login.code === 0 ? { ...wanted, index: await indexFor(wanted.index, by) } : wanted
  const account = login.code === 0 ? await inspect(blueprint, by) : EMPTY
  say(
    login.code === 0
      ? `Account: ${accountName(login.stdout)}`
      : 'You are not logged in: this is the plan for an empty account.',
  )
  refuseLocalOnly(account.secrets)
  if (shards > 1) say(`Shards: ${shards}${shards > known ? `, of which ${shards - known} are new` : ''}.`)
  if (blueprint.index.name !== wanted.index.name)
    say(
      account.indexes.has(wanted.index.name)
        ? `The index ${wanted.index.name} has a different dimension or metric. Delete it once all items have been embedded again.`
        : `Vector index: ${blueprint.index.name}.`,
    )

  if (bucket.name !== null) say(`Audit log: the bucket ${bucket.name}${bucket.isNew ? ', from now on' : ''}.`)
  if (bucket.name !== null && bucket.isNew) {
    say(`${dryRun ? 'would ' : ''}create the bucket ${bucket.name} unless it exists`)
    if (!dryRun) await createBucket(bucket.name, by)
  }
  const where = await placed(regions, blueprint.databases, account.databases, by)
  const steps = plan({ ...blueprint, databases: where }, account)
  for (const step of steps) await take(step, { dryRun, by, say })
  const migrations = blueprint.databases.map(({ binding, name }) => ({
    title: `apply the migrations of ${name}`,
    args: ['d1', 'migrations', 'apply', binding, '--remote', '--config', writes],
  }))
  if (!dryRun) {
    const ids = await databasesOf(by)
    writeConfig(await withRegions(regions, source, blueprint, ids, { by, say }), writes, blueprint.index.name, ids)
  }
  for (const step of migrations) await take(step, { dryRun, by, say })
  const output = await take(deployment(`deploy the Worker ${blueprint.worker}`, writes, blueprint.hosts, openSignups), {
    dryRun,
    by,
    say,
  })
  if (dryRun) {
    say('Nothing was changed.')
    return null
  }
  const [domain] = blueprint.domains
  const address = /https:\/\/[\w.-]+\.workers\.dev/.exec(output)?.[0] ?? (domain && `https://${domain}`)
  if (address === undefined) throw new Error(`wrangler printed no address:\n${output}`)
  const { host } = new URL(address)
  if (!blueprint.hosts.includes(host)) {
    const hosts = [...blueprint.hosts, host]
    await take(
      deployment('deploy it again with its own address, so that webhooks cannot target it', writes, hosts, openSignups),
      {
        dryRun,
        by,
        say,
      },
    )
    say(`To avoid the second deployment, set PUBLIC_HOSTS = "${hosts.join()}" in [vars] of wrangler.toml.`)
  }
  await untilReady(address, fetch, pauseMs)
  if (openSignups)
    say(
      `Anyone can sign up: create your account at ${address}/portal/sign-up now, then run the deployment again without --open-signups.`,
    )
  else if (wanted.vars['SIGNUPS'] === 'first')
    say(`If no one has an account yet, create the first one now: ${address}/portal/sign-up. Sign-ups close after it.`)
  say(`Ready: ${address}\nPortal: ${address}/portal\nAPI reference: ${address}/api-reference`)
  return address
}

const deployment = (title: string, config: string, hosts: readonly string[], openSignups: boolean): Step => ({
  title,
  args: [
    'deploy',
    '--config',
    config,
    ...(hosts.length > 0 ? ['--var', `PUBLIC_HOSTS:${hosts.join()}`] : []),
    ...(openSignups ? ['--var', 'SIGNUPS:open'] : []),
  ],
})

async function take(step: Step, { dryRun, by, say }: Pick<Options, 'dryRun' | 'by' | 'say'>): Promise<string> {
  say(`${dryRun ? 'would ' : ''}${step.title}`)
  return dryRun ? '' : runWrangler(step.args, by, step.stdin)
}

const accountName = (whoami: string): string => {
  const { accounts } = JSON.parse(whoami) as { accounts?: { name: string }[] }
  return accounts?.map(({ name }) => name).join(', ') ?? 'unknown'
}

/** A new deployment takes some seconds to reach every location. Every shard must be well: the Worker compares their migrations. */
async function untilReady(address: string, ask: Options['fetch'], pauseMs: number): Promise<void> {
  let last = ''
  let failed: string[] = []
  for (let attempt = 0; attempt < READY_ATTEMPTS; attempt += 1) {
    if (attempt > 0) await sleep(pauseMs)
    try {
      const answer = await ask(`${address}/ready`)
      const text = await answer.text()
      failed = answer.ok ? failedShards(text) : []
      if (answer.ok && failed.length === 0) return
      last = `${answer.status} ${text}`
    } catch (error) {
      last = String(error)
    }
  }
  if (failed.length > 0)
    throw new Error(
      `The Worker is deployed, but in shards ${failed.join(', ')} a database does not respond or lacks a migration: run this command again, and check ${address}/ready.`,
    )
  throw new Error(`${address}/ready does not return 200: ${last}`)
}

/** A version from before shards names none. */
const failedShards = (ready: string): string[] =>
  (JSON.parse(ready) as { failed_shards?: string[] }).failed_shards ?? []

if (import.meta.main) {
  helpIfAsked(HELP)
  try {
    const { values } = parseArgs({
      options: {
        'dry-run': { type: 'boolean', default: false },
        staging: { type: 'boolean', default: false },
        'open-signups': { type: 'boolean', default: false },
        shards: { type: 'string' },
        regions: { type: 'string' },
        'audit-bucket': { type: 'string' },
      },
    })
    const { 'dry-run': dryRun, 'open-signups': openSignups, 'audit-bucket': bucket, ...asked } = values
    const options = { ...asked, dryRun, openSignups, auditBucket: bucket }
    await deploy({ ...options, by: wrangler, say: console.log, fetch, pauseMs: 2_000 })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
