import { createHash, createHmac } from 'node:crypto'
import { createReadStream, globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'

/**
 * Opens a snapshot of the local database with this table. `wrangler dev` may write to it meanwhile. Where several shards have
 * the table, the file is the one of this database.
 */
export function openLocal(state: string, table: string, id: string): DatabaseSync {
  const files = globSync(join(state, 'v3/d1/*/*.sqlite'))
  const found = files
    .map((file) => ({ file, database: openSnapshot(file) }))
    .filter(({ database }) => has(database, table) || database.close())
  const own = found.length === 1 ? found[0] : found.find(({ file }) => basename(file) === `${fileOf(id)}.sqlite`)
  for (const one of found) if (one !== own) one.database.close()
  if (!own)
    throw new Error(
      `${found.length} of the databases in ${state} have a table ${table}; exactly one is expected, or the one of ${id}.`,
    )
  return own.database
}

/** How workerd names the object of a name: the name by a key of the kind of object, and a sum over that. */
export function fileOf(id: string): string {
  const key = createHash('sha256').update('miniflare-D1DatabaseObject').digest()
  const hmac = (text: string | Buffer): Buffer => createHmac('sha256', key).update(text).digest().subarray(0, 16)
  const name = hmac(id)
  return Buffer.concat([name, hmac(name)]).toString('hex')
}

/** A writer locks the file for moments: when it closes the database, it folds the log into it. */
const LOCK_TIMEOUT_MS = 15_000

function openSnapshot(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: LOCK_TIMEOUT_MS })
  database.exec('begin')
  return database
}

const has = (database: DatabaseSync, table: string): boolean =>
  database.prepare(`select 1 from sqlite_schema where type = 'table' and name = ?`).get(table) !== undefined

/** The start of the statements that `loadDump` runs: tables and their rows. */
const WANTED = /^(?:CREATE TABLE|INSERT INTO) [`"]?(?!sqlite_|_cf_|memory_words)\w/

/**
 * Creates a database from a dump of the sqlite3 shell. It skips indexes and triggers, which a backup does not need, and
 * the keyword index, which is built anew.
 */
export async function loadDump(dump: string, path: string): Promise<DatabaseSync> {
  const database = new DatabaseSync(path)
  database.exec('pragma foreign_keys = off; pragma synchronous = off; begin')
  let complete = false
  for await (const statement of statementsOf(dump)) {
    if (WANTED.test(statement)) database.exec(statement)
    complete = statement === 'COMMIT;'
  }
  if (!complete) throw new Error(`${dump} is incomplete.`)
  database.exec('commit')
  return database
}

/** A statement ends at a line that ends with a semicolon outside of quotes. */
async function* statementsOf(dump: string): AsyncGenerator<string> {
  let statement = ''
  let quotes = 0
  for await (const line of createInterface({ input: createReadStream(dump), crlfDelay: Number.POSITIVE_INFINITY })) {
    statement += statement === '' ? line : `\n${line}`
    quotes += line.split("'").length - 1
    if (quotes % 2 === 1 || !line.endsWith(';')) continue
    yield statement
    statement = ''
    quotes = 0
  }
}
