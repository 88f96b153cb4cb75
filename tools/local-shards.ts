// `npm start -- --shards 3 --regions weur,enam,apac --audit-bucket`: the databases of further shards, and a bucket, on this machine.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { experimental_readRawConfig } from 'wrangler'
import { DATABASE_KINDS, bindingOf, firstShards, MAX_SHARDS } from '../src/core/shards.ts'
import { shardRegionsText } from '../src/core/regions.ts'
import { withBucket } from './audit-bucket.ts'
import { regionsAsked, regionsIn } from './regions.ts'
import { databasesOfShards, shardsWanted } from './shards.ts'
import { ROOT } from './wrangler.ts'

/**
 * [env.local] with the databases of further shards. `npm start` writes it; it is never committed. wrangler reads it again when
 * it changes, so data in another folder has another file.
 */
const configOf = (state: string): string =>
  `wrangler.shards-${createHash('sha256').update(resolve(state)).digest('hex').slice(0, 12)}.json`

/** A file beside the data with the number of its shards. */
const COUNT = 'shards.txt'
/** A file beside the data with `SHARD_REGIONS`, once `--regions` was given. */
const REGIONS = 'regions.txt'
/** A file beside the data that says that there is a bucket for the audit log. */
const BUCKET = 'audit-bucket.txt'
const BUCKET_FLAG = '--audit-bucket'

/** Arguments without `--shards` and `--regions`, and the values of these. */
export function readShards(args: readonly string[]): {
  shards: string | undefined
  regions: string | undefined
  rest: string[]
} {
  const [regions, others] = taken('regions', args)
  const [shards, rest] = taken('shards', others)
  return { shards, regions, rest }
}

/** The value of an option, and the arguments without it. */
function taken(name: string, args: readonly string[]): [string | undefined, string[]] {
  const { tokens } = parseArgs({
    args: [...args],
    options: { [name]: { type: 'string' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const token = tokens.find((one) => one.kind === 'option' && one.name === name)
  if (token?.kind !== 'option') return [undefined, [...args]]
  return [token.value ?? '', args.toSpliced(token.index, token.inlineValue === false ? 2 : 1)]
}

/** The number of shards of the data, after new ones were added. Throws where some would be taken away. */
export function addShards(state: string, asked: string | undefined): number {
  const shards = shardsWanted(asked, knownShards(state))
  mkdirSync(state, { recursive: true })
  // A rename makes the file appear whole or not at all.
  const half = join(state, `${COUNT}.${process.pid}`)
  writeFileSync(half, `${shards}\n`)
  renameSync(half, join(state, COUNT))
  return shards
}

/** Arguments without `--audit-bucket`, and whether it was there. */
export const readBucket = (args: readonly string[]): { bucket: boolean; rest: string[] } => ({
  bucket: args.includes(BUCKET_FLAG),
  rest: args.filter((arg) => arg !== BUCKET_FLAG),
})

/** Whether the data has a bucket, after one was asked for. A bucket is never taken away, since audit rows may lie there. */
export function addBucket(state: string, asked: boolean): boolean {
  const file = join(state, BUCKET)
  if (asked && !existsSync(file)) {
    mkdirSync(state, { recursive: true })
    writeFileSync(file, 'The audit log of this data may be in its local bucket.\n')
  }
  return existsSync(file)
}

/** The number of shards of the data. Throws where the file holds no number: a guess could leave some unbound. */
export function knownShards(state: string): number {
  const file = join(state, COUNT)
  if (!existsSync(file)) return 1
  const shards = Number(readFileSync(file, 'utf8'))
  if (Number.isInteger(shards) && shards >= 1 && shards <= MAX_SHARDS) return shards
  throw new Error(
    `${file} must contain a number of shards from 1 to ${MAX_SHARDS}: write the number of shards of the data there.`,
  )
}

/** The bindings of this many shards, in the order in which they are migrated. */
export const bindingsOf = (shards: number): string[] =>
  firstShards(shards).flatMap((shard) => DATABASE_KINDS.map((kind) => bindingOf(kind, shard)))

/**
 * The arguments by which wrangler finds the databases of this many shards, and the bucket. wrangler.toml has those of one
 * shard. `writes`: the file for the others, in the root; default: that of the folder of data.
 */
export function configArguments(
  state: string,
  shards: number,
  { bucket = false, writes = configOf(state) } = {},
): string[] {
  if (shards === 1 && !bucket) return ['--env', 'local']
  const { rawConfig } = experimental_readRawConfig({ config: join(ROOT, 'wrangler.toml') })
  const local = rawConfig.env?.['local']
  const databases = databasesOfShards(local?.d1_databases ?? [], shards).map((one) => ({
    ...one,
    database_id: one.database_id ?? one.binding,
  }))
  const own = withBucket({ ...local, d1_databases: databases }, bucket ? 'recollect-local-audit' : null)
  const config = { ...rawConfig, env: { local: own } }
  writeFileSync(join(ROOT, writes), `${JSON.stringify(config, null, 2)}\n`)
  return ['--config', writes, '--env', 'local']
}

/**
 * The arguments by which the service knows the regions of its shards: those that the data has, and those that were asked for.
 * Throws where a shard would have another region than it has.
 */
export function regionArguments(state: string, asked: string | undefined, shards: number): string[] {
  const file = join(state, REGIONS)
  const known = regionsIn(existsSync(file) ? readFileSync(file, 'utf8') : '', shards)
  const wanted = regionsAsked(asked, shards)
  for (const [shard, region] of known)
    if ((wanted.get(shard) ?? region) !== region) throw new Error(`Shard ${shard} is in ${region} and cannot move.`)
  const text = shardRegionsText(new Map([...known, ...wanted]))
  if (text === '') return []
  writeFileSync(file, `${text}\n`)
  return ['--var', `SHARD_REGIONS:${text}`]
}
