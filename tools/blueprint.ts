// The parts of a deployment: wrangler.toml as data, with other names for staging, and with the ids of the account.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  experimental_readRawConfig,
  unstable_readConfig,
  type Unstable_Config,
  type Unstable_RawConfig,
} from 'wrangler'
import { EMBEDDED_DIMENSION } from '../src/backends/embedded/dimension.ts'
import { embedderChoice, readSettings } from '../src/settings/index.ts'
import type { Blueprint } from './provision.ts'
import { ROOT } from './wrangler.ts'

/** The configuration with the account's database ids. Each deployment writes it; it is never committed. */
export const CONFIG = 'wrangler.deploy.json'

/** The configuration of `file`, as it is written there; for staging with other names of everything that is made, and no domain. */
export function sourceOf(file: string, staging: boolean): Unstable_RawConfig {
  const { rawConfig } = experimental_readRawConfig({ config: file })
  return staging && rawConfig.name !== undefined ? renamed(rawConfig, rawConfig.name) : rawConfig
}

/** A name that begins with the Worker's keeps what follows it. Any other one gets the suffix too, so nothing is shared with production. */
function renamed(source: Unstable_RawConfig, worker: string): Unstable_RawConfig {
  const other = (name: string): string =>
    name === worker || name.startsWith(`${worker}-`)
      ? `${worker}-staging${name.slice(worker.length)}`
      : `${name}-staging`
  const {
    routes: _routes,
    route: _route,
    vars: { PUBLIC_ORIGIN: _origin, PUBLIC_HOSTS: _hosts, SHARD_REGIONS: _regions, ...vars } = {},
    ...rest
  } = source
  return {
    ...rest,
    name: other(worker),
    workers_dev: true,
    vars,
    d1_databases: (source.d1_databases ?? []).map(({ database_id: _id, ...one }) => ({
      ...one,
      database_name: other(one.database_name ?? one.binding),
    })),
    vectorize: (source.vectorize ?? []).map((one) => ({ ...one, index_name: other(one.index_name) })),
    ...(source.r2_buckets
      ? { r2_buckets: source.r2_buckets.map((one) => ({ ...one, bucket_name: other(one.bucket_name ?? one.binding) })) }
      : {}),
    queues: {
      producers: (source.queues?.producers ?? []).map((one) => ({ ...one, queue: other(one.queue ?? one.binding) })),
      consumers: (source.queues?.consumers ?? []).map((one) => ({
        ...one,
        queue: other(one.queue),
        ...(one.dead_letter_queue ? { dead_letter_queue: other(one.dead_letter_queue) } : {}),
      })),
    },
  }
}

export function blueprintOf(source: Unstable_RawConfig): Blueprint {
  const config = readConfig(source)
  const consumers = config.queues.consumers ?? []
  const [index] = config.vectorize
  if (config.name === undefined || !index) throw new Error('The configuration lacks a name or a vector index.')
  return {
    worker: config.name,
    vars: config.vars,
    hosts: hostsOf(config),
    domains: domainsOf(config),
    databases: config.d1_databases.map(({ binding, database_name: name = binding }) => ({ binding, name })),
    queues: [
      ...new Set(consumers.flatMap((c) => [c.queue, ...(c.dead_letter_queue ? [c.dead_letter_queue] : [])])),
    ].sort(),
    index: { name: index.index_name, dimensions: dimensionOf(config) },
  }
}

/** Writes the configuration of this account: with the ids of its databases, and the index that is used. */
export function writeConfig(source: Unstable_RawConfig, file: string, index: string, ids: Map<string, string>): void {
  const written = {
    ...source,
    d1_databases: (source.d1_databases ?? []).map((one) => {
      const name = one.database_name ?? one.binding
      const id = ids.get(name)
      if (id === undefined) throw new Error(`The database ${name} was not created.`)
      return { ...one, database_id: id }
    }),
    vectorize: (source.vectorize ?? []).map((one) => ({ ...one, index_name: index })),
  }
  writeFileSync(join(ROOT, file), `${JSON.stringify(written, null, 2)}\n`)
}

/** wrangler reads a configuration from a file alone. Beside wrangler.toml its relative paths are the same. */
function readConfig(source: Unstable_RawConfig): Unstable_Config {
  const file = join(ROOT, `.wrangler.${process.pid}.json`)
  writeFileSync(file, JSON.stringify(source))
  try {
    return unstable_readConfig({ config: file })
  } finally {
    rmSync(file)
  }
}

/** The dimension of the embedding model. An index keeps it for life, so it must be known before the index is made. */
function dimensionOf({ vars, ai }: Unstable_Config): number {
  const { choice, faults } = embedderChoice(readSettings('Worker', vars).values, ai !== undefined)
  if (faults.length > 0) throw new Error(`${faults.join('; ')}.`)
  if (choice.kind === 'embedded') return EMBEDDED_DIMENSION
  const name = choice.kind === 'url' ? 'EMBEDDINGS_DIMENSION' : 'WORKERS_AI_DIMENSION'
  if (choice.dimension === null)
    throw new Error(`${name} is missing: the vector index needs the dimension of ${choice.model}.`)
  return choice.dimension
}

/** The hosts that are known before the first deployment; the address under workers.dev is not. */
function hostsOf(config: Unstable_Config): string[] {
  const named = config.vars['PUBLIC_HOSTS']
  return [...(typeof named === 'string' ? named.split(/[\s,]+/).filter(Boolean) : []), ...domainsOf(config)]
}

const domainsOf = ({ routes = [] }: Unstable_Config): string[] =>
  routes.flatMap((route) => (typeof route === 'object' && route.custom_domain ? [route.pattern] : []))
