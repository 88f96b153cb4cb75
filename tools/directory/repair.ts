import { FIRST_SHARD, shardOf } from '../../src/core/shards.ts'

/** The directory of shard 00. `expires_at` null: confirmed. */
export interface Directory {
  addresses: { email: string; routing_id: string; user_id: string; expires_at: number | null }[]
  clients: { id: string; shard: string; expires_at: number | null }[]
  tenants: { id: string; shard: string }[]
}

/** The rows of one shard: its accounts with an address, its applications with an owner, its tenants. None is deleted. */
export interface Contents {
  shard: string
  accounts: Account[]
  clients: { id: string }[]
  tenants: { id: string }[]
}

export interface Account {
  id: string
  tenant_id: string
  routing_id: string
  email: string
}

/** The queries behind both. Each is read in pages: `key` is the column that orders it. */
export const DIRECTORY_QUERIES = {
  addresses: { key: 'email', sql: 'select email, routing_id, user_id, expires_at from directory where true' },
  clients: { key: 'id', sql: 'select id, shard, expires_at from client_directory where true' },
  tenants: { key: 'id', sql: 'select id, shard from tenant_directory where true' },
} as const
export const CONTENT_QUERIES = {
  accounts: {
    key: 'id',
    sql: 'select id, tenant_id, routing_id, email from users where email is not null and deleted_at is null',
  },
  clients: { key: 'id', sql: 'select id from oauth_clients where tenant_id is not null and deleted_at is null' },
  tenants: { key: 'id', sql: 'select id from tenants where true' },
} as const

/** The changes that bring the directory into step with the shards. */
export interface Repair {
  /** Accounts that the directory lacks. `instead`: the user, gone since, to whom it still leads. */
  enter: (Account & { instead: string | null })[]
  clients: { id: string; shard: string }[]
  tenants: { id: string; shard: string }[]
  /** By shard: users and applications that it no longer has, though the directory points to them. */
  released: Map<string, string[]>
  /** Conflicts that a person must decide, one line each. The repair changes none of them. */
  conflicts: string[]
}

/** Compares the directory with what every shard has. Entries that nobody has confirmed yet are left to the sweep. */
export function repairOf(directory: Directory, shards: readonly Contents[]): Repair {
  const repair: Repair = { enter: [], clients: [], tenants: [], released: new Map(), conflicts: [] }
  compareAddresses(repair, directory, shards)
  compareOwned(repair, 'application', directory.clients, shards, (one) => one.clients, repair.clients)
  compareOwned(repair, 'tenant', directory.tenants, shards, (one) => one.tenants, repair.tenants)
  const confirmed = directory.clients.filter((entry) => entry.expires_at === null)
  const there = new Set(shards.flatMap((one) => one.clients.map(({ id }) => id)))
  for (const { id, shard } of confirmed) if (!there.has(id)) release(repair, shard, id)
  return repair
}

function compareAddresses(repair: Repair, directory: Directory, shards: readonly Contents[]): void {
  const byEmail = Map.groupBy(
    shards.flatMap((one) => one.accounts.map((account) => ({ ...account, shard: one.shard }))),
    ({ email }) => email,
  )
  const users = new Map(shards.flatMap((one) => one.accounts.map((account) => [account.id, account])))
  const entries = new Map(directory.addresses.map((entry) => [entry.email, entry]))
  const entryOfUser = new Map(directory.addresses.map((entry) => [entry.user_id, entry]))
  for (const { user_id, routing_id, expires_at } of directory.addresses)
    if (expires_at === null && !users.has(user_id)) release(repair, shardOf(routing_id), user_id)
  for (const [email, accounts] of byEmail) {
    const entry = entries.get(email)
    const leads = entry ? `the directory points to ${entry.user_id}` : 'the directory has no entry'
    const [account, ...others] = accounts
    if (!account) continue
    if (others.length > 0) {
      const all = accounts.map((one) => `${one.id} of ${one.tenant_id} in shard ${one.shard}`).join(' and ')
      repair.conflicts.push(`${email} is the address of ${all}; ${leads}.`)
    } else if (shardOf(account.routing_id) !== account.shard)
      repair.conflicts.push(
        `${email} (${account.id}) is in shard ${account.shard}, but its routing id names a different shard.`,
      )
    else if (entry?.user_id === account.id) continue
    else if (entry && (entry.expires_at !== null || users.has(entry.user_id)))
      repair.conflicts.push(`${email} is the address of ${account.id} in shard ${account.shard}; ${leads}.`)
    else {
      const other = entryOfUser.get(account.id)
      if (other) repair.conflicts.push(`${account.id} has the address ${email}; the directory says ${other.email}.`)
      else repair.enter.push({ ...account, instead: entry?.user_id ?? null })
    }
  }
}

/** Ids that one shard has each: those that the directory lacks, and those for which it has another shard or user. */
function compareOwned(
  repair: Repair,
  what: string,
  known: readonly { id: string; shard: string }[],
  shards: readonly Contents[],
  ownOf: (one: Contents) => readonly { id: string }[],
  missing: { id: string; shard: string }[],
): void {
  const entries = new Map(known.map((entry) => [entry.id, entry.shard]))
  const byId = Map.groupBy(
    shards.flatMap((one) => ownOf(one).map(({ id }) => ({ id, shard: one.shard }))),
    ({ id }) => id,
  )
  for (const [id, places] of byId) {
    const [place, ...others] = places
    const says = entries.get(id)
    if (!place) continue
    if (others.length > 0 || (says !== undefined && says !== place.shard)) {
      const all = places.map(({ shard }) => shard).join(' and ')
      repair.conflicts.push(`The ${what} ${id} is in shard ${all}; the directory says ${says ?? 'nothing'}.`)
    } else if (says === undefined) missing.push(place)
  }
}

function release(repair: Repair, shard: string, id: string): void {
  repair.released.set(shard, [...(repair.released.get(shard) ?? []), id])
}

/** Rows of one statement. Each has some 150 bytes, and D1 takes statements of 100,000. */
const ROWS = 200

/**
 * The statements, without semicolons, for the database of each shard. A new entry counts as a reservation that has expired,
 * so the sweep looks at the account once more before it confirms; what is released goes by the sweep too. Safe to repeat.
 */
export function repairStatements(repair: Repair, now: number): Map<string, string[]> {
  const statements = new Map<string, string[]>()
  const add = (shard: string, rows: readonly unknown[], sqlOf: (json: string) => string): void => {
    for (let at = 0; at < rows.length; at += ROWS) {
      const json = JSON.stringify(rows.slice(at, at + ROWS)).replaceAll("'", "''")
      statements.set(shard, [...(statements.get(shard) ?? []), sqlOf(`json_each('${json}')`)])
    }
  }
  const replaced = repair.enter.filter(({ instead }) => instead !== null)
  add(
    FIRST_SHARD,
    replaced.map((one) => [one.email, one.instead]),
    (rows) => `delete from directory where (email, user_id) in (select value ->> 0, value ->> 1 from ${rows})`,
  )
  add(
    FIRST_SHARD,
    repair.enter.map((one) => [one.email, one.routing_id, one.id]),
    (rows) => `insert into directory (email, routing_id, user_id, expires_at)
      select value ->> 0, value ->> 1, value ->> 2, 0 from ${rows} where true on conflict (email) do nothing`,
  )
  add(
    FIRST_SHARD,
    repair.clients.map((one) => [one.id, one.shard]),
    (rows) => `insert into client_directory (id, shard, expires_at)
      select value ->> 0, value ->> 1, 0 from ${rows} where true on conflict (id) do nothing`,
  )
  add(
    FIRST_SHARD,
    repair.tenants.map((one) => [one.id, one.shard]),
    (rows) => `insert into tenant_directory (id, shard)
      select value ->> 0, value ->> 1 from ${rows} where true on conflict (id) do nothing`,
  )
  for (const [shard, ids] of repair.released)
    add(
      shard,
      ids,
      (rows) => `insert into directory_releases (id, created_at)
        select value, ${now} from ${rows} where true on conflict (id) do nothing`,
    )
  return statements
}
