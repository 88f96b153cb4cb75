/**
 * `npm run bench:pair -- --trees ../before,. [--items 1000 --projects 10 --mode hybrid --clients 16,64 --rounds 10 --seconds 1]`
 * `npm run bench:pair -- --trees ../before,. --namespaces 100 --items 10000 --projects 1`
 * `npm run bench:pair -- --trees ../before,. --turns [--projects 1]`
 * `npm run bench:pair -- --trees ../before,. --store 100 [--stores 150 --rounds 4]`
 *
 * Measures versions of the service beside each other: `git worktree add ../before COMMIT` makes a tree of another version,
 * which needs its own packages (`npm ci`). All get the same items and the same unseen queries, and take turns second by
 * second, because a shared machine changes its speed within minutes. A ratio is the median of the rounds, of a version to
 * the first one. CPU is that of the whole runtime and hardly depends on other processes. Linux only.
 * `--mode`: searches in this mode, `hybrid`, `semantic` or `keyword`; or `retrieve`, which reads single items instead.
 * `--namespaces`: the items of a project stand in as many namespaces, and each search asks one of them.
 * `--turns`: the items are turns of conversations of 20 with dates and two speakers. A third of the queries name a speaker, and
 * a tenth a date.
 * `--store`: stores texts of this many words one by one, until all are embedded; 0: texts of 64 KiB.
 */
import { parseArgs } from 'node:util'
import { load, type Figures, type LoadRequest } from './support/load.ts'
import { startPaired, type PairedService } from './support/paired-service.ts'
import { namespaceOf, seedItems, seedUsers, type BenchUser } from './support/seed.ts'
import { Texts } from './support/texts.ts'
import { turnQuery } from './support/turns.ts'

const { values } = parseArgs({
  options: {
    trees: { type: 'string' },
    items: { type: 'string', default: '1000' },
    projects: { type: 'string', default: '10' },
    mode: { type: 'string', default: 'hybrid' },
    clients: { type: 'string', default: '16,64' },
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '1' },
    namespaces: { type: 'string', default: '1' },
    turns: { type: 'boolean', default: false },
    store: { type: 'string' },
    stores: { type: 'string', default: '150' },
  },
})
const MODES = ['hybrid', 'semantic', 'keyword', 'retrieve']
if (!MODES.includes(values.mode)) throw new Error(`--mode is one of ${MODES.join(', ')}`)
const rounds = Number(values.rounds)
const namespaces = Number(values.namespaces)
const WARM_UP_SECONDS = 4
const LONGEST_CHARACTERS = 65_536

interface Version {
  service: PairedService
  users: BenchUser[]
}

/** Of one turn. */
interface Turn extends Figures {
  cpuMs: number
}

const trees = values.trees?.split(',') ?? []
if (trees.length < 2) throw new Error('--trees are the folders of two versions or more')
const versions: Version[] = []
for (const tree of trees) {
  const service = await startPaired(tree)
  const users = await seedUsers(service.url, 2 * Number(values.projects))
  if (values.store === undefined)
    await seedItems(service.url, users, Number(values.items), new Texts(1), { namespaces, turns: values.turns })
  await service.settle()
  versions.push({ service, users })
}

/** The same requests for each version, as every version draws them from the same seed. */
function reads(users: readonly BenchUser[], seed: number): () => LoadRequest {
  const texts = new Texts(seed)
  return () => {
    const { projectId, keys, items } = texts.pick(users)
    if (values.mode === 'retrieve') return retrieval(texts.pick(keys), texts.pick(items))
    const namespace = namespaces > 1 ? { namespace: namespaceOf(texts.index(namespaces), namespaces) } : {}
    const query = values.turns ? turnQuery(texts) : texts.text(5)
    const body = { query, mode: values.mode, context: { project_id: projectId, ...namespace } }
    return request('/api/memory/search', texts.pick(keys), body)
  }
}

const retrieval = (key: string, id: string): LoadRequest => ({
  method: 'GET',
  path: `/api/memory/retrieve?id=${id}`,
  headers: { 'X-API-Key': key },
})

const request = (path: string, key: string, body: object): LoadRequest => ({
  method: 'POST',
  path,
  headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

/** Lets a version answer searches, or retrieves, for some seconds. */
async function read({ service, users }: Version, clients: number, seconds: number, seed: number): Promise<Turn> {
  const before = service.cpuMs()
  const figures = await load(service.url, clients, seconds, reads(users, seed))
  if (figures.refused + figures.failed > 0) throw new Error(`${figures.refused + figures.failed} requests failed`)
  return { ...figures, cpuMs: (service.cpuMs() - before) / (figures.rate * seconds) }
}

/** Lets a version store some texts, one at a time, until all of them are embedded. */
async function store({ service, users }: Version, seed: number): Promise<Turn> {
  const texts = new Texts(seed)
  const words = Number(values.store)
  const content = () =>
    words > 0 ? texts.text(words) : texts.text(LONGEST_CHARACTERS / 4).slice(0, LONGEST_CHARACTERS)
  const count = Number(values.stores)
  const before = service.cpuMs()
  const startedAt = performance.now()
  for (let nth = 0; nth < count; nth += 1) {
    const { projectId, keys } = texts.pick(users)
    const { path, ...init } = request('/api/memory/store', texts.pick(keys), {
      content: content(),
      context: { project_id: projectId },
    })
    const answer = await fetch(service.url + path, init)
    if (!answer.ok) throw new Error(`a store was answered ${answer.status}`)
    await answer.arrayBuffer()
  }
  await service.embedded()
  const ms = (performance.now() - startedAt) / count
  return {
    rate: 1_000 / ms,
    p50: ms,
    p95: ms,
    p99: ms,
    refused: 0,
    failed: 0,
    cpuMs: (service.cpuMs() - before) / count,
  }
}

const median = (numbers: number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2
}

/** Runs `turn` for each version in each round, another one first each time, and prints the medians. */
async function compare(title: string, turn: (version: Version, seed: number) => Promise<Turn>): Promise<void> {
  const turns = versions.map((): Turn[] => [])
  for (let round = 0; round < rounds; round += 1) {
    for (let at = 0; at < versions.length; at += 1) {
      const nth = (round + at) % versions.length
      const version = versions[nth]
      if (version) turns[nth]?.push(await turn(version, 1_000 + round))
    }
  }
  console.log(
    `\n${title.padEnd(30)} ${['ok/s', 'p50 ms', 'p95 ms', 'CPU ms', 'rate', 'p95', 'CPU'].map((cell) => cell.padStart(8)).join(' ')}`,
  )
  versions.forEach(({ service }, nth) => {
    const own = turns[nth] ?? []
    const figure = (name: 'rate' | 'p50' | 'p95' | 'cpuMs'): number => median(own.map((one) => one[name]))
    const ratio = (name: 'rate' | 'p95' | 'cpuMs'): number =>
      median(own.map((one, round) => one[name] / (turns[0]?.[round]?.[name] ?? Number.NaN)))
    const cells = [
      figure('rate').toFixed(1),
      ...[figure('p50'), figure('p95')].map((ms) => ms.toFixed(1)),
      ...[figure('cpuMs'), ratio('rate'), ratio('p95'), ratio('cpuMs')].map((one) => one.toFixed(2)),
    ]
    console.log(service.name.padEnd(30), cells.map((cell) => cell.padStart(8)).join(' '))
  })
}

if (values.store === undefined) {
  for (const clients of values.clients.split(',').map(Number)) {
    for (const version of versions) await read(version, clients, WARM_UP_SECONDS, clients)
    await compare(
      `${values.mode}, ${values.items} ${values.turns ? 'turns' : 'items'}${namespaces > 1 ? `, 1/${namespaces}` : ''}, ${clients}`,
      (version, seed) => read(version, clients, Number(values.seconds), seed * 100 + clients),
    )
  }
} else {
  for (const version of versions) await store(version, 1)
  await compare(values.store === '0' ? 'store, 64 KiB' : `store, ${values.store} words`, store)
}
for (const { service } of versions) await service.stop()
