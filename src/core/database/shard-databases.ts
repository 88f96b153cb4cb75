import { unavailable } from '../errors.ts'
import { Misconfigured } from '../misconfigured.ts'
import { bindingOf, looksLikeDatabase, shardsOf, type DatabaseKind } from '../shards.ts'
import { Database } from './database.ts'

/** The databases of every shard, by name from the environment. */
export interface ShardDatabases {
  readonly shards: readonly string[]
  /** Throws `dependency_unavailable` for a shard that is not bound here. */
  of(kind: DatabaseKind, shard: string): Database
}

/** Finds the databases of all shards. Throws `Misconfigured` where one is missing or has an unknown name. */
export function shardDatabases(env: object): ShardDatabases {
  const names = Object.keys(env).filter((name) => {
    const value: unknown = Reflect.get(env, name)
    return typeof value === 'object' && value !== null && (looksLikeDatabase(name) || isD1(value))
  })
  const found = shardsOf(names)
  if ('fault' in found) throw new Misconfigured(found.fault)
  const bound = new Map<string, Database>()
  return {
    shards: found.shards,
    of(kind, shard) {
      const name = bindingOf(kind, shard)
      const database = bound.get(name) ?? boundDatabase(env, kind, shard)
      bound.set(name, database)
      return database
    },
  }
}

/** The database of one shard. Throws `dependency_unavailable` where it is not bound. */
export function boundDatabase(env: object, kind: DatabaseKind, shard: string): Database {
  const d1: unknown = Reflect.get(env, bindingOf(kind, shard))
  if (!isDatabase(d1)) throw unavailable(`The database of shard ${shard}`)
  return new Database(d1, shard)
}

/** A service binding has every method that is asked for, so the class alone tells. */
const isD1 = (value: object): boolean => value.constructor.name === 'D1Database'

const isDatabase = (value: unknown): value is D1Database =>
  typeof value === 'object' && value !== null && 'prepare' in value && typeof value.prepare === 'function'
