import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Where a word is: `database` counts rows and blobs of tables, `files` the files that have its bytes anywhere. */
export interface Sightings {
  databases: number
  tables: Map<string, number>
  files: number
}

/** Looks for words in each row and blob of every database below a folder, and in the bytes of every file. */
export async function lookFor(folder: string, words: readonly string[]): Promise<Sightings> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const tables = new Map<string, number>()
  const databases = paths.filter((path) => path.endsWith('.sqlite'))
  for (const path of databases) {
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      for (const table of tablesOf(database)) {
        const rows = rowsWith(database, table, words)
        if (rows > 0) tables.set(table, (tables.get(table) ?? 0) + rows)
      }
    } finally {
      database.close()
    }
  }
  let files = 0
  for (const path of paths) {
    const bytes = await readFile(path)
    if (words.some((word) => bytes.includes(word))) files += 1
  }
  return { databases: databases.length, tables, files }
}

const tablesOf = (database: DatabaseSync): string[] =>
  database
    .prepare(`select name from sqlite_master where type = 'table' and sql not like '%fts5vocab%'`)
    .all()
    .map(({ name }) => String(name))

function rowsWith(database: DatabaseSync, table: string, words: readonly string[]): number {
  const columns = database.prepare('select name from pragma_table_info(?)').all(table)
  const holds = columns.map(({ name }) => `instr(cast(x."${String(name)}" as blob), cast(k.value as blob)) > 0`)
  const row = database
    .prepare(
      `select count(*) as rows from "${table}" x where exists (select 1 from json_each(?) k where ${holds.join(' or ')})`,
    )
    .get(JSON.stringify(words))
  return Number(row?.['rows'] ?? 0)
}
