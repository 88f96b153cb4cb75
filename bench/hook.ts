/**
 * `npm run bench:hook [-- --rounds 30]`
 *
 * Measures how long the program of the hooks runs that knows no deployment, beside an empty program of Node: each round starts
 * both. It prints milliseconds and their ratio, never a verdict.
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleCli } from '../client/build.ts'
import { percentile } from './support/percentile.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '30' } } })
const folder = await mkdtemp(join(tmpdir(), 'recollect-hook-'))
await bundleCli(join(folder, 'recollect.js'))

const env = { PATH: process.env['PATH'], HOME: folder }
const input = JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 's-1', cwd: folder, prompt: 'Hello' })
function run(args: string[]): number {
  const began = performance.now()
  spawnSync(process.execPath, args, { env, input })
  return performance.now() - began
}

const [empty, hook]: [number[], number[]] = [[], []]
for (let round = 0; round < Number(values.rounds); round += 1) {
  empty.push(run(['-e', '0']))
  hook.push(run([join(folder, 'recollect-hook.js'), 'claude-code']))
}
await rm(folder, { recursive: true, force: true })

for (const [name, times] of [
  ['an empty program', empty],
  ['the program of the hooks', hook],
] as const) {
  const cells = [0.5, 0.95, 0.99].map((share) => percentile(times, share).toFixed(0).padStart(7))
  console.log(name.padEnd(26), ...cells, `${(percentile(times, 0.5) / percentile(empty, 0.5)).toFixed(2)} ×`)
}
