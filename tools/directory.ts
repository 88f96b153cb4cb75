// `npm run directory`: compares the directory of shard 00 with the accounts, applications and tenants of every shard, such as
// after shard 00 alone was restored (docs/restore.md).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bindingOf, FIRST_SHARD, firstShards, type DatabaseKind } from '../src/core/shards.ts'
import { idIn, withAccountDatabases } from './account-databases.ts'
import { sourceOf } from './blueprint.ts'
import {
  CONTENT_QUERIES,
  DIRECTORY_QUERIES,
  repairOf,
  repairStatements,
  type Contents,
  type Directory,
  type Repair,
} from './directory/repair.ts'
import { helpIfAsked } from './help.ts'
import { configArguments, knownShards } from './local-shards.ts'
import { databasesOf } from './provision.ts'
import { countShards, databasesOfShards } from './shards.ts'
import { ROOT, runWrangler, wrangler, type Wrangler } from './wrangler.ts'

const HELP = `Compares the directory of shard 00 with the accounts, applications and tenants of every shard.

  npm run directory
  npm run directory -- --apply

  --apply               repair the directory
  --local               use the databases of npm start
  --persist-to=FOLDER   folder of the data of npm start (default: .wrangler/state)`

/** Rows of one answer of D1. */
const PAGE = 2_000

type Row = Record<string, string | number | null>

/** Runs statements on the database of a shard. */
export interface Databases {
  shards: string[]
  read(shard: string, sql: string): Promise<Row[]>
  write(shard: string, statements: readonly string[]): Promise<void>
}

/** Compares, and with `apply` writes the repair. */
export async function repairDirectory(databases: Databases, apply: boolean, now = Date.now()): Promise<Repair> {
  // The directory is read first: an entry that is confirmed by now, and then not in its shard, is gone.
  const directory = await readAll<Directory>(databases, FIRST_SHARD, DIRECTORY_QUERIES)
  const contents: Contents[] = []
  for (const shard of databases.shards)
    contents.push({ ...(await readAll<Omit<Contents, 'shard'>>(databases, shard, CONTENT_QUERIES)), shard })
  const repair = repairOf(directory, contents)
  if (apply) for (const [shard, statements] of repairStatements(repair, now)) await databases.write(shard, statements)
  return repair
}

type Queries = Record<string, { key: string; sql: string }>

async function readAll<Rows>(databases: Databases, shard: string, queries: Queries): Promise<Rows> {
  const all: [string, unknown[]][] = []
  for (const [name, query] of Object.entries(queries)) {
    const rows: Row[] = []
    for (let page: Row[] = [{}]; page.length > 0;) {
      const after = String(rows.at(-1)?.[query.key] ?? '').replaceAll("'", "''")
      page = await databases.read(
        shard,
        `${query.sql} and ${query.key} > '${after}' order by ${query.key} limit ${PAGE}`,
      )
      rows.push(...page)
    }
    all.push([name, rows])
  }
  return Object.fromEntries(all) as Rows
}

/** `state`: the folder of `wrangler dev --persist-to`; null: the deployed databases. `kind`: which of those of a shard. */
export async function databasesBy(state: string | null, by: Wrangler, kind: DatabaseKind = 'DB'): Promise<Databases> {
  const source = sourceOf(join(ROOT, 'wrangler.toml'), false)
  const own = (state === null ? source : source.env?.['local'])?.d1_databases ?? []
  const ids = state === null ? await databasesOf(by) : new Map<string, string>()
  const count = state === null ? countShards(own, ids.keys()) : knownShards(state)
  const all = databasesOfShards(own, count)
  const nameOf = (binding: string): string => all.find((one) => one.binding === binding)?.database_name ?? binding
  // Not the file of `npm start`, which starts the service again when it is written.
  const local = state === null ? [] : configArguments(state, count, { writes: 'wrangler.directory.json' })
  const execute = (shard: string, ...more: string[]): Promise<string> => {
    const binding = bindingOf(kind, shard)
    const run = (...where: string[]): Promise<string> =>
      runWrangler(['d1', 'execute', binding, ...where, '--yes', '--json', ...more], by)
    if (state !== null) return run('--local', ...local, `--persist-to=${state}`)
    const database = { binding, id: idIn(ids, nameOf(binding)) }
    return withAccountDatabases([database], (config) => run('--remote', ...config))
  }
  return {
    shards: firstShards(count),
    read: async (shard, sql) => {
      const [answer] = JSON.parse(await execute(shard, `--command=${sql}`)) as [{ results: Row[] }]
      return answer.results
    },
    write: async (shard, statements) => {
      const scratch = mkdtempSync(join(tmpdir(), 'recollect-directory-'))
      try {
        const file = join(scratch, 'repair.sql')
        writeFileSync(file, statements.map((statement) => `${statement};\n`).join(''), { mode: 0o600 })
        await execute(shard, `--file=${file}`)
      } finally {
        rmSync(scratch, { recursive: true, force: true })
      }
    },
  }
}

/** The report of `npm run directory`. */
export function reportOf({ enter, clients, tenants, released, conflicts }: Repair, applied: boolean): string[] {
  const gone = [...released.values()].flat().length
  const sum = `${enter.length} addresses, ${clients.length} applications and ${tenants.length} tenants are missing; ${gone} entries point to accounts that do not exist.`
  const work = enter.length + clients.length + tenants.length + gone
  return [
    ...conflicts.map((line) => `Conflict, not changed: ${line}`),
    sum,
    work === 0
      ? 'Nothing to do.'
      : applied
        ? 'Changes written. A sweep confirms each one within minutes.'
        : 'Nothing was written. To apply the changes, run this again with --apply.',
  ]
}

if (import.meta.main) {
  helpIfAsked(HELP)
  try {
    const { values } = parseArgs({
      options: {
        apply: { type: 'boolean', default: false },
        local: { type: 'boolean', default: false },
        'persist-to': { type: 'string', default: join(ROOT, '.wrangler/state') },
      },
    })
    const databases = await databasesBy(values.local ? resolve(values['persist-to']) : null, wrangler)
    const repair = await repairDirectory(databases, values.apply)
    for (const line of reportOf(repair, values.apply)) console.log(line)
    if (repair.conflicts.length > 0) process.exitCode = 1
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
