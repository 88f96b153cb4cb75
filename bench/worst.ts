/**
 * `npm run bench:worst [-- --items 10000 --runs 7 --only option]`; `--only budget`: searches for words that all items share,
 * and for metadata.
 *
 * The dearest legal request of each endpoint with a bounded answer against a median one with the same limit: one project
 * with 10,000 items, which are stored through the API. While a request runs, a second user retrieves an item over and
 * over, and the slowest of these answers tells how long the database was held. It prints figures, never a verdict.
 */
import { parseArgs } from 'node:util'
import { startServer } from '../test/e2e/support/server.ts'
import type { LoadRequest } from './support/load.ts'
import { cpuMsOf, startCpuServer, startedRuntime } from './support/runtime-cpu.ts'
import { seedUsers, waitUntilEmbedded } from './support/seed.ts'
import { Texts } from './support/texts.ts'
import { LIST_OPTIONS, optionItem, SEARCH_OPTIONS, startReranker } from './support/worst-options.ts'
import { compareBudget, seedBudget } from './support/worst-budget.ts'
import { compareAnswers, compareGrants, compareLists, compareSeries, pathIds } from './support/worst-answers.ts'
import { get, post, WorstTable, type Users } from './support/worst-table.ts'
import { compareWrites } from './support/worst-writes.ts'
import { heavyItem, MEDIAN_FILTER, seedItem, WORST_FILTERS, worstList } from './support/worst-requests.ts'

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '7' },
    only: { type: 'string', default: '' },
    calls: { type: 'boolean', default: false },
  },
})
const items = Number(values.items)
const runs = Number(values.runs)
const BATCH = 50
const texts = new Texts(1)
/** With it no limit refuses one user. */
const reranker = await startReranker()
const server = await startServer({
  vars: { LIMITS_FACTOR: '1000', RERANK_URL: reranker.url },
  staticAssets: false,
  script: 'bench/worker/rows.ts',
})
const runtime = startedRuntime()
const cpu = await startCpuServer(runtime)
/** A part with items of its own. */
const BUDGET = 'budget'
const table = new WorstTable(
  { url: server.url, cpuUrl: cpu.url, untilEmbedded: () => waitUntilEmbedded(server, 900) },
  { runs, only: values.only, calls: values.calls },
)
const send = table.send

async function seed(): Promise<Users> {
  const [caller, , other, , heavy, , large, , shared, , members] = await seedUsers(server.url, 12)
  if (!caller || !other || !heavy || !large || !shared || !members) throw new Error('users are made in pairs')
  const { text } = await send(post('/api/memory/store', { content: 'of another user' }), other)
  const item = (JSON.parse(text) as { id: string }).id
  const users = { caller, other, heavy, large, owner: large, shared, members, item }
  if (BUDGET.includes(values.only)) await seedBudget(send, users, items, texts)
  if (values.only !== BUDGET) await seedOthers(users)
  await waitUntilEmbedded(server, 900)
  return users
}

async function seedOthers({ caller, heavy }: Users): Promise<void> {
  for (let at = 0; at < items; at += BATCH) {
    const operations = Array.from({ length: BATCH }, (_, nth) => seedItem(at + nth, `common ${texts.text(40)}`))
    await send(post('/api/memory/batch', { operations }), caller)
  }
  for (let at = 0; at < items / 2; at += BATCH) {
    const operations = Array.from({ length: BATCH }, (_, nth) => optionItem(at + nth, `common ${texts.text(40)}`))
    await send(post('/api/memory/batch', { operations }), caller)
  }
  for (let at = 0; at < items; at += BATCH) {
    const operations = Array.from({ length: BATCH }, (_, nth) => heavyItem(at + nth, `common ${texts.text(40)}`))
    await send(post('/api/memory/batch', { operations }), heavy)
  }
}

try {
  const users = await seed()
  const compare = table.comparing(users)
  /** Whether `--only` may name something of a group. */
  const wanted = (group: string): boolean => group.includes(values.only) || values.only.includes(group)
  table.printHead(items)

  const usualList = new URLSearchParams({ limit: '100', filters: JSON.stringify(MEDIAN_FILTER) })
  const search = (mode: string, filters: unknown, words: string) =>
    post('/api/memory/search', { query: words, mode, limit: 100, filters })
  const longest = (): string => `common ${texts.text(2_000)}`.slice(0, 4_096)
  for (const [kind, filter] of Object.entries(WORST_FILTERS)) {
    await compare(
      `list, ${kind}`,
      () => get(`/v1/memory/items?${usualList}`),
      () => get(`/v1/memory/items?${worstList(filter)}`),
    )
    const without = new URLSearchParams({ limit: '100', filters: JSON.stringify(filter), q: 'common' })
    await compare(
      `list with q, ${kind}`,
      () => get(`/v1/memory/items?${usualList}&q=common`),
      () => get(`/v1/memory/items?${without}`),
    )
    await compare(
      `bulk delete (dry run), ${kind}`,
      () => post('/v1/memory/delete', { filters: MEDIAN_FILTER, dry_run: true }),
      () => post('/v1/memory/delete', { filters: filter, dry_run: true }),
    )
    for (const mode of ['hybrid', 'semantic', 'keyword']) {
      await compare(
        `search ${mode}, ${kind}`,
        () => search(mode, MEDIAN_FILTER, `common ${texts.text(4)}`),
        () => search(mode, filter, longest()),
      )
    }
  }
  // The project of `heavy` has as many items, of 16 KB of metadata each.
  const ofHeavy = (request: LoadRequest) => () => ({ ...request, as: 'heavy' as const })
  const none = { 'metadata.n': { '>': items } }
  const heavyList = new URLSearchParams({ limit: '100', filters: JSON.stringify(none) })
  await compare(
    'list, large metadata',
    () => get(`/v1/memory/items?${usualList}`),
    ofHeavy(get(`/v1/memory/items?${heavyList}`)),
  )
  await compare(
    'list with q, large metadata',
    () => get(`/v1/memory/items?${usualList}&q=common`),
    ofHeavy(get(`/v1/memory/items?${heavyList}&q=common`)),
  )
  for (const mode of ['hybrid', 'semantic', 'keyword']) {
    await compare(
      `search ${mode}, large metadata`,
      () => search(mode, MEDIAN_FILTER, `common ${texts.text(4)}`),
      ofHeavy(search(mode, none, longest())),
    )
  }
  for (const [name, { usual, worst }] of Object.entries(SEARCH_OPTIONS)) {
    const asked = (options: object) => () =>
      post('/api/memory/search', { query: `common ${texts.text(4)}`, limit: 100, ...options })
    await compare(`search option, ${name}`, asked(usual), asked(worst))
  }
  for (const [name, { usual, worst }] of Object.entries(LIST_OPTIONS)) {
    await compare(
      `list option, ${name}`,
      () => get(usual),
      () => get(worst),
    )
  }
  await compareWrites(compare, table.send, users, { texts, items })
  if (wanted('grants and tags')) await compareGrants(compare, server.url, users)
  if (wanted('widest texts')) await compareAnswers(compare, table.send, users, texts)
  await compareSeries(compare)
  if (wanted('GET ')) await compareLists(compare, await pathIds(table.send, users, cpu.url))
  if (wanted(BUDGET)) await compareBudget({ compare, send, users, cpuMs: () => cpuMsOf(runtime), runs })
  table.printDearestRead()
} catch (error) {
  console.error(
    server
      .log()
      .split('\n')
      .filter((line) => line.includes('error'))
      .slice(-3)
      .join('\n'),
  )
  throw error
} finally {
  await server.stop()
  reranker.stop()
  cpu.stop()
}
