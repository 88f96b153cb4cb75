import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CRON_PATH, ROOT } from '../../tools/wrangler.ts'

const shell = promisify(execFile)
const MB = 1024 * 1024

export type Runtime = 'inner' | 'outer'

/** The service as `npm start` runs it, with a state folder of its own. */
export interface LocalService {
  url: string
  sweep(): Promise<void>
  /** Kills the runtime that holds the Worker, or the one that listens. Both come back by themselves. */
  kill(which: Runtime): Promise<void>
  /** Resident memory of the Worker's runtime, and of all processes. */
  memoryMb(): Promise<{ worker: number; all: number }>
  diskMb(): Promise<number>
  stop(): Promise<void>
}

export async function startLocalService(vars: Record<string, string>): Promise<LocalService> {
  const state = await mkdtemp(join(tmpdir(), 'recollect-soak-'))
  const flags = Object.entries(vars).flatMap(([name, value]) => ['--var', `${name}:${value}`])
  const child = spawn(process.execPath, ['tools/start.ts', '--port', '0', '--persist-to', state, ...flags], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = `${output}${chunk.toString()}`.slice(-10_000)
      const found = /Recollect is at (\S+)[^]*Stop with/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
  }
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  void ended.then(() => reject(new Error(`the service has ended:\n${output}`)))
  const group = child.pid ?? 0
  const processes = async () => {
    const { stdout } = await shell('ps', ['-eo', 'pid=,pgid=,rss=,args='])
    return stdout.split('\n').flatMap((line) => {
      const [pid, pgid, rss, ...args] = line.trim().split(/ +/)
      return Number(pgid) === group ? [{ pid: Number(pid), mb: Number(rss) / 1024, command: args.join(' ') }] : []
    })
  }
  const runtimes = async (which: Runtime) =>
    (await processes()).filter(
      ({ command }) =>
        command.includes('workerd serve') && command.includes('--inspector-addr') === (which === 'inner'),
    )
  const url = await promise
  return {
    url,
    sweep: async () => {
      await fetch(`${url}${CRON_PATH}`, { signal: AbortSignal.timeout(20_000) })
    },
    kill: async (which) => {
      for (const { pid } of await runtimes(which)) process.kill(pid, 'SIGKILL')
    },
    memoryMb: async () => ({
      worker: (await runtimes('inner')).reduce((sum, { mb }) => sum + mb, 0),
      all: (await processes()).reduce((sum, { mb }) => sum + mb, 0),
    }),
    diskMb: async () => (await sizeOf(state)) / MB,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(state, { recursive: true, force: true })
    },
  }
}

/** Files come and go while the service writes. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
