import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { ROOT, WRANGLER_ENV, type Ran, type Wrangler } from '../../tools/wrangler.ts'
import type { Command } from './wrangler-process.ts'

/** The real wrangler until the test ends, as one process that runs all commands: to start it takes a second of CPU each time. */
export function oneWrangler(env: NodeJS.ProcessEnv): Wrangler {
  const home = mkdtempSync(join(tmpdir(), 'recollect-wrangler-'))
  const child = spawn(process.execPath, ['--no-warnings', join(import.meta.dirname, 'wrangler-process.ts')], {
    cwd: ROOT,
    env: { ...process.env, ...WRANGLER_ENV, XDG_CONFIG_HOME: home, HOME: home, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    // It may still write into its folder until it has ended.
    if (child.kill()) await once(child, 'exit')
    rmSync(home, { recursive: true, force: true })
  })
  // The commands run one after another, and are answered in their order.
  const asked: PromiseWithResolvers<Ran>[] = []
  createInterface(child.stdout).on('line', (line) => asked.shift()?.resolve(JSON.parse(line) as Ran))
  child.on('exit', () => asked.forEach(({ reject }) => reject(new Error('wrangler ended'))))
  return (args, stdin) => {
    const answer = Promise.withResolvers<Ran>()
    asked.push(answer)
    child.stdin.write(`${JSON.stringify({ args, stdin } satisfies Command)}\n`)
    return answer.promise
  }
}
