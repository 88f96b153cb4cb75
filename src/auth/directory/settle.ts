import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import type { Sql } from '../../core/database/sql.ts'
import { directoryDatabase } from './accounts.ts'

/** Gives up the reservation of each id that no row of the shard uses. A later commit of such an id fails. */
const GIVE_UP = (uses: string): string => `
  insert into spent_reservations (id, created_at)
  select j.value, :now from json_each(:ids) j where not exists (${uses}) on conflict (id) do nothing`

interface AccountRow {
  routing_id: string
  tenant_id: string
}

/**
 * Settles reservations of addresses, by routing id: it confirms those whose account the shard has, and erases the others.
 * Answers the routing ids of the accounts that are there.
 */
export async function settleAddresses(system: System, shard: string, routingIds: readonly string[]): Promise<string[]> {
  const ids = JSON.stringify(routingIds)
  const db = system.database(shard)
  const [, accounts] = await db.batch<[never, AccountRow]>([
    db.statement(GIVE_UP('select 1 from users u where u.routing_id = j.value'), { ids, now: system.now() }),
    db.statement(
      `select routing_id, tenant_id from users
       where routing_id in (select value from json_each(:ids)) and deleted_at is null`,
      { ids },
    ),
  ])
  const there = JSON.stringify(accounts.map((account) => account.routing_id))
  await confirm(directoryDatabase(system), 'directory', 'routing_id', ids, there, {
    sql: `insert into tenant_directory (id, shard)
          select value, :shard from json_each(:tenants) where true on conflict (id) do nothing`,
    params: { tenants: JSON.stringify([...new Set(accounts.map((account) => account.tenant_id))]), shard },
  })
  return accounts.map((account) => account.routing_id)
}

/** The same for reservations of client ids. */
export async function settleClients(system: System, shard: string, clientIds: readonly string[]): Promise<void> {
  const ids = JSON.stringify(clientIds)
  const db = system.database(shard)
  const [, clients] = await db.batch<[never, { id: string }]>([
    db.statement(GIVE_UP('select 1 from oauth_clients c where c.id = j.value'), { ids, now: system.now() }),
    db.statement(
      'select id from oauth_clients where id in (select value from json_each(:ids)) and deleted_at is null',
      { ids },
    ),
  ])
  await confirm(directoryDatabase(system), 'client_directory', 'id', ids, JSON.stringify(clients.map(({ id }) => id)))
}

/** Confirms the entries that are `there`, and erases the others of `all` while nobody has confirmed them. */
async function confirm(
  directory: Database,
  table: 'directory' | 'client_directory',
  column: string,
  all: string,
  there: string,
  more?: Sql,
): Promise<void> {
  const isOne = `${column} in (select value from json_each(:ids))`
  await directory.batch([
    directory.statement(`update ${table} set expires_at = null where expires_at is not null and ${isOne}`, {
      ids: there,
    }),
    directory.statement(`delete from ${table} where expires_at is not null and ${isOne}`, { ids: all }),
    ...(more ? [directory.statement(more.sql, more.params)] : []),
  ])
}
