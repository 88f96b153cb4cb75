import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { starterEnv } from './starter.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
const WRANGLER = fileURLToPath(new URL('../node_modules/wrangler/bin/wrangler.js', import.meta.url))
const END_WITH_STARTER = new URL('end-with-starter.ts', import.meta.url).href

/** A request to this path fires the cron trigger of a local server once. */
export const CRON_PATH = '/cdn-cgi/local/scheduled'

/** No telemetry, no banner, no look-up of the location, no trace store, no explorer. `log` keeps the output that the tools parse. */
export const WRANGLER_ENV = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_LOG: 'log',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  // wrangler's trace store doubles the CPU of a request, grows without end and keeps URLs, and with them tokens.
  X_LOCAL_OBSERVABILITY: 'false',
  // wrangler's explorer shows and changes the databases on the service's own port, and asks for no credential.
  X_LOCAL_EXPLORER: 'false',
  // Node's compile cache of wrangler's ten megabytes of code.
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/node-compile-cache', import.meta.url)),
}

export function spawnWrangler(args: string[], options: SpawnOptions = {}): ChildProcess {
  return spawnNode([WRANGLER, ...args], options)
}

/** `wrangler dev` with standard input and piped output. It ends with this process, whatever kills this one. */
export function spawnServer(args: string[]): ChildProcess {
  const env = starterEnv(3)
  const child = spawnNode(['--import', END_WITH_STARTER, WRANGLER, ...args], {
    stdio: ['inherit', 'pipe', 'pipe', 'pipe'],
    env,
  })
  // The pipe must not keep this process alive.
  const held = child.stdio[3]
  if (held instanceof Socket) held.unref()
  return child
}

const spawnNode = (args: string[], options: SpawnOptions): ChildProcess =>
  spawn(process.execPath, ['--no-warnings', ...args], {
    cwd: ROOT,
    ...options,
    env: { ...process.env, ...WRANGLER_ENV, ...options.env },
  })

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

/** Runs wrangler with arguments and standard input. */
export type Wrangler = (args: string[], stdin?: string) => Promise<Ran>

/** The installed wrangler, with more environment variables. */
export const wranglerIn =
  (env: NodeJS.ProcessEnv): Wrangler =>
  (args, stdin) =>
    new Promise((resolve) => {
      const child = spawnWrangler(args, { env, stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] })
      const ran: Ran = { code: 1, stdout: '', stderr: '' }
      child.stdout?.on('data', (chunk: Buffer) => (ran.stdout += chunk.toString()))
      child.stderr?.on('data', (chunk: Buffer) => (ran.stderr += chunk.toString()))
      child.on('close', (code) => resolve({ ...ran, code: code ?? 1 }))
      child.stdin?.end(stdin)
    })

export const wrangler: Wrangler = wranglerIn({})

/** Runs a wrangler command and returns its output. Throws with the output if it fails. */
export async function runWrangler(args: string[], by: Wrangler = wrangler, stdin?: string): Promise<string> {
  const { code, stdout, stderr } = await by(args, stdin)
  if (code !== 0) throw new Error(`wrangler ${args.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}
