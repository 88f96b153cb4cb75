import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, Response } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { bindingOf, FIRST_SHARD, firstShards, type DatabaseKind } from '../../../src/core/shards.ts'
import { newKeyRing, SECRET_NAMES } from '../../../tools/secrets.ts'
import { CRON_PATH, ROOT } from '../../../tools/wrangler.ts'
import { bundleFor } from './bundle.ts'
import { databasesOf, withDatabases } from './migrated.ts'
import { TAIL_MARK, TAIL_WORKER, type TailEvent } from './tail.ts'

// The warnings about [env.local] repeat what wrangler.toml explains.
process.env['WRANGLER_LOG'] ??= 'error'

export interface Server {
  /** Without a slash at its end. */
  url: string
  /** Everything that the Worker has logged so far. */
  log(): string
  /** With `traced`: every event of the runtime's trace so far. */
  tailed(): TailEvent[]
  /** Fires the cron trigger once. */
  sweep(): Promise<void>
  miniflare: Miniflare
  /** The databases of the shard of new tenants. */
  home: Record<DatabaseKind, string>
  /** Kills the runtime in the middle of its work. It comes back at the same address, with what is on disk. */
  kill(): Promise<void>
  stop(): Promise<void>
}

interface ServerOptions {
  /** Variables that override those of `[env.local]`. */
  vars?: Record<string, string>
  /** The folder `v3` in what is `--persist-to` for wrangler. Default: one of its own, erased at the end. */
  persistTo?: string
  /** The entry of another Worker that has the same bindings, from the root. Default: the service. */
  script?: string
  /** Default true. The local stand-in for static assets is three more Workers before ours, on every request. */
  staticAssets?: boolean
  /** Another Worker gets the trace, as if traces were switched on. Default false. */
  traced?: boolean
  /** Databases of so many shards. Default: `E2E_SHARDS`, else one. Of several the last takes the new tenants. */
  shards?: number
  /** Answers every request that the Worker sends to other hosts. Default: they go out. */
  outbound?: (url: URL) => { status?: number; headers?: Record<string, string>; body: string }
}

/**
 * The real Worker on a free port, bundled by wrangler, with the bindings of `[env.local]`, in workerd itself:
 * without the proxy of `wrangler dev`, which alone costs 5 ms a request.
 */
export async function startServer({
  vars = {},
  persistTo,
  script,
  staticAssets = true,
  traced = false,
  shards = Number(process.env['E2E_SHARDS'] ?? 1),
  outbound,
}: ServerOptions = {}): Promise<Server> {
  const scratch = await mkdtemp(join(tmpdir(), 'recollect-'))
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, 'wrangler.toml'), 'local')
  const { assets, ...worker } = workerOptions
  const bundle = await bundleFor(scratch, script)
  const state = persistTo ?? join(scratch, 'state')
  const lines: string[] = []
  let onRestart = () => {}
  const closed = firstShards(shards - 1)
  const home = firstShards(shards).at(-1) ?? FIRST_SHARD
  const tailed: TailEvent[] = []
  const service = {
    ...(staticAssets ? { ...worker, assets } : worker),
    bindings: {
      ...(workerOptions.bindings as Record<string, string>),
      ...Object.fromEntries(SECRET_NAMES.map((name) => [name, newKeyRing()])),
      ...(closed.length > 0 ? { CLOSED_SHARDS: closed.join(',') } : {}),
      ...vars,
    },
    ...(outbound
      ? {
          outboundService: (request: { url: string }) => {
            const { body, ...init } = outbound(new URL(request.url))
            return new Response(body, init)
          },
        }
      : {}),
    d1Databases: databasesOf(workerOptions.d1Databases, shards),
    modulesRoot: bundle.folder,
    modules: bundle.modules.map(({ name, type }) => ({ type, path: join(bundle.folder, name) })),
  }
  const options = convertV4MiniflareOptions({
    ...(traced
      ? {
          // As in production a batch ends with all of its work: a trace that has ended takes no span.
          workers: [
            { ...service, name: 'service', compatibilityFlags: [], streamingTails: [TAIL_WORKER.name] },
            TAIL_WORKER,
          ],
        }
      : service),
    host: '127.0.0.1',
    port: 0,
    log: new Log(LogLevel.NONE),
    handleStructuredLogs: ({ message }) => {
      if (message.startsWith(TAIL_MARK)) tailed.push(JSON.parse(message.slice(TAIL_MARK.length)) as TailEvent)
      else lines.push(`${message}\n`)
    },
    resourcePersistencePath: state,
    unsafeTriggerHandlers: true,
    unsafeHandleRuntimeRestart: () => onRestart(),
  })
  const runtimesBefore = await runtimes()
  const miniflare = await withDatabases(state, shards, () => new Miniflare(options))
  const url = (await miniflare.ready).origin
  return {
    url,
    log: () => lines.join(''),
    tailed: () => tailed,
    sweep: async () => {
      const response = await fetch(`${url}${CRON_PATH}`)
      if (!response.ok) throw new Error(`the cron trigger answered ${response.status}`)
    },
    miniflare,
    home: { DB: bindingOf('DB', home), AUDIT_DB: bindingOf('AUDIT_DB', home) },
    kill: async () => {
      const [pid] = (await runtimes()).filter((one) => !runtimesBefore.includes(one))
      if (pid === undefined) throw new Error('there is no runtime')
      const restarted = new Promise<void>((resolve) => (onRestart = resolve))
      process.kill(pid, 'SIGKILL')
      await restarted
    },
    stop: async () => {
      await miniflare.dispose()
      await rm(scratch, { recursive: true, force: true })
    },
  }
}

/** The processes of workerd that this one has started. */
async function runtimes(): Promise<number[]> {
  const found: number[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(stat) ?? []
    if (name === 'workerd' && Number(parent) === process.pid) found.push(Number(pid))
  }
  return found
}
