import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../tools/wrangler.ts'
import { until } from '../support/until.ts'
import { Agent } from './support/agent.ts'
import { cliOf, type Cli } from './support/cli.ts'
import { startServer, type Server } from './support/server.ts'

const EXPORTS = join(ROOT, 'client/test/cli/convert/exports')

let server: Server

beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '20' }, staticAssets: false })
})
afterAll(() => server.stop())

interface Turn {
  id: string
  version: number
  content: { text: string }
  context: { conversation_id: string }
  turn: { role: string; message_id: string; part: number }
}

/** What is stored; the embedding follows later. */
const turnsOf = async (cli: Cli): Promise<Turn[]> =>
  (await cli.run(['export', '--namespace', 'history'])).stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { embedding_status: _, embedding_model: __, ...turn } = JSON.parse(line) as Turn & Record<string, unknown>
      return turn
    })

const importOf = (app: string, file: string) => ['import', '--from', app, file, '--namespace', 'history']

/** An export of ChatGPT with conversations of twenty messages. */
function chatgptExport(conversations: number): string {
  const all = Array.from({ length: conversations }, (_, c) => {
    const ids = Array.from({ length: 20 }, (__, n) => `${c}-${n}`)
    const nodes = ids.map((id, n) => ({
      id,
      parent: ids[n - 1] ?? null,
      message: {
        id,
        author: { role: n % 2 === 0 ? 'user' : 'assistant' },
        create_time: 1_772_355_600 + c * 100 + n,
        content: { content_type: 'text', parts: [`Message ${n} of the harbour log ${c}.`] },
      },
    }))
    const mapping = Object.fromEntries(nodes.map((node) => [node.id, node]))
    return { conversation_id: `log-${c}`, title: `Log ${c}`, mapping, current_node: ids.at(-1) }
  })
  return JSON.stringify(all)
}

test.each(['chatgpt', 'claude'])('an export of %s, imported twice, gives the same rows', async (app) => {
  const cli = await cliOf(await Agent.signUp(server.url))
  const command = importOf(app, join(EXPORTS, `${app}.json`))
  const first = await cli.run(command)
  expect(first).toMatchObject({ code: 0 })
  expect(JSON.parse(first.stdout)).toMatchObject({ created: 4, failed: 0, skipped: 0 })
  const before = await turnsOf(cli)
  expect(before).toHaveLength(4)
  const again = await cli.run(command)
  expect(again).toMatchObject({ code: 0 })
  expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, failed: 0 })
  expect(await turnsOf(cli)).toEqual(before)
})

test('the graph of a memory server, imported twice, gives the same items', async () => {
  const cli = await cliOf(await Agent.signUp(server.url))
  const command = importOf('mcp-memory', join(EXPORTS, 'mcp-memory.jsonl'))
  const [first, again] = [await cli.run(command), await cli.run(command)]
  expect(JSON.parse(first.stdout)).toMatchObject({ created: 4, failed: 0 })
  expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, updated: 4, failed: 0 })
  expect(await turnsOf(cli)).toHaveLength(4)
})

test('an import of conversations that is killed twice stores each message once, in its order', async () => {
  const cli = await cliOf(await Agent.signUp(server.url))
  const file = join(cli.home, 'conversations.json')
  await writeFile(file, chatgptExport(150))
  for (const shown of [/ [1-9][\d,]* of 3,000/, /Resuming after line [1-9][\d,]* of 3,000/]) {
    const broken = cli.terminal(importOf('chatgpt', file))
    await broken.shows(shown)
    broken.kill()
    await broken.ended
  }
  // The service frees the key of a call that has died after a minute, which passes at once here.
  const database = await server.miniflare.getD1Database(server.home.DB)
  const pass = database.prepare('update idempotency_keys set created_at = created_at - 60000 where status is null')
  const resumed = cli.terminal(importOf('chatgpt', file))
  await until(
    async () => {
      await pass.run()
      expect(resumed.output()).toContain('Imported: 3,000 created')
    },
    { everyMs: 500, withinMs: 60_000 },
  )
  expect(await resumed.ended).toBe(0)

  const turns = await turnsOf(cli)
  const sent = JSON.parse(await readFile(file, 'utf8')) as { conversation_id: string; mapping: object }[]
  for (const { conversation_id, mapping } of sent) {
    const own = turns.filter(({ context }) => context.conversation_id === conversation_id)
    expect(own.map(({ turn }) => turn.message_id)).toEqual(Object.keys(mapping))
  }
  expect((await cli.run(importOf('chatgpt', file))).code).toBe(0)
  expect(await turnsOf(cli)).toEqual(turns)
}, 180_000)
