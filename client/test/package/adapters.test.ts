import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Agent } from '../../../test/e2e/support/agent.ts'
import { startServer, type Server } from '../../../test/e2e/support/server.ts'
import { newProject } from './support/build.ts'
import { NODE_VERSIONS, nodeBinary, type NodeVersion } from './support/runtimes.ts'

let server: Server
let project: string
beforeAll(async () => {
  const peers = ['ai', '@langchain/langgraph-checkpoint']
  ;[server, project] = await Promise.all([startServer({ staticAssets: false }), newProject(peers)])
})
afterAll(async () => {
  await server.stop()
  await rm(project, { recursive: true, force: true })
})

/** What a program prints as JSON that runs in a Node with the installed package and the packages that it adapts. */
async function run(program: string, version: NodeVersion): Promise<unknown> {
  const script = join(project, `${program}-${version}.mjs`)
  await build({
    entryPoints: [join(import.meta.dirname, `programs/${program}.ts`)],
    outfile: script,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    external: ['recollect', 'recollect/*', 'ai', 'ai/*'],
  })
  const key = await (await Agent.signUp(server.url)).makeKey(['read:memory', 'write:memory'])
  const env = { PATH: process.env['PATH'], BASE: server.url, KEY: key }
  const { stdout } = await promisify(execFile)(nodeBinary(version), [script], { cwd: project, env })
  const { node, ...printed } = JSON.parse(stdout) as { node: string }
  expect(node).toBe(version)
  return printed
}

test.each(NODE_VERSIONS)('Node %s keeps what LangGraph stores', async (version) => {
  expect(await run('langgraph', version)).toEqual({
    got: { text: 'Ada is allergic to peanuts.' },
    found: ['allergy'],
    namespaces: [['users', 'ada']],
    gone: null,
  })
})

// The AI SDK asks for Node 22.
test.each(NODE_VERSIONS.filter((version) => version !== '20'))(
  'Node %s runs the example of the AI SDK with a mock model',
  async (version) => {
    expect(await run('ai-sdk', version)).toEqual({
      answers: ['Noted.', 'No peanuts for you.'],
      remembered: [false, true],
      stored: ['I am allergic to peanuts.', 'Noted.', 'May I eat peanuts?', 'No peanuts for you.'],
    })
  },
)
