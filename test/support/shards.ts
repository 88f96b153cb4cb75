import type { ShardRegions } from '../../src/core/regions.ts'
import { readSettings } from '../../src/settings/index.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { System } from '../../src/core/context.ts'
import type { Database } from '../../src/core/database/database.ts'
import worker from '../../src/index.ts'
import { isJson, system, textOf } from './world.ts'

export const SHARDS = ['00', '01', '02'] as const

/** The system with other databases for some shards; a missing one stays as it is. */
export const withDatabases = (databases: Partial<Record<string, Database>>, changes: Partial<System> = {}): System => ({
  ...system,
  ...changes,
  database: (shard) => databases[shard] ?? system.database(shard),
})

/** Sign-ups go to this shard alone. */
export const openIn = (shard: string): Pick<System, 'config'> => ({
  config: { ...system.config, closedShards: system.shards.filter((one) => one !== shard) },
})

/** How often each shard is asked. */
export function counting(on = system) {
  const asked: Record<string, number> = {}
  const database: typeof system.database = (shard) => {
    asked[shard] = (asked[shard] ?? 0) + 1
    return on.database(shard)
  }
  return { system: { ...on, database }, asked }
}

const lost = () => Promise.reject(new Error('D1_ERROR: Network connection lost.'))
const lostStatement = { bind: () => lostStatement, all: lost, first: lost, run: lost, raw: lost }

/** A database that does not answer. */
export const DOWN = { prepare: () => lostStatement, batch: lost }

/** One request through the whole Worker with other bindings. The objects keep their own. */
export async function callWith(bindings: object, path: string, init: RequestInit<IncomingRequestCfProperties> = {}) {
  const request = new Request<unknown, IncomingRequestCfProperties>(`http://recollect.test${path}`, init)
  const response = await worker.fetch(request, { ...env, ...bindings }, createExecutionContext())
  const text = await textOf(response)
  const body = isJson(response) ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, text, body }
}

/** The regions that a text of `SHARD_REGIONS` gives shards. */
export const regionsIn = (text: string): ShardRegions =>
  readSettings('Worker', { SHARD_REGIONS: text }, SHARDS).values.SHARD_REGIONS
