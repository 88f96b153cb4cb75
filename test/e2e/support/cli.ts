import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn as spawnPty, type IPty } from '@lydell/node-pty'
import { onTestFinished } from 'vitest'
import { bundleCli } from '../../../client/build.ts'
import { until } from '../../support/until.ts'
import type { Agent } from './agent.ts'

/** The command line of the package, in a home of its own. */
export interface Cli {
  home: string
  /** Of every command. */
  env: Record<string, string>
  /** Runs without a terminal. */
  run(args: readonly string[], options?: RunOptions): Promise<Finished>
  /** Runs in a pseudo-terminal. */
  terminal(args: readonly string[], options?: RunOptions): Terminal
  /** The address that the command line has opened in the browser. */
  openedPage(): Promise<string>
  remove(): Promise<void>
}

interface RunOptions {
  env?: Record<string, string>
  cwd?: string
  stdin?: string | Uint8Array
}

interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

export interface Terminal {
  /** What a person sees, colours and cursor movements included. */
  output(): string
  type(text: string): void
  /** Until the output has `text`. */
  shows(text: string | RegExp, withinMs?: number): Promise<void>
  /** The exit code; that of a process which a signal has ended is 0. */
  ended: Promise<number>
  kill(): void
}

const CTRL_C = '\u0003'
export const ctrlC = (terminal: Terminal): void => terminal.type(CTRL_C)

/** What `login` asks for. */
export const MEMORY_SCOPES = ['read:memory', 'write:memory', 'read:profile', 'read:events']

/** The command line of a test, with a key of the agent. */
export async function cliOf(agent: Agent, scopes = MEMORY_SCOPES): Promise<Cli> {
  const cli = await installCli({ RECOLLECT_URL: agent.base, RECOLLECT_API_KEY: await agent.makeKey(scopes) })
  onTestFinished(() => cli.remove())
  return cli
}

let bundled: Promise<[string, Buffer][]> | undefined

/** The files of the command line, which are bundled once in a process. */
const programs = (): Promise<[string, Buffer][]> => (bundled ??= bundle())

async function bundle(): Promise<[string, Buffer][]> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-programs-'))
  try {
    await bundleCli(join(folder, 'recollect.js'))
    return await Promise.all(
      (await readdir(folder)).map(async (name): Promise<[string, Buffer]> => [
        name,
        await readFile(join(folder, name)),
      ]),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** `extra` holds for every command. */
export async function installCli(extra: Record<string, string> = {}): Promise<Cli> {
  const home = await mkdtemp(join(tmpdir(), 'recollect-cli-'))
  const bin = join(home, 'recollect.js')
  await writeFile(join(home, 'package.json'), '{"type": "module"}')
  for (const [name, program] of await programs()) await writeFile(join(home, name), program)
  const opened = join(home, 'opened')
  const browser = join(home, 'browser')
  await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > ${opened}.new && mv ${opened}.new ${opened}\n`)
  await chmod(browser, 0o755)
  const { PATH = '' } = process.env
  const env = { PATH, HOME: home, BROWSER: browser, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...extra }
  const running = new Set<IPty>()
  return {
    home,
    env,
    run: (args, options = {}) => runProgram([bin, ...args], { ...options, env: { ...env, ...options.env } }),
    terminal: (args, options = {}) =>
      openTerminal([bin, ...args], { ...options, env: { ...env, ...options.env } }, running),
    openedPage: () => until(() => readFile(opened, 'utf8')),
    remove: async () => {
      for (const pty of running) pty.kill('SIGKILL')
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Runs a program of Node without a terminal. */
export function runProgram(args: readonly string[], { env, cwd, stdin = '' }: RunOptions): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, cwd })
    const finished: Finished = { code: null, stdout: '', stderr: '' }
    child.stdout.on('data', (chunk: Buffer) => (finished.stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (finished.stderr += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => resolve({ ...finished, code }))
    child.stdin.on('error', () => {})
    child.stdin.end(stdin)
  })
}

function openTerminal(args: string[], { env = {}, cwd }: RunOptions, running: Set<IPty>): Terminal {
  const pty: IPty = spawnPty(process.execPath, args, {
    cols: 100,
    rows: 30,
    env,
    ...(cwd === undefined ? {} : { cwd }),
  })
  let output = ''
  pty.onData((chunk) => (output += chunk))
  running.add(pty)
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => {
      running.delete(pty)
      resolve(exitCode)
    })
  })
  return {
    output: () => output,
    type: (text) => pty.write(text),
    shows: (text, withinMs) =>
      until(
        () => {
          const found = typeof text === 'string' ? output.includes(text) : text.test(output)
          if (!found) throw new Error(`${String(text)} is not in:\n${output}`)
        },
        withinMs === undefined ? {} : { withinMs },
      ),
    ended,
    kill: () => pty.kill('SIGKILL'),
  }
}

/** The command line of every process that shows one of `secrets`. */
export async function leaksOf(secrets: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (secrets.some((secret) => line.includes(secret))) found.push(line.replaceAll('\0', ' '))
  }
  return found
}
