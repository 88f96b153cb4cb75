import { afterAll, beforeAll, expect, test } from 'vitest'
import { Agent } from '../../../test/e2e/support/agent.ts'
import { hasPython } from '../../../test/e2e/support/python.ts'
import { startServer, type Server } from '../../../test/e2e/support/server.ts'
import { runPython } from '../cases/python.ts'

const SEED = Number(process.env['FC_SEED'] ?? 20_261_126)

let server: Server
beforeAll(async () => {
  server = await startServer({ staticAssets: false, vars: { LIMITS_FACTOR: '1000' } })
})
afterAll(() => server.stop())

test.runIf(hasPython)(
  `300 random commands have the results of the Python SDK's tool for a local disk (FC_SEED=${SEED})`,
  async () => {
    const key = await (await Agent.signUp(server.url)).makeKey(['read:memory', 'write:memory'])
    const env = { RECOLLECT_URL: server.url, RECOLLECT_API_KEY: key }
    expect(await runPython('run_memory_tool.py', { seed: SEED, commands: 300 }, env)).toEqual({ sync: [], async: [] })
  },
)
