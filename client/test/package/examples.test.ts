import { execFile, spawn } from 'node:child_process'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../../tools/wrangler.ts'
import { Agent } from '../../../test/e2e/support/agent.ts'
import { startReceiver } from '../../../test/e2e/support/receiver.ts'
import { startServer, type Server } from '../../../test/e2e/support/server.ts'
import { until } from '../../../test/support/until.ts'
import { newProject } from './support/build.ts'

const EXAMPLE = join(ROOT, 'examples/chat-memory.ts')

let server: Server
let project: string
beforeAll(async () => {
  ;[server, project] = await Promise.all([
    startServer({ vars: { LIMITS_FACTOR: '20' }, staticAssets: false }),
    newProject(),
  ])
})
afterAll(async () => {
  await server.stop()
  await rm(project, { recursive: true, force: true })
})

test("the newcomer's program stands in the documents as it is, in 40 lines", async () => {
  const program = await readFile(EXAMPLE, 'utf8')
  expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
  expect(await readFile(join(ROOT, 'docs/clients.md'), 'utf8')).toContain(`\`\`\`ts\n${program}\`\`\``)
})

test.each(['conversation.ts', 'python/conversation.py'])('%s stands in the documents, in 15 lines', async (file) => {
  const program = await readFile(join(ROOT, 'examples', file), 'utf8')
  expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(15)
  expect(await readFile(join(ROOT, 'docs/clients.md'), 'utf8')).toContain(`\n${program}\`\`\``)
})

/** What a TypeScript of a README prints, line by line, with a key that reads and writes. */
async function run(readme: string, { nth = 0, more = '' } = {}): Promise<string[]> {
  const text = await readFile(join(ROOT, readme), 'utf8')
  const blocks = Array.from(text.matchAll(/```ts\n([\s\S]*?)```/g), ([, block]) => block)
  await writeFile(join(project, 'readme.ts'), `${blocks[nth] ?? ''}${more}`)
  const agent = await Agent.signUp(server.url)
  const env = {
    PATH: process.env['PATH'],
    RECOLLECT_URL: server.url,
    RECOLLECT_API_KEY: await agent.makeKey(['read:memory', 'write:memory']),
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['readme.ts'], { cwd: project, env })
  return stdout.trimEnd().split('\n')
}

test('the TypeScript of README runs as it stands', async () => {
  const printed = await run('README.md')
  expect(printed.join('\n')).toMatch(/<memories>[^]*I cook for two, and I am allergic to peanuts\.[^]*<\/memories>/)
})

test("the TypeScript of the package's README runs as it stands", async () => {
  expect(await run('client/README.md')).toEqual(['Ada is allergic to peanuts.'])
})

test("the second TypeScript of the package's README remembers and recalls", async () => {
  const printed = await run('client/README.md', { nth: 1, more: 'console.log(text)' })
  expect(printed.join('\n')).toContain('allergic to peanuts')
})

test('the short chat recalls what was said', async () => {
  const key = await (await Agent.signUp(server.url)).makeKey(['read:memory', 'write:memory'])
  await copyFile(join(ROOT, 'examples/conversation.ts'), join(project, 'conversation.ts'))
  const program = spawn(process.execPath, ['conversation.ts'], {
    cwd: project,
    env: { PATH: process.env['PATH'], RECOLLECT_URL: server.url, RECOLLECT_API_KEY: key },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  program.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  program.stdin.end('I cook for two, and I am allergic to peanuts.\nWhat can I cook without peanuts?\n')
  const [code] = (await once(program, 'exit')) as [number]
  expect(code).toBe(0)
  expect(output).toMatch(/^Noted: I cook for two[^]*<memories>[^]*allergic to peanuts[^]*<\/memories>/)
})

test("the newcomer's program remembers, hears events and takes webhooks", async () => {
  const key = await (
    await Agent.signUp(server.url)
  ).makeKey(['read:memory', 'write:memory', 'read:events', 'write:events'])
  // A port that was free a moment ago.
  const free = await startReceiver()
  free.stop()
  await copyFile(EXAMPLE, join(project, 'chat-memory.ts'))
  const program = spawn(process.execPath, ['chat-memory.ts'], {
    cwd: project,
    env: { PATH: process.env['PATH'], RECOLLECT_URL: server.url, RECOLLECT_API_KEY: key, HOOK: free.url },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  program.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  program.stdin.write('Ada is allergic to peanuts.\n')
  await until(() =>
    expect(output).toMatch(/event: mem_\w+ is stored[^]*webhook: memory\.embedding_complete|webhook[^]*event/),
  )
  const forged = await fetch(free.url, { method: 'POST', body: '{}' })
  expect(forged.status).toBe(400)
  program.stdin.write('Does anyone have a nut allergy?\n')
  await until(() => expect(output).toContain('recalled: Ada is allergic to peanuts.'))
  program.stdin.end()
  const [code] = (await once(program, 'exit')) as [number]
  expect(code).toBe(0)
})
