// `npm run backup -- --output=backup`: both databases as SQL files that `wrangler d1 execute --file` takes, the word
// index with them (docs/operations.md). `--local [--persist-to=…]` reads what `npm start` keeps instead of production.
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

/** The production databases of wrangler.toml, each with a table by which its local file is known. */
const DATABASES = [
  { binding: 'DB', name: 'recollect', holds: 'memory_items' },
  { binding: 'AUDIT_DB', name: 'recollect-audit', holds: 'audit_pages' },
] as const

interface Options {
  /** A folder for `DB.sql` and `AUDIT_DB.sql`; files that are there are kept, and the backup fails. */
  output: string
  /** The folder of `wrangler dev --persist-to`; null: the deployed databases. */
  state: string | null
  by: Wrangler
}

/** Each database as it was at one instant. Answers the paths of the files. */
export async function backup({ output, state, by }: Options): Promise<string[]> {
  mkdirSync(output, { recursive: true })
  const scratch = mkdtempSync(join(tmpdir(), 'recollect-backup-'))
  const written: string[] = []
  try {
    for (const { binding, name, holds } of DATABASES) {
      const database = state === null ? await download(name, join(scratch, binding), by) : openLocal(state, holds)
      const file = join(output, `${binding}.sql`)
      // It holds everybody's texts.
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
 * The deployed database in the format of the sqlite3 shell: D1's own format refuses the keyword index, and mixes up a
 * text's line ends with a backslash and an `n` in it.
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
