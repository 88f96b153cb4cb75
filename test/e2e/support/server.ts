import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from 'wrangler'
import { newKeyRing, SECRET_NAMES } from '../../../tools/secrets.ts'
import { CRON_PATH, ROOT } from '../../../tools/wrangler.ts'
import { bundleFor } from './bundle.ts'

export interface Server {
  /** Without a slash at its end. */
  url: string
  /** Everything that the Worker has logged so far. */
  log(): string
  /** Fires the cron trigger once. */
  sweep(): Promise<void>
  miniflare: Miniflare
  stop(): Promise<void>
}

interface ServerOptions {
  /** Variables that override those of `[env.local]`. */
  vars?: Record<string, string>
  /** The folder `v3` in what is `--persist-to` for wrangler. Default: one of its own, erased at the end. */
  persistTo?: string
  /** Default true. The local stand-in for static assets is three more Workers before ours, on every request. */
  staticAssets?: boolean
}

/**
 * The real Worker on a free port, bundled by wrangler, with the bindings of `[env.local]`, in workerd itself:
 * without the proxy of `wrangler dev`, which alone costs 5 ms a request.
 */
export async function startServer({ vars = {}, persistTo, staticAssets = true }: ServerOptions = {}): Promise<Server> {
  const scratch = await mkdtemp(join(tmpdir(), 'recollect-'))
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, 'wrangler.toml'), 'local')
  const { assets, ...worker } = workerOptions
  const bundle = await bundleFor(scratch)
  const lines: string[] = []
  const options = convertV4MiniflareOptions({
    ...(staticAssets ? { ...worker, assets } : worker),
    bindings: {
      ...(workerOptions.bindings as Record<string, string>),
      ...Object.fromEntries(SECRET_NAMES.map((name) => [name, newKeyRing()])),
      ...vars,
    },
    modulesRoot: bundle.folder,
    modules: bundle.modules.map((name) => ({
      type: name.endsWith('.wasm') ? 'CompiledWasm' : 'ESModule',
      path: join(bundle.folder, name),
    })),
    host: '127.0.0.1',
    port: 0,
    log: new Log(LogLevel.NONE),
    handleStructuredLogs: ({ message }) => lines.push(`${message}\n`),
    resourcePersistencePath: persistTo ?? join(scratch, 'state'),
    unsafeTriggerHandlers: true,
  })
  const miniflare = new Miniflare(options)
  const url = (await miniflare.ready).origin
  await migrate(miniflare, 'DB', 'migrations/main')
  await migrate(miniflare, 'AUDIT_DB', 'migrations/audit')
  return {
    url,
    log: () => lines.join(''),
    sweep: async () => {
      const response = await fetch(`${url}${CRON_PATH}`)
      if (!response.ok) throw new Error(`the cron trigger answered ${response.status}`)
    },
    miniflare,
    stop: async () => {
      await miniflare.dispose()
      await rm(scratch, { recursive: true, force: true })
    },
  }
}

async function migrate(miniflare: Miniflare, binding: string, folder: string): Promise<void> {
  const database = await miniflare.getD1Database(binding)
  const applied = await database.prepare(`select name from sqlite_master where type = 'table' limit 2`).all()
  if (applied.results.length > 1) return
  for (const name of (await readdir(join(ROOT, folder))).filter((file) => file.endsWith('.sql')).sort()) {
    const statements = unstable_splitSqlQuery(await readFile(join(ROOT, folder, name), 'utf8'))
    await database.batch(statements.map((sql) => database.prepare(sql)))
  }
}
