import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
const WRANGLER = fileURLToPath(new URL('../node_modules/wrangler/bin/wrangler.js', import.meta.url))

/** Keeps wrangler to itself: no telemetry, no banner, no look-up of the caller's place. */
const ENV = { WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true', CLOUDFLARE_CF_FETCH_ENABLED: 'false' }

export function spawnWrangler(args: string[], options: SpawnOptions = {}): ChildProcess {
  return spawn(process.execPath, ['--no-warnings', WRANGLER, ...args], {
    cwd: ROOT,
    ...options,
    env: { ...process.env, ...ENV, ...options.env },
  })
}

/** Runs one wrangler command quietly; throws with its output where it fails. */
export async function runWrangler(args: string[]): Promise<string> {
  const child = spawnWrangler(args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`wrangler ${args.join(' ')} failed:\n${output}`)
  return output
}
