// The D1 databases on this machine, before the service that uses them runs.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { D1Database } from '@cloudflare/workers-types'
import { experimental_readRawConfig, getPlatformProxy, unstable_splitSqlQuery, type Unstable_RawConfig } from 'wrangler'
import { fileOf } from './backup/snapshot.ts'
import { ROOT } from './wrangler.ts'

/** A database on this machine, its file, and the folder of its migrations. */
export interface LocalDatabase {
  binding: string
  file: string
  database: Pick<D1Database, 'prepare' | 'batch'>
  migrations: string
}

type Declared = NonNullable<Unstable_RawConfig['d1_databases']>[number]

/**
 * Does something with the databases of a configuration. `config`: the arguments by which wrangler finds it. They run in one
 * process without anything else of the service, which a wrangler per database would start and build.
 */
export async function withLocalDatabases<T>(
  config: readonly string[],
  state: string,
  work: (databases: LocalDatabase[]) => Promise<T>,
): Promise<T> {
  const { rawConfig } = experimental_readRawConfig({
    config: join(ROOT, config[0] === '--config' ? (config[1] ?? '') : 'wrangler.toml'),
  })
  const declared: Declared[] = rawConfig.env?.['local']?.d1_databases ?? []
  const folder = mkdtempSync(join(tmpdir(), 'recollect-databases-'))
  try {
    const configPath = join(folder, 'wrangler.json')
    const { name, compatibility_date } = rawConfig
    writeFileSync(configPath, JSON.stringify({ name, compatibility_date, d1_databases: declared }))
    const { env, dispose } = await getPlatformProxy<Record<string, D1Database>>({
      configPath,
      persist: { path: join(resolve(state), 'v3') },
      envFiles: [],
      remoteBindings: false,
    })
    try {
      return await work(declared.map((one) => local(one, env[one.binding], resolve(state))))
    } finally {
      await dispose()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function local(
  { binding, database_id = binding, migrations_dir = 'migrations' }: Declared,
  database: D1Database | undefined,
  state: string,
): LocalDatabase {
  if (!database) throw new Error(`wrangler binds no database ${binding}.`)
  const file = join(state, 'v3/d1/miniflare-D1DatabaseObject', `${fileOf(database_id)}.sqlite`)
  return { binding, database, file, migrations: join(ROOT, migrations_dir) }
}

/** The table in which wrangler keeps what it has applied, so that each of the two goes on where the other ended. */
const APPLIED = `create table if not exists d1_migrations (
  id integer primary key autoincrement,
  name text unique,
  applied_at timestamp default current_timestamp not null
)`

/** Applies the migrations that a database lacks, each in one commit. */
export async function applyMigrations({
  database,
  migrations,
}: Pick<LocalDatabase, 'database' | 'migrations'>): Promise<void> {
  await database.prepare(APPLIED).run()
  const { results } = await database.prepare('select name from d1_migrations').all<{ name: string }>()
  const applied = new Set(results.map(({ name }) => name))
  const files = readdirSync(migrations).filter((file) => file.endsWith('.sql') && !applied.has(file))
  for (const file of files.sort()) {
    const statements = unstable_splitSqlQuery(readFileSync(join(migrations, file), 'utf8'))
    await database.batch([
      ...statements.map((statement) => database.prepare(statement)),
      database.prepare('insert into d1_migrations (name) values (?1)').bind(file),
    ])
  }
}
