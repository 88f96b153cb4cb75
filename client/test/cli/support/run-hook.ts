import type { Agent } from '../../../src/cli/agent/agents.ts'
import { Spool } from '../../../src/cli/agent/spool.ts'
import { handle } from '../../../src/cli/hook/handle.ts'
import { agentHome } from './agent-home.ts'
import type { Recorded } from './hook-inputs.ts'
import { startMemoryService } from './memory-service.ts'

type Home = Awaited<ReturnType<typeof agentHome>>

/** Runs a hook in the repository of a home. */
async function runHook(
  { io, folder }: Home,
  agent: Agent,
  { event, input }: Recorded,
  { env = {}, budgetMs = 20_000 }: { env?: object; budgetMs?: number } = {},
) {
  let senders = 0
  const began = performance.now()
  const own = {
    env: { ...io.env, ...env },
    now: io.now,
    signal: AbortSignal.timeout(budgetMs),
    startSender: async () => {
      senders += 1
    },
  }
  const text = JSON.stringify({ ...input, cwd: folder, workspace_roots: [folder] })
  return { output: await handle(own, agent, event, text), senders, ms: performance.now() - began }
}

/** A service, and a home whose hooks run in this process. */
export async function started(login?: Parameters<typeof agentHome>[1], remote?: string) {
  const service = await startMemoryService()
  const home = await agentHome(service.url, login, remote)
  return {
    service,
    home,
    hook: (agent: Agent, recorded: Recorded, options?: Parameters<typeof runHook>[3]) =>
      runHook(home, agent, recorded, options),
    waiting: async () => {
      const spool = new Spool(home.io.env)
      return Promise.all((await spool.names()).map((name) => spool.read(name)))
    },
  }
}
