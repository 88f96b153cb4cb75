// The databases of further shards, in the configuration and in the account.
import type { Unstable_RawConfig } from 'wrangler'
import { bindingOf, DATABASE_KINDS, firstShards, FIRST_SHARD, MAX_SHARDS } from '../src/core/shards.ts'

type Databases = NonNullable<Unstable_RawConfig['d1_databases']>

/** The name of a shard's database: that of shard 00, and the shard. */
const nameIn = (first: string, shard: string): string => (shard === FIRST_SHARD ? first : `${first}-${shard}`)

const firstOf = (databases: Databases, kind: string) => databases.find(({ binding }) => binding === kind)

/** The databases of this many shards: those that exist, and for the others copies of shard 00's with a name of their own. */
export function databasesOfShards(databases: Databases, shards: number): Databases {
  const added = firstShards(shards).flatMap((shard) =>
    DATABASE_KINDS.flatMap((kind) => {
      const binding = bindingOf(kind, shard)
      const first = firstOf(databases, kind)
      if (!first || firstOf(databases, binding)) return []
      const { database_id: _id, ...rest } = first
      return [{ ...rest, binding, database_name: nameIn(first.database_name ?? kind, shard) }]
    }),
  )
  return [...databases, ...added]
}

/** The number of shards: by the databases of the account, and by the bindings of the configuration. */
export function countShards(databases: Databases, account: Iterable<string>): number {
  const names = new Set(account)
  const isThere = (shard: string): boolean =>
    DATABASE_KINDS.some((kind) => {
      const first = firstOf(databases, kind)
      return (
        (first && names.has(nameIn(first.database_name ?? kind, shard))) || firstOf(databases, bindingOf(kind, shard))
      )
    })
  return firstShards(MAX_SHARDS).findLastIndex(isThere) + 1 || 1
}

/** The shards that `--shards` asks for. Throws where it is no number of shards, or where it would take one away. */
export function shardsWanted(option: string | undefined, known: number): number {
  if (option === undefined) return known
  const wanted = /^\d{1,3}$/.test(option) ? Number(option) : 0
  if (wanted < 1 || wanted > MAX_SHARDS) throw new Error(`--shards must be a number from 1 to ${MAX_SHARDS}.`)
  if (wanted < known)
    throw new Error(
      `There are ${known} shards, and their tenants need them: --shards can only add more. To close some to new tenants, use CLOSED_SHARDS.`,
    )
  return wanted
}
