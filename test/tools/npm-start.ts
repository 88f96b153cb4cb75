import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { ROOT } from '../../tools/wrangler.ts'
import { until } from '../support/until.ts'

const shell = promisify(execFile)

export interface Run {
  output(): string
  /** The process of npm, which leads the group of all others. */
  pid: number
  /** The exit code of npm. */
  ended: Promise<number | null>
  /** Sends an interrupt to the whole process group, as Ctrl-C does. Resolves when npm has exited. */
  interrupt(): Promise<void>
}

/** Runs that end with their test, by the process id of npm. */
const running = new Set<number>()

/** Kills what is left of a run. */
export function end(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** The processes of a run. */
export async function processesOf(run: Run): Promise<{ pid: number; command: string }[]> {
  const { stdout } = await shell('ps', ['-eo', 'pid=,pgid=,args='])
  return stdout.split('\n').flatMap((line) => {
    const [, pid, group, command = ''] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? []
    return Number(group) === run.pid ? [{ pid: Number(pid), command }] : []
  })
}

/** Kills one of the two runtimes of wrangler: the outer one listens, the inner one runs the Worker. */
export async function kill(run: Run, which: 'inner' | 'outer'): Promise<void> {
  // After a kill before, the server may still be on its way back.
  const pid = await until(
    async () => {
      const runtimes = (await processesOf(run)).filter(({ command }) => command.includes('workerd serve'))
      const [one] = runtimes.filter(({ command }) => command.includes('--inspector-addr') === (which === 'inner'))
      if (!one) throw new Error(`no ${which} runtime: ${run.output()}`)
      return one.pid
    },
    { everyMs: 200, withinMs: 60_000 },
  )
  process.kill(pid, 'SIGKILL')
}

export function start(...args: string[]): Run {
  const child = spawn('npm', ['start', '--', ...args], { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const { pid = 0 } = child
  running.add(pid)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    output: () => output,
    pid,
    ended,
    interrupt: async () => {
      process.kill(-pid, 'SIGINT')
      await ended
    },
  }
}

/** After each test. */
export function endAll(): void {
  for (const pid of running) end(pid)
  running.clear()
}

/** Lets a run go on when its test has ended. */
export const keep = ({ pid }: Run): boolean => running.delete(pid)

/** Waits for the greeting and returns the address. The system picks a free port. */
export async function greeted(run: Run, withinMs = 110_000): Promise<string> {
  await until(() => expect(run.output()).toContain('Stop with Ctrl-C.'), { everyMs: 200, withinMs })
  return /Recollect is at (\S+)/.exec(run.output())?.[1] ?? ''
}
