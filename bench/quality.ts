/**
 * `npm run bench:quality [-- --data <directory>]`
 *
 * Measures the quality of search on real passages and questions (`bench/data/retrieval`). It starts a Worker and stores
 * and asks through its public API. It prints recall@5, recall@10 and MRR@20 of the three modes, never a verdict. These
 * figures chose K1, B, RARITY and the fusion weights.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startServer } from '../test/e2e/support/server.ts'
import { ROOT } from '../tools/wrangler.ts'
import { waitUntilEmbedded } from './support/seed.ts'

const { values: options } = parseArgs({ options: { data: { type: 'string' } } })
const DATA = options.data ?? join(ROOT, 'bench/data/retrieval')
const MODES = ['keyword', 'semantic', 'hybrid']
const DEPTH = 20
const BATCH = 50
const CLIENTS = 4

interface Passage {
  id: string
  corpus: string
  text: string
}
interface Question {
  corpus: string
  query: string
  relevant: string[]
}

const read = <T>(file: string): T[] =>
  readFileSync(join(DATA, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

async function send<T>(url: string, session: string, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(url + path, {
    method,
    headers: { 'X-Session-Token': session, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** Runs `work` for all items, a few at once. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const client = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

const passages = read<Passage>('passages.jsonl')
const questions = read<Question>('questions.jsonl')
const server = await startServer({ vars: { LIMITS_FACTOR: '1000' } })
try {
  const form = new URLSearchParams({
    email: 'quality@bench.example',
    password: 'a password for benches',
    name: 'Bench',
  })
  const signUp = await fetch(`${server.url}/auth/register-user`, { method: 'POST', body: form })
  const { session_token: session } = (await signUp.json()) as { session_token: string }
  const { data } = await send<{ data: { workspace_id: string }[] }>(server.url, session, 'GET', '/v1/projects')
  const workspace_id = data[0]?.workspace_id

  const projects = new Map<string, string>()
  for (const corpus of new Set(passages.map((passage) => passage.corpus))) {
    const made = await send<{ id: string }>(server.url, session, 'POST', '/api/projects', {
      name: corpus,
      workspace_id,
    })
    projects.set(corpus, made.id)
  }
  const portions = Array.from({ length: Math.ceil(passages.length / BATCH) }, (_, at) =>
    passages.slice(at * BATCH, (at + 1) * BATCH),
  )
  for (const portion of portions) {
    const operations = portion.map(({ id, corpus, text }) => ({
      op: 'store',
      content: text,
      custom_id: id,
      context: { project_id: projects.get(corpus) },
    }))
    const reply = await send<{ error_count: number }>(server.url, session, 'POST', '/api/memory/batch', { operations })
    if (reply.error_count > 0) throw new Error(`a batch failed: ${JSON.stringify(reply)}`)
  }
  await waitUntilEmbedded(server, 300)

  console.log(`${passages.length} passages, ${questions.length} questions`)
  console.log(`${'mode'.padEnd(10)} recall@5 recall@10   MRR@20`)
  for (const mode of MODES) {
    const sums = { recall5: 0, recall10: 0, reciprocal: 0 }
    await each(questions, async ({ corpus, query, relevant }) => {
      const { results } = await send<{ results: { custom_id: string }[] }>(
        server.url,
        session,
        'POST',
        '/api/memory/search',
        { query, mode, limit: DEPTH, context: { project_id: projects.get(corpus) } },
      )
      const found = results.map((result) => result.custom_id)
      const recallAt = (depth: number) =>
        relevant.filter((id) => found.slice(0, depth).includes(id)).length / relevant.length
      const first = found.findIndex((id) => relevant.includes(id))
      sums.recall5 += recallAt(5)
      sums.recall10 += recallAt(10)
      sums.reciprocal += first < 0 ? 0 : 1 / (first + 1)
    })
    const cells = [sums.recall5, sums.recall10, sums.reciprocal].map((sum) => (sum / questions.length).toFixed(4))
    console.log(`${mode.padEnd(10)} ${cells.map((cell) => cell.padStart(8)).join('  ')}`)
  }
} finally {
  await server.stop()
}
