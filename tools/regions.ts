// The regions where a deployment makes the databases of its shards, and the `SHARD_REGIONS` that names them.
import type { Unstable_RawConfig } from 'wrangler'
import { isRegion, REGIONS, shardRegionsText, type Region, type ShardRegions } from '../src/core/regions.ts'
import { bindingOf, DATABASES_AT_ONCE, firstShards, FIRST_SHARD } from '../src/core/shards.ts'
import { shardRegions } from '../src/settings/index.ts'
import { inParallel } from '../src/core/values/in-parallel.ts'
import { withAccountDatabases } from './account-databases.ts'
import { deployedBindings } from './deployed-bindings.ts'
import type { Blueprint } from './provision.ts'
import { runWrangler, type Wrangler } from './wrangler.ts'

/** The regions that `--regions` gives the shards, from shard 00 on. Throws unless each shard gets one. */
export function regionsAsked(option: string | undefined, shards: number): ShardRegions {
  if (option === undefined) return new Map()
  const names = option.split(',')
  if (names.length !== shards || !names.every(isRegion))
    throw new Error(
      `--regions must list one region per shard (${shards} here), starting with 00 and separated by commas. Each is one of ${REGIONS.join(', ')}.`,
    )
  return new Map(firstShards(shards).flatMap((shard, at) => (names[at] ? [[shard, names[at]]] : [])))
}

/** The regions that a text gives shards, as `SHARD_REGIONS` does; a faulty one gives none. */
export function regionsIn(text: unknown, shards: number): ShardRegions {
  const parsed = shardRegions(typeof text === 'string' ? text : '', { local: false, shards: firstShards(shards) })
  return 'value' in parsed ? parsed.value : new Map()
}

/** The regions that `SHARD_REGIONS` in [vars] gives shards. Throws where `--regions` names others. */
function regionsNamed(variable: unknown, asked: ShardRegions, shards: number): ShardRegions {
  const regions = regionsIn(variable, shards)
  for (const [shard, region] of regions)
    if ((asked.get(shard) ?? region) !== region)
      throw new Error(`SHARD_REGIONS in [vars] puts shard ${shard} in ${region}, but --regions puts it elsewhere.`)
  return regions
}

/** The regions of shards that a person has named. */
export interface Regions {
  shards: number
  asked: ShardRegions
  named: ShardRegions
  /** `SHARD_REGIONS = ""` in [vars]: the deployment names none. */
  none: boolean
}

/** Reads `--regions` and `SHARD_REGIONS` of [vars]. Throws where one of them is wrong. */
export function readRegions(option: string | undefined, variable: unknown, shards: number): Regions {
  const asked = regionsAsked(option, shards)
  return { shards, asked, named: regionsNamed(variable, asked, shards), none: variable === '' }
}

/** The databases of a blueprint, each with the region where it is to be made: that of its shard's other one, or as somebody said. */
export async function placed(
  { shards, asked, named }: Regions,
  databases: Blueprint['databases'],
  ids: ReadonlyMap<string, string>,
  by: Wrangler,
): Promise<Blueprint['databases']> {
  const shardOf = (binding: string): string => /_(\d\d)$/.exec(binding)?.[1] ?? FIRST_SHARD
  const missing = new Set(databases.filter(({ name }) => !ids.has(name)).map(({ binding }) => shardOf(binding)))
  const halves = [...mainDatabases(databases, ids, shards)].filter(([shard]) => missing.has(shard))
  const regions = new Map([...asked, ...named, ...(await runningIn(new Map(halves), by))])
  return databases.map((one) => ({ ...one, region: regions.get(shardOf(one.binding)) }))
}

/**
 * A configuration whose `SHARD_REGIONS` names the region of each shard: as in [vars], else where its database runs, else as it
 * was asked for or is deployed. It stays as it is where nobody named a region and all databases run in one.
 */
export async function withRegions(
  { shards, asked, named, none }: Regions,
  source: Unstable_RawConfig,
  { worker, databases }: Pick<Blueprint, 'worker' | 'databases'>,
  ids: ReadonlyMap<string, string>,
  { by, say }: { by: Wrangler; say: (line: string) => void },
): Promise<Unstable_RawConfig> {
  if (none) return source
  const isNamed = named.size + asked.size > 0
  const deployed = isNamed ? new Map<string, Region>() : await regionsDeployed(worker, shards, by)
  if (shards === 1 && !isNamed && deployed.size === 0) return source
  const running = await runningIn(mainDatabases(databases, ids, shards), by)
  if (!isNamed && deployed.size === 0 && new Set(running.values()).size < 2) return source
  const regions = new Map([...deployed, ...asked, ...running, ...named])
  for (const [shard, region] of asked) {
    const there = running.get(shard) ?? region
    if (there !== region) say(`Shard ${shard} is in ${there}, not in ${region}: a database cannot move.`)
  }
  const text = shardRegionsText(regions)
  say(`Regions: ${text}.`)
  return { ...source, vars: { ...source.vars, SHARD_REGIONS: text } }
}

/** The ids of the main databases that the account has, by shard. */
const mainDatabases = (
  databases: readonly { binding: string; name: string }[],
  ids: ReadonlyMap<string, string>,
  shards: number,
): ReadonlyMap<string, string> =>
  new Map(
    firstShards(shards).flatMap((shard) => {
      const id = ids.get(databases.find(({ binding }) => binding === bindingOf('DB', shard))?.name ?? '')
      return id === undefined ? [] : [[shard, id] as const]
    }),
  )

/** The region of each database, which D1 names with every answer. A database without one is left out. */
async function runningIn(databases: ReadonlyMap<string, string>, by: Wrangler): Promise<ShardRegions> {
  const regions = new Map<string, Region>()
  if (databases.size === 0) return regions
  const bound = [...databases].map(([shard, id]) => ({ shard, binding: `DB_${shard}`, id }))
  await withAccountDatabases(bound, (config) =>
    inParallel(DATABASES_AT_ONCE, bound, async ({ shard, binding }) => {
      const args = ['d1', 'execute', binding, '--remote', '--json', '--command=select 1', ...config]
      const region = servedBy(await runWrangler(args, by))
      if (region) regions.set(shard, region)
    }),
  )
  return regions
}

function servedBy(output: string): Region | undefined {
  const [answer] = JSON.parse(output) as { meta?: { served_by_region?: string } }[]
  const region = answer?.meta?.served_by_region?.toLowerCase()
  return isRegion(region) ? region : undefined
}

/** The regions that the deployed Worker knows; none before the first deployment. */
async function regionsDeployed(worker: string, shards: number, by: Wrangler): Promise<ShardRegions> {
  const bindings = await deployedBindings(worker, by)
  const variable = bindings.find(({ type, name }) => type === 'plain_text' && name === 'SHARD_REGIONS')
  return regionsIn(variable?.text, shards)
}
