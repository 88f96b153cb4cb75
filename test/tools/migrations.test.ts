import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'

interface Column {
  name: string
  type: string
}

/** Ordinary tables; those of the keyword index hold nothing else than the index. */
const TABLES = `select name from pragma_table_list
  where schema = 'main' and type = 'table' and name not like 'sqlite_%' and name not like 'memory_words%' order by name`

const tablesOf = (db: DatabaseSync): string[] =>
  db
    .prepare(TABLES)
    .all()
    .map(({ name }) => String(name))

/** A row in each table, with a value in each column: numbers where numbers are wanted, else a JSON text. */
function fill(db: DatabaseSync): void {
  db.exec('pragma foreign_keys = off')
  for (const table of tablesOf(db)) {
    const columns = db.prepare('select name, type from pragma_table_info(?)').all(table) as unknown as Column[]
    const values = columns.map(({ type }) => (/int|real|num/i.test(type) ? 1 : '{}'))
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    db.prepare(`insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`).run(...values)
  }
}

describe.each(['main', 'audit'])('migrations of the %s database', (kind) => {
  const folder = `migrations/${kind}`
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  const run = (db: DatabaseSync, names: readonly string[]): void => {
    for (const name of names) db.exec(readFileSync(`${folder}/${name}`, 'utf8'))
  }

  test.each(files.slice(0, -1).map((name, at) => [name, at + 1] as const))(
    'a database as of %s that holds rows takes all later ones, and keeps its rows',
    (_, applied) => {
      const db = new DatabaseSync(':memory:')
      run(db, files.slice(0, applied))
      fill(db)
      const before = tablesOf(db)
      run(db, files.slice(applied))
      for (const table of before)
        expect(db.prepare(`select count(*) as n from "${table}"`).get(), table).toEqual({ n: 1 })
      expect(db.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    },
  )
})
