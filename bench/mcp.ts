/**
 * `npm run bench:mcp [-- --items 2000 --seconds 2 --rounds 10 --clients 16 --users 20]`
 *
 * Measures `search_memories` of the MCP server, of an older revision and of the one of 2026-07-28, beside
 * `POST /api/memory/search` with the same questions. The three take turns, another one first in each round, because a
 * shared machine changes its speed within minutes. It prints the rate of each and its ratio to REST: the median of the rounds.
 */
import { parseArgs } from 'node:util'
import { startServer } from '../test/e2e/support/server.ts'
import { load, type Figures, type LoadRequest } from './support/load.ts'
import { seedItems, seedUsers, waitUntilEmbedded, type BenchUser } from './support/seed.ts'
import { Texts } from './support/texts.ts'

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '10' },
    clients: { type: 'string', default: '16' },
    users: { type: 'string', default: '20' },
  },
})
const [seconds, rounds, clients] = [Number(values.seconds), Number(values.rounds), Number(values.clients)]
const LIMIT = 10

const texts = new Texts(1)
const server = await startServer({ vars: { LIMITS_FACTOR: '1000' }, staticAssets: false })
const users = await seedUsers(server.url, Number(values.users))
await seedItems(server.url, users, Number(values.items), texts)
await waitUntilEmbedded(server, 900)

const JSON_TYPE = { 'Content-Type': 'application/json' }

function rest(): LoadRequest {
  const { user, key } = anybody()
  const body = { query: texts.text(5), limit: LIMIT, context: { project_id: user.projectId } }
  const headers = { ...JSON_TYPE, 'X-API-Key': key }
  return { method: 'POST', path: '/api/memory/search', headers, body: JSON.stringify(body) }
}

function tool(more: { params: object; headers: Record<string, string> }): LoadRequest {
  const { user, key } = anybody()
  const args = { query: texts.text(5), limit: LIMIT, project_id: user.projectId, max_tokens: 100_000 }
  const params = { name: 'search_memories', arguments: args, ...more.params }
  const accept = 'application/json, text/event-stream'
  const headers = { ...JSON_TYPE, Accept: accept, Authorization: `Bearer ${key}`, ...more.headers }
  return {
    method: 'POST',
    path: '/mcp',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  }
}

const older = (): LoadRequest => tool({ params: {}, headers: { 'MCP-Protocol-Version': '2025-11-25' } })

const modern = (): LoadRequest =>
  tool({
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      },
    },
    headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'search_memories' },
  })

function anybody(): { user: BenchUser; key: string } {
  const user = texts.pick(users)
  return { user, key: texts.pick(user.keys) }
}

/** A tool answers its failures with 200, so one answer of each way is checked before the measurement. */
async function requireResults(next: () => LoadRequest): Promise<void> {
  const { path, ...init } = next()
  const text = await (await fetch(server.url + path, init)).text()
  if (!text.includes('"results":[') || text.includes('"isError"')) throw new Error(text)
}

const ways = { 'POST /api/memory/search': rest, 'search_memories, older': older, 'search_memories, 2026-07-28': modern }
const measured = Object.entries(ways).map(([name, next]) => ({ name, next, figures: [] as Figures[] }))
for (const { next } of measured) {
  await load(server.url, clients, 3, next)
  await requireResults(next)
}
for (let round = 0; round < rounds; round += 1) {
  // Another one is first in each round.
  for (let turn = 0; turn < measured.length; turn += 1) {
    const way = measured[(round + turn) % measured.length]
    if (way) way.figures.push(await load(server.url, clients, seconds, way.next))
  }
}
await server.stop()

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
console.log(
  `at ${clients} clients`.padEnd(30),
  ['ok/s', 'p50 ms', 'p95 ms', 'of REST'].map((cell) => cell.padStart(8)).join(' '),
)
for (const { name, figures } of measured) {
  const ratio = median(figures.map(({ rate }, round) => rate / (measured[0]?.figures[round]?.rate ?? Number.NaN)))
  const cells = [
    median(figures.map(({ rate }) => rate)).toFixed(0),
    median(figures.map(({ p50 }) => p50)).toFixed(1),
    median(figures.map(({ p95 }) => p95)).toFixed(1),
    ratio.toFixed(2),
  ]
  console.log(name.padEnd(30), cells.map((cell) => cell.padStart(8)).join(' '))
  const failed = figures.reduce((sum, one) => sum + one.failed + one.refused, 0)
  if (failed > 0) console.log(`  ${failed} requests were refused or failed`)
}
