import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { modulesIn } from '../../test/e2e/support/bundle.ts'
import { runWrangler } from '../../tools/wrangler.ts'
import { cpuMsOf, startedRuntime } from './runtime-cpu.ts'
import type { VectorsTask } from './vectors-task.ts'

const CONFIG = join(import.meta.dirname, '../worker/wrangler.toml')

export interface VectorsServer {
  run(task: VectorsTask): Promise<number>
  /** Milliseconds of CPU that the runtime has used. Unlike the time that passes it hardly depends on other processes. */
  cpuMs(): number
  /** Bytes of memory that the runtime holds. */
  residentBytes(): number
  stop(): Promise<void>
}

/** Bundles a Worker of its own with the object of a project's vectors into a folder. */
export const bundleVectors = (folder: string): Promise<unknown> =>
  runWrangler(['deploy', '--dry-run', '--config', CONFIG, '--outdir', folder])

/** Starts it in workerd. */
export async function startVectors(folder: string, persistTo: string): Promise<VectorsServer> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modulesRoot: folder,
      modules: (await modulesIn(folder, 'vectors.js')).map(({ name, type }) => ({ type, path: join(folder, name) })),
      compatibilityDate: '2026-11-17',
      compatibilityFlags: ['nodejs_compat'],
      durableObjects: { OBJECTS: { className: 'ProjectVectors', useSQLite: true } },
      resourcePersistencePath: persistTo,
      host: '127.0.0.1',
      port: 0,
      log: new Log(LogLevel.NONE),
    }),
  )
  const { origin } = await miniflare.ready
  const runtime = startedRuntime()
  return {
    async run(task) {
      const response = await fetch(origin, { method: 'POST', body: JSON.stringify(task) })
      if (!response.ok) throw new Error(await response.text())
      return Number(await response.text())
    },
    cpuMs: () => cpuMsOf(runtime),
    residentBytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${runtime}/status`, 'utf8'))?.[1]) * 1_024,
    stop: () => miniflare.dispose(),
  }
}
