import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pythonEnvironment } from '../../../tools/python/environment.ts'
import { ROOT } from '../../../tools/wrangler.ts'

/** Runs a program of client/python/tests with its input as JSON; what it prints. */
export async function runPython<Output>(
  program: string,
  input: unknown,
  more: Record<string, string> = {},
): Promise<Output> {
  const { python, env } = await pythonEnvironment()
  const child = spawn(python, [join(ROOT, 'client/python/tests', program)], {
    env: { ...process.env, ...env, ...more },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  let failure = ''
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => (failure += String(chunk)))
  child.stdin.end(JSON.stringify(input))
  const code = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject))
  if (code !== 0) throw new Error(`${program}: ${failure}`)
  return JSON.parse(output) as Output
}
