import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { until } from '../../../test/support/until.ts'
import { Agent } from '../../../test/e2e/support/agent.ts'
import { startReceiver } from '../../../test/e2e/support/receiver.ts'
import { startServer, type Server } from '../../../test/e2e/support/server.ts'
import { newProject } from './support/build.ts'
import { NODE_VERSIONS, nodeBinary, type NodeVersion } from './support/runtimes.ts'

let server: Server
let project: string
beforeAll(async () => {
  ;[server, project] = await Promise.all([startServer({ staticAssets: false }), newProject()])
})
afterAll(async () => {
  await server.stop()
  await rm(project, { recursive: true, force: true })
})

interface Exported {
  id: string
  content: { text: string }
}

interface Heard {
  data: { memory_id: string }
}

const parsedLines = <T>(text: string): T[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as T)

const idsOf = (events: readonly Heard[]): string[] => events.map(({ data }) => data.memory_id).sort()

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }

test('the installed package has its command', async () => {
  const { stdout } = await promisify(execFile)(join(project, 'node_modules/.bin/recollect'), ['--version'])
  expect(stdout.trim()).toBe(version)
})

interface Run {
  node: NodeVersion
  env: NodeJS.ProcessEnv
}

const bin = () => join(project, 'node_modules/recollect/bin/recollect.js')

/** What a command writes, given its standard input. */
async function run({ node, env }: Run, args: string[], input = ''): Promise<string> {
  const running = promisify(execFile)(nodeBinary(node), [bin(), ...args], { env })
  running.child.stdin?.end(input)
  return (await running).stdout
}

/** A `listen` that is connected. */
async function listen({ node, env }: Run, ...args: string[]) {
  const child = spawn(nodeBinary(node), [bin(), 'listen', '--type', 'memory.created', ...args], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = { heard: '', said: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.heard += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.said += chunk.toString()))
  await until(() => expect(output.said).toContain('Listening on memory'))
  return { child, output }
}

const LINES = ['The train leaves at six.', 'The shop closes at eight.']

test.each(NODE_VERSIONS)(
  'Node %s runs the command line: a key kept, items stored, found, imported, heard of, forwarded and exported',
  async (node) => {
    const key = await (await Agent.signUp(server.url)).makeKey(['read:memory', 'write:memory', 'read:events'])
    const home = await mkdtemp(join(tmpdir(), 'recollect-home-'))
    onTestFinished(() => rm(home, { recursive: true, force: true }))
    const as: Run = { node, env: { HOME: home, RECOLLECT_URL: server.url } }
    expect(JSON.parse(await run(as, ['login', '--key-stdin'], key))).toMatchObject({ method: 'key' })

    const { url, received, stop } = await startReceiver()
    onTestFinished(stop)
    const [plain, forwarding] = await Promise.all([
      listen(as, '--channel', 'memory', '--channel', 'memroy'),
      listen(as, '--forward', url),
    ])
    expect(plain.output.said).toContain('No built-in channel is called memroy. Did you mean "memory"?')
    const { id } = JSON.parse(await run(as, ['store', 'The kettle whistles at noon.']))
    expect(JSON.parse(await run(as, ['search', 'kettle'])).results[0].id).toBe(id)
    const lines = LINES.map((content) => JSON.stringify({ content })).join('\n')
    expect(JSON.parse(await run(as, ['import', '-'], lines))).toMatchObject({ created: 2, failed: 0 })
    const items = parsedLines<Exported>(await run(as, ['export']))
    expect(items.map(({ content }) => content.text).sort()).toEqual(['The kettle whistles at noon.', ...LINES].sort())

    const ids = items.map((item) => item.id).sort()
    expect(ids).toContain(id)
    await until(() => expect(idsOf(parsedLines(plain.output.heard))).toEqual(ids))
    const secret = /whsec_\S+/.exec(forwarding.output.said)?.[0] ?? ''
    await until(() => expect(received).toHaveLength(ids.length))
    const forwarded = received.flatMap(
      ({ body, headers }) => (new Webhook(secret).verify(body, headers) as { events: Heard[] }).events,
    )
    expect(idsOf(forwarded)).toEqual(ids)

    for (const { child } of [plain, forwarding]) child.kill('SIGINT')
    for (const { child } of [plain, forwarding]) await until(() => expect(child.exitCode).toBe(0))
  },
)
