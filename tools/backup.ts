// `npm run backup -- --output=backup`: writes both databases, with the keyword index, as SQL files for
// `wrangler d1 execute --file` (docs/operations.md). `--local [--persist-to=…]` backs up the data of `npm start`.
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { importStatements } from './backup/import-sql.ts'
import { loadDump, openLocal } from './backup/snapshot.ts'
import { ROOT, runWrangler, wrangler, type Wrangler } from './wrangler.ts'

/** The production databases of wrangler.toml, each with a table that identifies its local file. */
const DATABASES = [
  { binding: 'DB', name: 'recollect', holds: 'memory_items' },
  { binding: 'AUDIT_DB', name: 'recollect-audit', holds: 'audit_pages' },
] as const

interface Options {
  /** The folder for `DB.sql` and `AUDIT_DB.sql`. If a file exists already, it is kept and the backup fails. */
  output: string
  /** The folder of `wrangler dev --persist-to`; null: the deployed databases. */
  state: string | null
  by: Wrangler
}

/** Writes a snapshot of each database. Returns the paths of the files. */
export async function backup({ output, state, by }: Options): Promise<string[]> {
  mkdirSync(output, { recursive: true })
  const scratch = mkdtempSync(join(tmpdir(), 'recollect-backup-'))
  const written: string[] = []
  try {
    for (const { binding, name, holds } of DATABASES) {
      const database = state === null ? await download(name, join(scratch, binding), by) : openLocal(state, holds)
      const file = join(output, `${binding}.sql`)
      // Only the owner may read it: it contains the texts of all tenants.
      const to = createWriteStream(file, { flags: 'wx', mode: 0o600 })
      await pipeline(Readable.from(lines(database)), to)
      database.close()
      written.push(file)
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return written
}

/**
 * Exports the deployed database in the format of the sqlite3 shell. D1's own format refuses the keyword index, and it
 * does not distinguish a line end in a text from a backslash followed by `n`.
 */
async function download(name: string, scratch: string, by: Wrangler): Promise<DatabaseSync> {
  const dump = `${scratch}.sql`
  const format = ['--compatibility=sqlite3_cli_only', `--output=${dump}`]
  await runWrangler(['d1', 'export', name, '--remote', '--skip-confirmation', ...format], by)
  return loadDump(dump, `${scratch}.sqlite`)
}

function* lines(database: DatabaseSync): Generator<string> {
  for (const statement of importStatements(database)) yield `${statement};\n`
}

if (import.meta.main) {
  try {
    const { values } = parseArgs({
      options: {
        output: { type: 'string', default: 'backup' },
        local: { type: 'boolean', default: false },
        'persist-to': { type: 'string', default: join(ROOT, '.wrangler/state') },
      },
    })
    const state = values.local ? resolve(values['persist-to']) : null
    for (const file of await backup({ output: resolve(values.output), state, by: wrangler })) console.log(file)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
