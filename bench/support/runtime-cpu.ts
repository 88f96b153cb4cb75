import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdirSync, readFileSync } from 'node:fs'

/** The process id of the runtime that this process has started. Linux only. */
export function startedRuntime(): string {
  const found = readdirSync('/proc').find((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const [, name = '', parent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      return name.startsWith('workerd') && Number(parent) === process.pid
    } catch {
      return false
    }
  })
  if (!found) throw new Error('the runtime is not found')
  return found
}

/** Milliseconds of CPU that a process has used. Unlike the time that passes it hardly depends on other processes. */
export const cpuMsOf = (pid: string): number =>
  readdirSync(`/proc/${pid}/task`).reduce(
    (sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    0,
  )

/** Answers `cpuMsOf` a process, so that a Worker can ask what its own runtime has used. */
export async function startCpuServer(pid: string): Promise<{ url: string; stop(): void }> {
  const server = createServer((_request, reply) => void reply.end(String(cpuMsOf(pid))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/`, stop }
}
