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
    db.prepare(`insert or ignore into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`).run(
      ...values,
    )
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

test('migration 0022: items that are indexed and have a name above ASCII are due, and no others', () => {
  const db = new DatabaseSync(':memory:')
  const files = readdirSync('migrations/main')
    .filter((name) => name.endsWith('.sql'))
    .sort()
  for (const name of files.filter((file) => file < '0022')) db.exec(readFileSync(`migrations/main/${name}`, 'utf8'))
  const plain = { custom_id: 'a ~', conversation_id: null, document_id: null, session_id: null, tags: '["a"]' }
  const names = Object.keys(plain)
  const items: [id: string, values: typeof plain][] = [
    ['plain', plain],
    ...names.map((name): [string, typeof plain] => [name, { ...plain, custom_id: name, [name]: '["e\u0301"]' }]),
  ]
  for (const [id, values] of items) {
    db.exec('pragma foreign_keys = off')
    db.prepare(
      `insert into memory_items (id, tenant_id, project_id, namespace, scope, text_hash, type, visibility, version, text_version,
         text_by, text_at, vector_version, write_id, next_attempt_at, created_by, updated_by, created_at, updated_at, metadata, text,
         indexed_by, indexed_version, custom_id, conversation_id, document_id, session_id, tags)
       values (?, 't', 'p', 'default', 'project', '', 'text/plain', 'project', 1, 1, 'u', 1, 1, 'w', 1, 'u', 'u', 1, 1, '{}', '', 2, 1,
         ?, ?, ?, ?, ?)`,
    ).run(id, values.custom_id, values.conversation_id, values.document_id, values.session_id, values.tags)
  }
  db.exec(readFileSync('migrations/main/0022_names_in_nfc.sql', 'utf8'))
  const due = db.prepare('select id from memory_items where indexed_version <> version order by row').all()
  expect(due.map(({ id }) => id)).toEqual(names)
})
