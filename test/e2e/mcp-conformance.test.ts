import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../tools/wrangler.ts'
import { Agent } from './support/agent.ts'
import { startKeyProxy } from './support/key-proxy.ts'
import { startServer, type Server } from './support/server.ts'
import { startSuiteServer } from './support/suite-server.ts'

const SUITE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

interface Row {
  revision: string
  baseline: string
  /** Lines of the baseline. It may only shrink: lower this with it, and never raise it. */
  lines: number
  /** Scenarios that must pass, and may stand in no baseline. */
  required: string[]
}

const LISTS = ['tools-list', 'resources-list', 'prompts-list']

/** Of our service. Its baseline excuses tools, resources and prompts of the suite's own, which it does not have. */
const SERVICE: Row[] = [
  {
    revision: '2025-11-25',
    baseline: 'mcp-conformance-2025-11-25.yml',
    lines: 25,
    required: ['server-initialize', 'ping', ...LISTS],
  },
  {
    revision: '2026-07-28',
    baseline: 'mcp-conformance-2026-07-28.yml',
    lines: 32,
    required: [
      ...LISTS,
      'caching',
      'http-header-validation',
      'sep-2164-resource-not-found',
      'server-sse-multiple-streams',
    ],
  },
]

/** Of the transport of our service, with the tools, resources and prompts of the suite behind it. */
const TRANSPORT: Row[] = [
  {
    revision: '2025-11-25',
    baseline: 'mcp-transport-2025-11-25.yml',
    lines: 12,
    required: ['tools-call-simple-text', 'tools-call-error', 'resources-templates-read', 'prompts-get-with-image'],
  },
  {
    revision: '2026-07-28',
    baseline: 'mcp-transport-2026-07-28.yml',
    lines: 3,
    required: ['server-stateless', 'tools-call-mixed-content', 'input-required-result-tampered-state'],
  },
]

const fileOf = ({ baseline }: Row): string => join(ROOT, 'test/e2e', baseline)

let server: Server
let agent: Agent
let proxy: Awaited<ReturnType<typeof startKeyProxy>>
beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '1000' } })
  agent = await Agent.signUp(server.url)
  proxy = await startKeyProxy(server.url, await agent.makeKey())
})
afterAll(async () => {
  proxy?.stop()
  await server?.stop()
})

/** Runs the suite; `onOutput` gets all that it has said so far. */
function runSuite(args: string[], onOutput: (output: string) => void = () => {}) {
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, [SUITE, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => onOutput((output += chunk.toString())))
    }
    child.on('close', (code) => resolve({ code, output }))
  })
}

/** Runs what a revision requires. The suite fails too where a check of the baseline passes by now. */
async function expectConformity(url: string, row: Row): Promise<void> {
  const args = ['server', '--url', url, '--requirements', row.revision, '--expected-failures', fileOf(row)]
  const { code, output } = await runSuite(args)
  expect(code, output.slice(-4_000)).toBe(0)
  for (const name of row.required) expect(output).toMatch(new RegExp(`✓ ${name}: [1-9]\\d* passed, 0 failed`))
}

test.each(SERVICE)('the suite for $revision finds no fault in the service that the baseline does not explain', (row) =>
  expectConformity(`${proxy.url}/mcp`, row),
)

test.each(TRANSPORT)('the suite for $revision finds none in the transport with tools of its own', async (row) => {
  const suite = await startSuiteServer()
  try {
    await expectConformity(suite.url, row)
  } finally {
    suite.stop()
  }
})

test.each([...SERVICE, ...TRANSPORT])('$baseline names each fault with a reason, and has not grown', async (row) => {
  const lines = (await readFile(fileOf(row), 'utf8')).split('\n').filter((line) => line.startsWith('  - '))
  expect(lines.length).toBeLessThanOrEqual(row.lines)
  for (const line of lines) expect(line).toMatch(/^ {2}- \S+:\S+ # \S/)
  for (const scenario of row.required) expect(lines.join('\n')).not.toContain(`- ${scenario}:`)
  // Of this scenario only those are excused that call a tool of the suite.
  const stateless = lines.filter((line) => line.includes('server-stateless:'))
  expect(stateless.filter((line) => !line.endsWith('# calls a tool of the suite'))).toEqual([])
})

test('the suite finds no fault in the authorization server', async () => {
  const port = await freePort()
  const app = await agent.makeApp(`http://127.0.0.1:${port}/callback`, { type: 'public' })
  const args = ['--client-id', app.client_id, '--port', String(port), '--resource', `${server.url}/mcp`]
  let opened = false
  const { code, output } = await runSuite(['authorization', '--url', server.url, ...args], (said) => {
    const url = /^http\S+\/auth\/authorize\?\S+$/m.exec(said)?.[0]
    if (url === undefined || opened) return
    opened = true
    void browse(url)
  })
  expect(code, output.slice(-4_000)).toBe(0)
  expect(output).toContain('✓ authorization-code-grant')
})

/** As a browser: the person approves, and it follows the redirect to the suite. */
async function browse(url: string): Promise<void> {
  await fetch(await agent.approve(url))
}

/** Below the ports that a system gives out by itself: nobody is given this one before the suite listens on it. */
async function freePort(): Promise<number> {
  for (let port = 20_000 + (process.pid % 10_000); ; port += 1) {
    const probe = createServer()
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!free) continue
    await new Promise((resolve) => probe.close(resolve))
    return port
  }
}
