import { cp, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { bindingOf, firstShards } from '../../../src/core/shards.ts'
import { applyMigrations } from '../../../tools/local-databases.ts'
import { ROOT } from '../../../tools/wrangler.ts'

const SHARED = 'RECOLLECT_MIGRATED'
/** The most that a server of a test has. */
const SHARDS = 3
/** Where the runtime keeps the databases in the state of a service. */
const DATABASES = 'd1'

/** The servers of all projects begin with copies of these databases. */
export async function migrateOnce(): Promise<() => Promise<void>> {
  if (process.env[SHARED] !== undefined) return () => Promise.resolve()
  const folder = await mkdtemp(join(tmpdir(), 'recollect-migrated-'))
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, 'wrangler.toml'), 'local')
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: 'export default {}',
      log: new Log(LogLevel.NONE),
      d1Databases: databasesOf(workerOptions.d1Databases, SHARDS),
      resourcePersistencePath: folder,
    }),
  )
  await migrate(miniflare, SHARDS)
  await miniflare.dispose()
  process.env[SHARED] = folder
  return () => rm(folder, { recursive: true, force: true })
}

/** Migrates the databases of a service, or copies migrated ones of this run of the tests where it has none yet. */
export async function withDatabases(state: string, shards: number, start: () => Miniflare): Promise<Miniflare> {
  const shared = process.env[SHARED]
  const copies = shared !== undefined && shards <= SHARDS && !(await exists(join(state, DATABASES)))
  if (copies) {
    await mkdir(state, { recursive: true })
    await cp(join(shared, DATABASES), join(state, DATABASES), { recursive: true })
  }
  const miniflare = start()
  if (!copies) await migrate(miniflare, shards)
  return miniflare
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

async function migrate(miniflare: Miniflare, shards: number): Promise<void> {
  for (const shard of firstShards(shards))
    for (const [kind, folder] of [
      ['DB', 'main'],
      ['AUDIT_DB', 'audit'],
    ] as const) {
      const database = await miniflare.getD1Database(bindingOf(kind, shard))
      await applyMigrations({ database, migrations: join(ROOT, 'migrations', folder) })
    }
}

/** The databases of wrangler.toml, and those of further shards. */
export const databasesOf = (own: unknown, shards: number): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(own as Record<string, string | { id: string }>).map(([name, one]) => [
      name,
      typeof one === 'string' ? one : one.id,
    ]),
  ),
  ...Object.fromEntries(
    firstShards(shards)
      .slice(1)
      .flatMap((shard) => [bindingOf('DB', shard), bindingOf('AUDIT_DB', shard)])
      // As `npm start` names them (tools/local-shards.ts).
      .map((name) => [name, name]),
  ),
})
