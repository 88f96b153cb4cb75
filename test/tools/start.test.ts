import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { SECRET_NAMES } from '../../tools/secrets.ts'
import { CRON_PATH, ROOT } from '../../tools/wrangler.ts'
import { until } from '../support/until.ts'
import { newReceiver, printedSince } from './start-support.ts'
import { end, endAll, greeted, keep, kill, processesOf, start, type Run } from './npm-start.ts'

const shell = promisify(execFile)
const SECRETS = join(ROOT, '.dev.vars.local')

afterEach(endAll)

// The first run makes the data of the second one.
describe('npm start', { shuffle: false }, () => {
  let state: string
  beforeAll(() => {
    state = mkdtempSync(join(tmpdir(), 'recollect-start-'))
  })
  afterAll(() => rmSync(state, { recursive: true, force: true }))

  test('the first run shows a first result and one line to paste, and ends on Ctrl-C', async () => {
    const run = start('--port', '0', '--persist-to', state)
    const origin = await greeted(run)
    expect(run.output()).toMatch(/^ {2}Question {2}Does anyone have a nut allergy\?$/m)
    expect(run.output()).toMatch(/^ {2}Answer {4}Ada is allergic to peanuts\.$/m)
    expect(run.output()).toMatch(/^ {2}Time {6}\d+ ms$/m)
    const [line = ''] = run.output().match(/^ {2}export .*$/gm) ?? []
    expect(line).toMatch(new RegExp(`^ {2}export RECOLLECT_URL=${origin} RECOLLECT_API_KEY=rck_test_\\w+$`))
    const list = 'curl -s $RECOLLECT_URL/v1/memory/items -H "X-API-Key: $RECOLLECT_API_KEY"'
    const { stdout } = await shell('bash', ['-c', `${line}\n${list}`])
    expect(JSON.parse(stdout)).toMatchObject({
      data: [{ custom_id: 'ada-allergy', embedding_status: 'completed' }, { custom_id: 'ada-tea' }],
    })
    // The request that `npm start` sends each minute.
    expect((await fetch(`${origin}${CRON_PATH}`)).status).toBe(200)
    // The request of the terminal is one line, and nothing stands beside it.
    await until(() => expect(printedSince('Stop with Ctrl-C.', run.output())).toEqual(['GET /v1/memory/items']))
    await run.interrupt()
    await until(() => expect(fetch(`${origin}/health`)).rejects.toThrow('fetch failed'))
    // Neither its own requests nor the work of queues and the cron trigger is printed.
    expect(run.output()).not.toMatch(/error|WARNING|register-user|QUEUE|cdn-cgi/i)
  })

  describe('the second run', { shuffle: false }, () => {
    let secrets: string
    let run: Run
    let origin: string
    let headers: Record<string, string>
    const post = async (path: string, body: object) => {
      const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } }
      const answer = await fetch(`${origin}${path}`, { ...init, body: JSON.stringify(body) })
      expect(answer.ok).toBe(true)
    }
    beforeAll(async () => {
      secrets = readFileSync(SECRETS, 'utf8')
      run = start('--port', '0', '--persist-to', state)
      keep(run)
      origin = await greeted(run)
      const password = readFileSync(join(state, 'demo-password.txt'), 'utf8').trim()
      const body = new URLSearchParams({ username: 'demo@example.com', password })
      const login = await fetch(`${origin}/auth/login`, { method: 'POST', body })
      headers = { 'X-Session-Token': ((await login.json()) as { session_token: string }).session_token }
    })
    afterAll(() => end(run.pid))

    test('it has the data, asks nothing, and prints the line with the demo key again', async () => {
      const [line] = /^ {2}export RECOLLECT_URL=\S+ RECOLLECT_API_KEY=\S+$/m.exec(run.output()) ?? []
      expect(run.output()).not.toContain('Question')
      expect(headers['X-Session-Token']).toMatch(/^rcs_/)
      const list = 'curl -s $RECOLLECT_URL/v1/memory/items -H "X-API-Key: $RECOLLECT_API_KEY"'
      const { stdout } = await shell('bash', ['-c', `${line}\n${list}`])
      expect(JSON.parse(stdout)).toMatchObject({
        data: [
          { content: { text: 'Ada is allergic to peanuts.' } },
          { content: { text: 'Ada prefers tea without sugar.' } },
        ],
      })
      expect(readFileSync(SECRETS, 'utf8')).toBe(secrets)
    })

    test('security 24: no URL of a request is kept on disk, and no page shows the databases', async () => {
      for (const path of ['/health', '/realtime', '/portal'])
        await fetch(`${origin}${path}?token=plain-secret-in-a-url`)
      expect((await fetch(`${origin}/cdn-cgi/local/explorer`)).status).toBe(404)
      const files = readdirSync(state, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      expect(files.filter((one) => one.name.includes('sqlite'))).not.toEqual([])
      const keeping = files.filter((one) => readFileSync(join(one.parentPath, one.name)).includes('plain-secret'))
      expect(keeping.map(({ name }) => name)).toEqual([])
      expect(run.output()).not.toContain('plain-secret')
    })

    test('a receiver that does not answer holds up no other', async () => {
      const [mute, healthy] = [await newReceiver(() => {}), await newReceiver((reply) => reply.end('ok'))]
      for (const [receiver, channel] of [
        [mute, 'silent'],
        [healthy, 'prompt'],
      ] as const) {
        const delivery = { method: 'webhook', url: receiver.url }
        await post('/api/events/subscriptions', { channels: [channel], delivery })
      }
      const publish = (channel: string) => post('/api/events/publish', { type: 'thing.happened', channel, data: {} })
      await publish('silent')
      await until(() => expect(mute.open()).toBe(1))
      await publish('prompt')
      await until(() => expect(healthy.received()).toBe(1))
      expect(mute.open()).toBe(1)
    })

    test('another start on the same data is refused, and changes nothing', async () => {
      const other = start('--port', '0', '--persist-to', state, '--shards', '2')
      expect(await other.ended).toBe(1)
      expect(other.output()).toContain(`Another npm start is using ${state}.`)
      expect(readFileSync(join(state, 'shards.txt'), 'utf8')).toBe('1\n')
      expect((await fetch(`${origin}/health`)).status).toBe(200)
    })

    test('a Worker that is killed is back', async () => {
      await kill(run, 'inner')
      const health = () => fetch(`${origin}/health`, { signal: AbortSignal.timeout(5_000) })
      await until(async () => expect((await health()).status).toBe(200), { everyMs: 200, withinMs: 110_000 })
    })

    test('a listener that is killed is back at its address, with the data', async () => {
      await kill(run, 'outer')
      // Only a new listener answers. The line may be of the kill before, and this server on its way down again.
      const list = async () => {
        const answer = await fetch(`${origin}/v1/memory/items`, { headers, signal: AbortSignal.timeout(5_000) })
        expect(await answer.json()).toMatchObject({
          data: [
            { content: { text: 'Ada is allergic to peanuts.' } },
            { content: { text: 'Ada prefers tea without sugar.' } },
          ],
        })
      }
      await until(list, { everyMs: 200, withinMs: 110_000 })
      await until(() => expect(run.output()).toContain(`The server is running again at ${origin}`), {
        withinMs: 30_000,
      })
    })

    test('a SIGTERM for npm alone ends everything', async () => {
      process.kill(run.pid, 'SIGTERM')
      await until(async () => expect(await processesOf(run)).toEqual([]), { everyMs: 200, withinMs: 60_000 })
      await expect(fetch(`${origin}/health`)).rejects.toThrow('fetch failed')
    })
  })

  test.each([
    ['SIGKILL', 'npm', /^npm start/],
    ['SIGHUP', 'its shell', /^\S*sh -c /],
    ['SIGKILL', 'the tool', /^\S*node \S*tools\/start\.ts/],
  ] as const)('a %s for %s alone ends everything', async (signal, _, command) => {
    const run = start('--port', '0', '--persist-to', state)
    await greeted(run)
    const found = (await processesOf(run)).filter((one) => command.test(one.command))
    expect(found).toHaveLength(1)
    process.kill(found[0]?.pid ?? 0, signal)
    await until(async () => expect(await processesOf(run)).toEqual([]), { everyMs: 200, withinMs: 60_000 })
  })

  test('where the server cannot start, it says why, and ends with its code', async () => {
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
