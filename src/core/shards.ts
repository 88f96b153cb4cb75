/** Shards and the names of their databases. The service and the tools share it. */

/** The shard of the directory. Every deployment has it. */
export const FIRST_SHARD = '00'
/** Shards are `00` to `99`. */
export const MAX_SHARDS = 100

/** The shard that a routing id carries as its first two characters. */
export const shardOf = (routingId: string): string => routingId.slice(0, 2)

/** Connections that an invocation may have open at once (architecture §9), so databases that it asks together. */
export const DATABASES_AT_ONCE = 6

/** The kinds of database that each shard has, by the name of the binding in shard 00. */
export const DATABASE_KINDS = ['DB', 'AUDIT_DB'] as const
export type DatabaseKind = (typeof DATABASE_KINDS)[number]

/** The binding of the bucket that audit pages of all shards are moved to. A deployment may have none. */
export const AUDIT_BUCKET = 'AUDIT_BUCKET'

/** The name of a shard's binding: `DB`, `DB_01` … `DB_99`. */
export const bindingOf = (kind: DatabaseKind, shard: string): string =>
  shard === FIRST_SHARD ? kind : `${kind}_${shard}`

/** The first `count` shards: `00`, `01` … */
export const firstShards = (count: number): string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(2, '0'))

/** Whether a name is meant for the database of a shard, be it right or wrong. */
export const looksLikeDatabase = (name: string): boolean => /^(AUDIT_)?DB(_|$)/.test(name)

/**
 * The shards of a deployment by the names of its databases. A shard that is missing between others, one without its audit
 * database, or an unknown name is a fault, which is one line.
 */
export function shardsOf(names: readonly string[]): { shards: string[] } | { fault: string } {
  const numbers = { DB: new Set<string>(), AUDIT_DB: new Set<string>() }
  for (const name of names.toSorted()) {
    const [, kind, number = FIRST_SHARD] = /^((?:AUDIT_)?DB)(?:_(?!00)(\d\d))?$/.exec(name) ?? []
    if (kind !== 'DB' && kind !== 'AUDIT_DB')
      return {
        fault: `${name} is not the name of a database: the names are DB, DB_01 … DB_99 and AUDIT_DB, AUDIT_DB_01 … AUDIT_DB_99`,
      }
    numbers[kind].add(number)
  }
  const all = [...numbers.DB, ...numbers.AUDIT_DB].sort()
  const shards = firstShards(Math.max(1, Number(all.at(-1) ?? 0) + 1))
  for (const shard of shards)
    for (const kind of DATABASE_KINDS)
      if (!numbers[kind].has(shard))
        return {
          fault: `${bindingOf(kind, shard)} is not bound: shard ${all.at(-1) ?? FIRST_SHARD} needs every shard before it, and each shard needs both databases`,
        }
  return { shards }
}
