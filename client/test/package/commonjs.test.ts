import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Agent } from '../../../test/e2e/support/agent.ts'
import { startServer, type Server } from '../../../test/e2e/support/server.ts'
import { newProject } from './support/build.ts'
import { NODE_VERSIONS, nodeBinary } from './support/runtimes.ts'

const PROGRAM = `
const { ToolError } = require('@anthropic-ai/sdk/lib/tools/ToolError')
const { Recollect, NotFoundError } = require('recollect')
const { memoryHandlers } = require('recollect/anthropic')
const { namespaceOf } = require('recollect/namespace')
const { RecollectStore } = require('recollect/langgraph')

async function main() {
  const recollect = new Recollect()
  const namespace = await namespaceOf('user', 'zoë@example.com')
  const stored = await recollect.memory.store({ content: 'The kettle whistles at noon.', context: { namespace } })
  const heard = await new Promise((resolve, reject) => {
    const stream = recollect.events.listen({
      channels: ['memory'],
      onConnected: () => void recollect.memory.delete(stored.id).catch(reject),
      onEvent: ({ type }) => type === 'memory.deleted' && resolve(stream.close() ?? type),
      onStopped: (_, error) => error && reject(error),
    })
  })
  const gone = await recollect.memory.retrieve(stored.id).catch((error) => error instanceof NotFoundError && error.code)
  const store = new RecollectStore({ recollect, projectId: 'prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG' })
  const foreign = await store.put(['a'], 'k', {}).catch((error) => error instanceof NotFoundError && error.code)
  const { view } = memoryHandlers({ recollect })
  const refused = await view({ command: 'view', path: '/etc' }).catch((error) => error instanceof ToolError && error.message)
  console.log(JSON.stringify({ namespace: stored.context.namespace, heard, gone, foreign, refused }))
}
void main()
`

let server: Server
let project: string
beforeAll(async () => {
  ;[server, project] = await Promise.all([
    startServer({ staticAssets: false }),
    newProject(['@anthropic-ai/sdk', '@langchain/langgraph-checkpoint', 'ws']),
  ])
  await writeFile(join(project, 'program.cjs'), PROGRAM)
})
afterAll(async () => {
  await server.stop()
  await rm(project, { recursive: true, force: true })
})

test.each(NODE_VERSIONS)(
  'a CommonJS program on Node %s requires client and adapters, which share their errors',
  async (version) => {
    const key = await (await Agent.signUp(server.url)).makeKey(['read:memory', 'write:memory', 'read:events'])
    const env = { PATH: process.env['PATH'], RECOLLECT_URL: server.url, RECOLLECT_API_KEY: key }
    const { stdout } = await promisify(execFile)(nodeBinary(version), ['program.cjs'], { cwd: project, env })
    expect(JSON.parse(stdout)).toEqual({
      namespace: 'user:zo=C3=AB@example.com',
      heard: 'memory.deleted',
      gone: 'not_found',
      foreign: 'not_found',
      refused: 'Path must start with /memories, got: /etc',
    })
  },
)
