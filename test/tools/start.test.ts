import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { SECRET_NAMES } from '../../tools/secrets.ts'
import { CRON_PATH, ROOT } from '../../tools/wrangler.ts'
import { until } from '../support/until.ts'

const shell = promisify(execFile)
const SECRETS = join(ROOT, '.dev.vars.local')

interface Run {
  output(): string
  /** The exit code of npm. */
  ended: Promise<number | null>
  /** Sends an interrupt to the whole process group, as Ctrl-C does. Resolves when npm has exited. */
  interrupt(): Promise<void>
}

const running: ChildProcess[] = []
function start(...args: string[]): Run {
  const child = spawn('npm', ['start', '--', ...args], { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    output: () => output,
    ended,
    interrupt: async () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
      await ended
    },
  }
}

afterEach(() => {
  for (const child of running.splice(0)) {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, 'SIGKILL')
  }
})

/** Waits for the greeting and returns the address. The system picks a free port. */
async function greeted(run: Run): Promise<string> {
  await until(() => expect(run.output()).toContain('Stop with Ctrl-C.'), { everyMs: 200, withinMs: 110_000 })
  return /Recollect is at (\S+)/.exec(run.output())?.[1] ?? ''
}

describe('npm start', () => {
  let state: string
  beforeAll(() => {
    state = mkdtempSync(join(tmpdir(), 'recollect-start-'))
  })
  afterAll(() => rmSync(state, { recursive: true, force: true }))

  test(
    'the first run prints three calls that work as they stand, and ends on Ctrl-C',
    { timeout: 150_000 },
    async () => {
      const run = start('--port', '0', '--persist-to', state, '--var', 'LIMITS_FACTOR:10')
      const origin = await greeted(run)
      const calls = run.output().match(/^ +curl .*$/gm) ?? []
      expect(calls).toHaveLength(3)
      const answers = []
      for (const call of calls) answers.push(JSON.parse((await shell('bash', ['-c', call])).stdout))
      const [stored, found, listed] = answers
      expect(stored).toMatchObject({ embedding_status: 'completed' })
      expect(found.results[0]).toMatchObject({ id: stored.id })
      expect(listed.data).toEqual([expect.objectContaining({ id: stored.id })])
      // The request that `npm start` sends each minute.
      expect((await fetch(`${origin}${CRON_PATH}`)).status).toBe(200)
      await run.interrupt()
      await until(() => expect(fetch(`${origin}/health`)).rejects.toThrow('fetch failed'))
      // Neither its own requests nor the work of queues and the cron trigger is printed.
      expect(run.output()).not.toMatch(/error|WARNING|register-user|QUEUE|cdn-cgi/i)
    },
  )

  test(
    'the second run has the data, and tells where to make a key instead of showing one',
    { timeout: 150_000 },
    async () => {
      const before = readFileSync(SECRETS, 'utf8')
      const run = start('--port', '0', '--persist-to', state)
      const origin = await greeted(run)
      expect(run.output()).not.toMatch(/rck_|curl/)
      expect(run.output()).toContain('make a new one in the portal')
      const password = readFileSync(join(state, 'demo-password.txt'), 'utf8').trim()
      const body = new URLSearchParams({ username: 'demo@example.com', password })
      const login = await fetch(`${origin}/auth/login`, { method: 'POST', body })
      const { session_token } = (await login.json()) as { session_token: string }
      const list = await fetch(`${origin}/v1/memory/items`, {
        headers: { 'X-Session-Token': session_token },
      })
      expect(await list.json()).toMatchObject({ data: [{ content: { text: 'Ada prefers tea without sugar.' } }] })
      expect(readFileSync(SECRETS, 'utf8')).toBe(before)
      await run.interrupt()
    },
  )

  test('where the server cannot start, it says why, and ends with its code', { timeout: 150_000 }, async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await new Promise((resolve) => taken.once('listening', resolve))
    const run = start('--port', String((taken.address() as AddressInfo).port), '--persist-to', state)
    expect(await run.ended).toBe(1)
    expect(run.output()).toMatch(/address already in use/i)
  })

  test('the secrets of this machine are random rings that only their owner reads', () => {
    const lines = readFileSync(SECRETS, 'utf8').trim().split('\n')
    expect(lines.map((line) => line.split('=')[0])).toEqual([...SECRET_NAMES])
    for (const line of lines) expect(line).toMatch(/^[A-Z_]+=\w+:[\w-]{43}$/)
    expect(statSync(SECRETS).mode & 0o077).toBe(0)
  })
})
