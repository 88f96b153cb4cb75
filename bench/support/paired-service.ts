import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Server } from '../../test/e2e/support/server.ts'
import { cpuMsOf, startedRuntime } from './runtime-cpu.ts'
import { waitUntilEmbedded } from './seed.ts'

/** A version of the service in a process of its own. */
export interface PairedService {
  name: string
  url: string
  /** Milliseconds of CPU that its runtime has used, D1 and the objects included. */
  cpuMs(): number
  /** Waits until all items are embedded. */
  embedded(): Promise<void>
  /** Waits until all items are embedded, and sweeps once. */
  settle(): Promise<void>
  stop(): Promise<void>
}

const OWN_FILE = fileURLToPath(import.meta.url)

/** Starts the service of a working tree, with its own code and packages. */
export async function startPaired(tree: string): Promise<PairedService> {
  const child = fork(OWN_FILE, [resolve(tree)])
  const { url, runtime } = await answer<{ url: string; runtime: string }>(child)
  const ask = async (what: Asked): Promise<void> => {
    child.send(what)
    await answer(child)
  }
  return {
    name: tree,
    url,
    cpuMs: () => cpuMsOf(runtime),
    embedded: () => ask('embedded'),
    settle: () => ask('settle'),
    stop: () => ask('stop'),
  }
}

type Asked = 'embedded' | 'settle' | 'stop'

async function answer<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController()
  const gone = once(child, 'exit', { signal: ended.signal }).then(() => {
    throw new Error('a service has ended')
  })
  gone.catch(() => undefined)
  const [message] = (await Promise.race([once(child, 'message'), gone])) as [T]
  ended.abort()
  return message
}

/** The process of one version. */
async function serve(tree: string): Promise<void> {
  const module = pathToFileURL(resolve(tree, 'test/e2e/support/server.ts')).href
  const { startServer } = (await import(module)) as {
    startServer: (options: { vars: Record<string, string>; staticAssets: boolean }) => Promise<Server>
  }
  const server = await startServer({ vars: { LIMITS_FACTOR: '1000' }, staticAssets: false })
  process.on('message', (what: Asked) => {
    void (async () => {
      if (what !== 'stop') await waitUntilEmbedded(server, 900)
      if (what === 'settle') await server.sweep()
      process.send?.({})
      if (what === 'stop') process.disconnect()
    })()
  })
  // Also where the bench has failed: it would wait for this process for ever.
  process.once('disconnect', () => void server.stop())
  process.send?.({ url: server.url, runtime: startedRuntime() })
}

if (process.argv[1] === OWN_FILE && process.send) await serve(process.argv[2] ?? '.')
