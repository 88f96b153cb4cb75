// `npm run restore`: puts the files of `npm run backup` into new databases on this machine (docs/restore.md).
import { existsSync, globSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bindingsOf, addShards, configArguments } from './local-shards.ts'
import { helpIfAsked } from './help.ts'
import { applyMigrations, withLocalDatabases } from './local-databases.ts'
import { lockState } from './state-lock.ts'
import { ROOT, runWrangler, wrangler, type Wrangler } from './wrangler.ts'

const HELP = `Puts the files of "npm run backup" into new databases on this machine, one for each shard. docs/restore.md explains it.

  npm run restore -- --persist-to=restored

  --input=FOLDER        folder with the files (default: backup)
  --persist-to=FOLDER   new folder for the data (default: restored); "npm start" takes it with the same option`

interface Options {
  /** The folder with `DB.sql`, `AUDIT_DB.sql` and those of further shards. */
  input: string
  /** The folder of `npm start -- --persist-to`. Throws where it has databases. */
  state: string
  by: Wrangler
  say: (line: string) => void
}

/** Makes, migrates and fills the databases of each shard that has files. */
export async function restore({ input, state, by, say }: Options): Promise<void> {
  const shards = shardsOf(input)
  if (globSync(join(state, 'v3/d1/**/*.sqlite')).length > 0)
    throw new Error(
      `${state} has databases already: choose a new folder, because a backup is restored into empty ones.`,
    )
  const lock = lockState(state)
  const config = configArguments(state, shards)
  try {
    addShards(state, String(shards))
    const where = ['--local', ...config, `--persist-to=${state}`]
    await withLocalDatabases(config, state, (databases) => Promise.all(databases.map(applyMigrations)))
    for (const binding of bindingsOf(shards)) {
      await runWrangler(['d1', 'execute', binding, ...where, '--yes', `--file=${fileOf(input, binding)}`], by)
      say(`${binding} is restored.`)
    }
  } finally {
    lock.close()
    if (config[0] === '--config') rmSync(join(ROOT, config[1] ?? ''), { force: true })
  }
}

const fileOf = (input: string, binding: string): string => join(input, `${binding}.sql`)

/** The number of shards that a backup has. Throws where a file is missing between them. */
function shardsOf(input: string): number {
  const files = globSync('*.sql', { cwd: input })
  const shards = Math.max(1, Math.ceil(files.filter((name) => /^(AUDIT_)?DB(_\d\d)?\.sql$/.test(name)).length / 2))
  const missing = bindingsOf(shards).find((binding) => !existsSync(fileOf(input, binding)))
  if (missing !== undefined) throw new Error(`${input} has no file ${missing}.sql: it must hold those of all shards.`)
  return shards
}

if (import.meta.main) {
  helpIfAsked(HELP)
  try {
    const { values } = parseArgs({
      options: {
        input: { type: 'string', default: 'backup' },
        'persist-to': { type: 'string', default: 'restored' },
      },
    })
    const state = resolve(values['persist-to'])
    await restore({ input: resolve(values.input), state, by: wrangler, say: console.log })
    console.log(`Start it with: npm start -- --persist-to ${values['persist-to']}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
