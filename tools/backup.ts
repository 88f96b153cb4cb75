// `npm run backup`: writes the databases of every shard, with the keyword index, as SQL files for `wrangler d1 execute --file`
// (docs/restore.md).
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { bindingOf, DATABASE_KINDS, firstShards, type DatabaseKind } from '../src/core/shards.ts'
import { idIn, withAccountDatabases, type AccountDatabase } from './account-databases.ts'
import { importStatements, tablesOf } from './backup/import-sql.ts'
import { loadDump, openLocal } from './backup/snapshot.ts'
import { sourceOf } from './blueprint.ts'
import { helpIfAsked } from './help.ts'
import { knownShards } from './local-shards.ts'
import { databasesOf } from './provision.ts'
import { countShards, databasesOfShards } from './shards.ts'
import { ROOT, runWrangler, wrangler, type Wrangler } from './wrangler.ts'

const HELP = `Writes the databases of every shard as SQL files. docs/restore.md explains how to restore them.

  npm run backup -- --output=backup

  --output=FOLDER       folder for the files (default: backup)
  --shard=01            only the databases of this shard
  --local               the databases of npm start
  --persist-to=FOLDER   folder of the data of npm start (default: .wrangler/state)`

/** A table that identifies the local file of a database. */
const HOLDS = { DB: 'memory_items', AUDIT_DB: 'audit_pages' } as const

interface Options {
  /** The folder for `DB.sql`, `AUDIT_DB.sql` and those of further shards. A file that exists is kept, and the backup fails. */
  output: string
  /** Of this shard alone. Default: of all. */
  shard?: string | undefined
  /** The folder of `wrangler dev --persist-to`; null: the deployed databases. */
  state: string | null
  by: Wrangler
}

/** A file that was written, and how many rows of each table it holds. */
interface Written {
  file: string
  rows: [table: string, rows: number][]
}

/** Writes a snapshot of each database. */
export async function backup({ output, state, shard: only, by }: Options): Promise<Written[]> {
  mkdirSync(output, { recursive: true })
  const scratch = mkdtempSync(join(tmpdir(), 'recollect-backup-'))
  const written: Written[] = []
  try {
    for (const { binding, kind, id } of await databases(state, only, by)) {
      const database =
        state === null ? await download({ binding, id }, join(scratch, binding), by) : openLocal(state, HOLDS[kind], id)
      const file = join(output, `${binding}.sql`)
      // Only the owner may read it: it contains the texts of all tenants.
      const to = createWriteStream(file, { flags: 'wx', mode: 0o600 })
      await pipeline(Readable.from(lines(database)), to)
      written.push({ file, rows: rowsIn(database) })
      database.close()
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return written
}

interface Source extends AccountDatabase {
  kind: DatabaseKind
}

/** The databases of the shards that there are, or of one of them. Throws where that one is not there. */
async function databases(state: string | null, only: string | undefined, by: Wrangler): Promise<Source[]> {
  const source = sourceOf(join(ROOT, 'wrangler.toml'), false)
  const own = (state === null ? source : source.env?.['local'])?.d1_databases ?? []
  const ids = state === null ? await databasesOf(by) : new Map<string, string>()
  const shards = state === null ? countShards(own, ids.keys()) : knownShards(state)
  const wanted = firstShards(shards).filter((shard) => only === undefined || shard === only)
  if (wanted.length === 0)
    throw new Error(`Shard ${only} does not exist. The shards are ${firstShards(shards).join(', ')}.`)
  const all = databasesOfShards(own, shards)
  return wanted.flatMap((shard) =>
    DATABASE_KINDS.map((kind): Source => {
      const binding = bindingOf(kind, shard)
      const one = all.find((database) => database.binding === binding)
      const { database_name: name = binding, database_id: local = binding } = one ?? {}
      return { binding, kind, id: state === null ? idIn(ids, name) : local }
    }),
  )
}

/**
 * Exports the deployed database in the format of the sqlite3 shell. D1's own format refuses the keyword index, and it
 * does not distinguish a line end in a text from a backslash followed by `n`.
 */
async function download(from: AccountDatabase, scratch: string, by: Wrangler): Promise<DatabaseSync> {
  const dump = `${scratch}.sql`
  const format = ['--compatibility=sqlite3_cli_only', `--output=${dump}`]
  await withAccountDatabases([from], (config) =>
    runWrangler(['d1', 'export', from.binding, '--remote', ...config, '--skip-confirmation', ...format], by),
  )
  return loadDump(dump, `${scratch}.sqlite`)
}

/** The tables that have rows, without those that migrations and triggers fill. */
const rowsIn = (database: DatabaseSync): Written['rows'] =>
  tablesOf(database).flatMap((table): Written['rows'] => {
    const rows = Number(database.prepare(`select count(*) as rows from "${table}"`).get()?.['rows'])
    return rows === 0 ? [] : [[table, rows]]
  })

/** The line of `npm run backup` about a file. */
export function summaryOf({ file, rows }: Written): string {
  const kilobytes = Math.ceil(statSync(file).size / 1_000)
  const held = rows.map(([table, count]) => `${count} ${table}`).join(', ')
  return `${relative(process.cwd(), file)}: ${kilobytes} kB; ${held || 'no rows'}`
}

/** The number of objects of the audit bucket that the files name. */
export const objectsIn = (written: readonly Written[]): number =>
  written
    .flatMap(({ rows }) => rows)
    .filter(([table]) => table === 'audit_objects')
    .reduce((sum, [, count]) => sum + count, 0)

function* lines(database: DatabaseSync): Generator<string> {
  for (const statement of importStatements(database)) yield `${statement};\n`
}

if (import.meta.main) {
  helpIfAsked(HELP)
  try {
    const { values } = parseArgs({
      options: {
        output: { type: 'string', default: 'backup' },
        local: { type: 'boolean', default: false },
        shard: { type: 'string' },
        'persist-to': { type: 'string', default: join(ROOT, '.wrangler/state') },
      },
    })
    const state = values.local ? resolve(values['persist-to']) : null
    const written = await backup({ output: resolve(values.output), state, shard: values.shard, by: wrangler })
    for (const one of written) console.log(summaryOf(one))
    const objects = objectsIn(written)
    if (objects > 0)
      console.log(
        `${objects} audit objects are only in the bucket, not in the backup: keep the bucket, or copy it (docs/restore.md).`,
      )
    console.log(
      'The secrets are not in the backup: without the same TOKEN_KEYS, PASSWORD_PEPPERS and DATA_KEYS, no one can sign in.',
    )
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
