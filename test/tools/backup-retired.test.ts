import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { NEVER_ERASED } from '../../src/memory/table.ts'
import { importStatements } from '../../tools/backup/import-sql.ts'

const FOLDER = 'migrations/main'

function migrated(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'))
  for (const name of files.toSorted()) database.exec(readFileSync(`${FOLDER}/${name}`, 'utf8'))
  database.exec('pragma foreign_keys = off')
  return database
}

/** A row with a value in each column that needs one. */
function insert(database: DatabaseSync, table: string, values: Record<string, string | number | null>): void {
  const needed = database
    .prepare(
      `select name, type from pragma_table_info('${table}') where "notnull" = 1 and dflt_value is null and pk = 0`,
    )
    .all()
  const row = {
    ...Object.fromEntries(needed.map(({ name, type }) => [String(name), /int/i.test(String(type)) ? 1 : '[]'])),
    ...values,
  }
  const names = Object.keys(row)
  database
    .prepare(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`)
    .run(...Object.values(row))
}

const ITEM = {
  project_id: 'prj_1',
  namespace: 'default',
  visibility: 'project',
  created_by: 'usr_1',
  metadata: '{}',
  embedding_status: 'completed',
  embedded_version: 1,
}
const RETIRED = {
  deleted_at: 5,
  retired_at: 5,
  retired_reason: 'moved',
  superseded_by: 'mem_new',
  vectors_purged_at: NEVER_ERASED,
}

test('a backup brings retired items back as retired: counted, without words, and not to be embedded', () => {
  const source = migrated()
  insert(source, 'projects', { id: 'prj_1' })
  insert(source, 'memory_items', { ...ITEM, id: 'mem_new', text: 'The office is in Porto.' })
  insert(source, 'memory_items', {
    ...ITEM,
    ...RETIRED,
    id: 'mem_old',
    text: 'The office is in Lisbon.',
    custom_id: 'o',
  })
  const database = migrated()
  for (const statement of importStatements(source)) database.exec(statement)
  const columns = 'retired_at, retired_reason, superseded_by, vectors_purged_at, custom_id, text'
  expect(database.prepare(`select ${columns} from memory_items where id = 'mem_old'`).get()).toEqual({
    retired_at: 5,
    retired_reason: 'moved',
    superseded_by: 'mem_new',
    vectors_purged_at: NEVER_ERASED,
    custom_id: 'o',
    text: 'The office is in Lisbon.',
  })
  expect(database.prepare('select items, retired from project_words').all()).toEqual([{ items: 1, retired: 1 }])
  expect(database.prepare('select items from memory_classes').all()).toEqual([{ items: 1 }])
  expect(database.prepare('select rowid from memory_words').all()).toEqual([{ rowid: 1 }])
  expect(database.prepare("select id from memory_items where embedding_status = 'pending'").all()).toEqual([
    { id: 'mem_new' },
  ])
})
