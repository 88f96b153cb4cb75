import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { backup, summaryOf } from '../../tools/backup.ts'
import { importStatements } from '../../tools/backup/import-sql.ts'
import { ROOT, type Wrangler } from '../../tools/wrangler.ts'
import { idNamedBy } from './wrangler-stand-in.ts'

/** Recorded from `sqlite3 .dump`, the format of `d1 export --compatibility=sqlite3_cli_only`. */
const DUMP = readFileSync(join(ROOT, 'test/tools/recordings/sqlite3-dump.sql'), 'utf8')
/** The same without the keyword index: only the sqlite3 shell may write it to the schema table. */
const TABLES = DUMP.split('\n')
  .filter((line) => !/sqlite_schema|writable_schema|memory_words/.test(line))
  .join('\n')
const MAX_D1_STATEMENT_BYTES = 100_000

let output: string
beforeEach(() => (output = mkdtempSync(join(tmpdir(), 'recollect-backup-tool-'))))
afterEach(() => rmSync(output, { recursive: true, force: true }))

const FIRST_SHARD = ['recollect', 'recollect-audit']

/** A stand-in for wrangler that answers each export with a dump. It records the commands, and the database that each one names. */
function exporter(dump: string, names = FIRST_SHARD): { by: Wrangler; calls: string[]; exported: unknown[] } {
  const calls: string[] = []
  const exported: unknown[] = []
  const by: Wrangler = (args) => {
    if (args[1] === 'list') {
      const listed = names.map((name) => ({ name, uuid: `uuid-of-${name}` }))
      return Promise.resolve({ code: 0, stdout: JSON.stringify(listed), stderr: '' })
    }
    exported.push(idNamedBy(args))
    const config = args.indexOf('--config')
    calls.push(
      args
        .toSpliced(config, 2)
        .filter((arg) => !arg.startsWith('--output='))
        .join(' '),
    )
    writeFileSync(args.find((arg) => arg.startsWith('--output='))?.slice('--output='.length) ?? '', dump)
    return Promise.resolve({ code: 0, stdout: '', stderr: '' })
  }
  return { by, calls, exported }
}

/** The columns that a migrated database has besides those of the dump, and what its triggers keep. */
const PRESENT = `
  alter table memory_items add namespace text default 'default';
  alter table memory_items add visibility text default 'project';
  alter table memory_items add created_by text default 'usr_1';
  alter table memory_items add word_count integer;
  alter table memory_items add indexed_by integer;
  alter table memory_items add indexed_version integer;
  create table memory_classes (project_id text, namespace text, reader text, name text);
  insert into memory_classes values ('prj_1', 'default', '', '00000a')`

/** A database with the tables of the dump, filled from a file. */
function restored(file: string): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec(TABLES)
  database.exec('delete from memory_items; delete from projects; delete from project_words')
  database.exec(PRESENT)
  database.exec("create virtual table memory_words using fts5(words, detail='none', tokenize='ascii')")
  database.exec(`begin; ${readFileSync(file, 'utf8')}; commit`)
  return database
}

test('deployed databases are exported by wrangler, and come back with their texts, words and counts', async () => {
  const { by, calls, exported } = exporter(DUMP)
  const [written] = await backup({ output, state: null, by })
  if (!written) throw new Error('nothing was written')
  const { file } = written
  expect(summaryOf(written)).toMatch(/DB\.sql: \d+ kB; .*\d+ memory_items/)
  expect(calls).toEqual([
    'd1 export DB --remote --skip-confirmation --compatibility=sqlite3_cli_only',
    'd1 export AUDIT_DB --remote --skip-confirmation --compatibility=sqlite3_cli_only',
  ])
  // Not the placeholders of wrangler.toml.
  expect(exported).toEqual(['uuid-of-recollect', 'uuid-of-recollect-audit'])
  const database = restored(file)
  expect(
    database.prepare('select row, embedding_status, embedding_model, deleted_at, text from memory_items').all(),
  ).toEqual([
    {
      row: 1,
      embedding_status: 'pending',
      embedding_model: null,
      deleted_at: null,
      text: "The quick fox.\nIt's written out: \\n; a line that ends so;\n\rCREATE TABLE x (y);",
    },
    { row: 2, embedding_status: 'completed', embedding_model: 'model', deleted_at: 9, text: 'A tombstone.' },
  ])
  expect(database.prepare('select rowid, words from memory_words').all()).toEqual([
    { rowid: 1, words: expect.stringContaining(' 12yfox·00000a') },
  ])
  expect(database.prepare('select * from project_words').all()).toEqual([{ project_id: 'prj_1', items: 1 }])
})

test('the words of a date come back with those of the text, and a generated column is made anew', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(TABLES)
  database.exec('alter table memory_items add occurred_at integer')
  database.exec(
    'alter table memory_items add occurrence integer generated always as (coalesce(occurred_at, 7)) virtual',
  )
  const at = Date.parse('2023-05-08T13:56:00Z')
  database.prepare("update memory_items set text = 'We met in May.', occurred_at = ? where row = 1").run(at)
  const statements = [...importStatements(database)]
  expect(statements.filter((statement) => statement.includes('occurrence'))).toEqual([])
  const words = statements.find((statement) => statement.startsWith('insert into memory_words')) ?? ''
  expect(words).toMatch(/ may·257 2023·257 05·257 5·257 08·257 8·257'/)
})

test('an item of a backup whose names are not in NFC is due, so that the service names it', () => {
  const indexedBy = (customId: string): string => {
    const database = new DatabaseSync(':memory:')
    database.exec(TABLES)
    database.exec('alter table memory_items add custom_id text; alter table memory_items add version integer default 3')
    database.prepare('update memory_items set custom_id = ? where row = 1').run(customId)
    const insert = [...importStatements(database)].find((statement) => statement.includes(customId)) ?? ''
    const [, columns = '', values = ''] = /\((.*)\) values \((.*)\)$/s.exec(insert) ?? []
    const at = columns.split(', ').length - columns.split(', ').indexOf('"indexed_version"')
    return values.split(', ').at(-at) ?? ''
  }
  expect([indexedBy('caf\u00E9'), indexedBy('cafe\u0301')]).toEqual(['3', '0'])
})

test('a dump that is incomplete is no backup, and an older backup is not overwritten', async () => {
  await expect(backup({ output, state: null, by: exporter(DUMP.slice(0, -20)).by })).rejects.toThrow('is incomplete')
  rmSync(join(output, 'DB.sql'), { force: true })
  await backup({ output, state: null, by: exporter(DUMP).by })
  await expect(backup({ output, state: null, by: exporter(DUMP).by })).rejects.toThrow('EEXIST')
})

test('no statement is longer than D1 takes, and no character is cut in two', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(TABLES)
  // An emoji crosses every boundary between parts, whether odd or even.
  const text = `'${'😀図é'.repeat(40_000)}'`
  database.prepare('update memory_items set text = ? where row = 1').run(text)
  const statements = [...importStatements(database)]
  const longest = Math.max(...statements.map((statement) => Buffer.byteLength(statement)))
  expect(longest).toBeLessThanOrEqual(MAX_D1_STATEMENT_BYTES)
  const file = join(output, 'DB.sql')
  writeFileSync(file, statements.map((statement) => `${statement};\n`).join(''))
  expect(restored(file).prepare('select text from memory_items where row = 1').get()).toEqual({ text })
})

test('a local state that holds no such database is refused', async () => {
  await expect(backup({ output, state: output, by: exporter(DUMP).by })).rejects.toThrow('exactly one is expected')
})

test('the databases of every shard are exported, or those of one', async () => {
  const names = ['recollect', 'recollect-audit', 'recollect-01', 'recollect-audit-01']
  const all = exporter(DUMP, names)
  const written = await backup({ output, state: null, by: all.by })
  expect(written.map(({ file }) => file.slice(output.length + 1))).toEqual([
    'DB.sql',
    'AUDIT_DB.sql',
    'DB_01.sql',
    'AUDIT_DB_01.sql',
  ])
  expect(all.exported).toEqual(names.map((name) => `uuid-of-${name}`))
  const one = exporter(DUMP, names)
  const alone = join(output, 'alone')
  expect(await backup({ output: alone, state: null, shard: '01', by: one.by })).toHaveLength(2)
  expect(one.exported).toEqual(['uuid-of-recollect-01', 'uuid-of-recollect-audit-01'])
  const none = backup({ output: alone, state: null, shard: '07', by: one.by })
  await expect(none).rejects.toThrow('Shard 07 does not exist. The shards are 00, 01.')
})

test('a database that the account lacks is named before anything is exported', async () => {
  const { by, calls } = exporter(DUMP, ['recollect'])
  await expect(backup({ output, state: null, by })).rejects.toThrow('The account has no database recollect-audit.')
  expect(calls).toEqual([])
})

test('without a login the backup says so, and not what wrangler says', async () => {
  const stderr = "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable"
  const work = backup({ output, state: null, by: () => Promise.resolve({ code: 1, stdout: '', stderr }) })
  await expect(work).rejects.toThrow('You are not logged in: run `npx wrangler login` first.')
})
