import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../tools/wrangler.ts'
import { until } from '../support/until.ts'
import { Agent } from './support/agent.ts'
import { cliOf, ctrlC, type Cli } from './support/cli.ts'
import { startServer, type Server } from './support/server.ts'
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts'

const EXPORTS = join(ROOT, 'client/test/cli/convert/exports')

let server: Server
let proxy: TcpProxy
let agent: Agent

beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '20' }, staticAssets: false })
  proxy = await startTcpProxy(server.url)
  agent = await Agent.signUp(server.url)
})
afterAll(async () => {
  await proxy.stop()
  await server.stop()
})

interface Item {
  id: string
  custom_id: string | null
  content: { text: string; type: string; metadata: object }
}

const itemsOf = (text: string): Item[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Item)

const exportOf = async (cli: Cli, ...args: string[]) => itemsOf((await cli.run(['export', ...args])).stdout)

/** A file of lines for an import into a namespace, and their texts. */
async function fileOf(cli: Cli, namespace: string, count: number): Promise<{ file: string; lines: string[] }> {
  const lines = Array.from({ length: count }, (_, n) => `Line ${n} of the harbour log.`)
  const file = join(cli.home, `${namespace}.jsonl`)
  await writeFile(file, lines.map((content) => JSON.stringify({ content, context: { namespace } })).join('\n'))
  return { file, lines }
}

test('Ctrl-C in the middle of an import, and its resumption: each line is stored once', async () => {
  const cli = await cliOf(agent)
  const { file, lines } = await fileOf(cli, 'import', 3_000)

  const broken = cli.terminal(['import', file])
  await broken.shows(/ [1-9][\d,]* of 3,000/)
  ctrlC(broken)
  expect(await broken.ended).toBe(130)
  const stopped = Number(/Stopped after line ([\d,]+) of 3,000/.exec(broken.output())?.[1]?.replace(',', ''))
  expect(stopped).toBeGreaterThan(0)
  expect(stopped).toBeLessThan(3_000)
  expect(await exportOf(cli, '--namespace', 'import')).toHaveLength(stopped)

  const resumed = cli.terminal(['import', file])
  await resumed.shows('█')
  expect(await resumed.ended).toBe(0)
  expect(resumed.output()).toContain(`Resuming after line ${stopped.toLocaleString('en-US')} of 3,000`)
  expect(resumed.output()).toContain('Imported: 3,000 created')
  const texts = (await exportOf(cli, '--namespace', 'import')).map(({ content }) => content.text)
  expect(texts.sort()).toEqual([...lines].sort())
}, 120_000)

test('an import that is killed, and its resumption: each line is stored once', async () => {
  const cli = await cliOf(agent)
  const { file, lines } = await fileOf(cli, 'killed', 2_000)
  const broken = cli.terminal(['import', file])
  await broken.shows(/ [1-9][\d,]* of 2,000/)
  broken.kill()
  await broken.ended
  const before = await exportOf(cli, '--namespace', 'killed')
  expect(before.length).toBeGreaterThan(0)
  expect(before.length).toBeLessThan(2_000)

  const resumed = cli.terminal(['import', file])
  await resumed.shows(/Resuming after line [1-9][\d,]* of 2,000/)
  // The service frees the key of a call that has died after a minute, which passes at once here.
  const database = await server.miniflare.getD1Database(server.home.DB)
  const pass = database.prepare('update idempotency_keys set created_at = created_at - 60000 where status is null')
  await until(
    async () => {
      await pass.run()
      expect(resumed.output()).toContain('Imported: 2,000 created')
    },
    { everyMs: 500, withinMs: 60_000 },
  )
  expect(await resumed.ended).toBe(0)
  const texts = (await exportOf(cli, '--namespace', 'killed')).map(({ content }) => content.text)
  expect(texts.sort()).toEqual([...lines].sort())
  // Nothing is left to go on from.
  expect(await readdir(join(cli.home, '.local/state/recollect/imports'))).toEqual([])
}, 120_000)

test('an export into a file of one’s own is that of standard output', async () => {
  const cli = await cliOf(agent)
  const ndjson = Array.from({ length: 250 }, (_, n) =>
    JSON.stringify({ content: `Item ${n}`, tags: ['moved'], context: { namespace: 'export' } }),
  )
  expect((await cli.run(['import', '-'], { stdin: ndjson.join('\n') })).code).toBe(0)
  const file = join(cli.home, 'items.jsonl')
  const piped = await exportOf(cli, '--namespace', 'export')
  expect(piped).toHaveLength(250)
  expect((await cli.run(['export', '--namespace', 'export', '-o', file])).code).toBe(0)
  const written = (await readFile(file, 'utf8')).trimEnd().split('\n')
  expect(written.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(piped.map(({ id }) => id))
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('an export that breaks off, is killed and goes on holds each item once, with its progress on a terminal', async () => {
  const cli = await cliOf(agent)
  const { file: source, lines } = await fileOf(cli, 'broken', 1_500)
  expect((await cli.run(['import', source])).code).toBe(0)
  const all = await exportOf(cli, '--namespace', 'broken')
  const bytes = Buffer.byteLength(all.map((item) => `${JSON.stringify(item)}\n`).join(''))
  const file = join(cli.home, 'items.jsonl')
  const command = ['export', '--namespace', 'broken', '-o', file, '--url', proxy.url.replace(/^ws/, 'http')]

  // The line ends after a third, and the process while the service is away.
  proxy.limit(bytes / 3)
  const broken = cli.terminal(command)
  await broken.shows(/[1-9]\d* items {2}[\d,]+\/s/)
  await broken.shows('The connection was lost. Resuming …')
  proxy.cut()
  broken.kill()
  await broken.ended
  const held = itemsOf((await readFile(`${file}.part`, 'utf8')).replace(/[^\n]*$/, '')).length
  expect(held).toBeGreaterThan(0)
  expect(held).toBeLessThan(lines.length)

  proxy.restore()
  const resumed = cli.terminal(command)
  await resumed.shows(`Resuming after item ${held}.`)
  // The line ends once more, and it is taken up by itself.
  expect(await resumed.ended).toBe(0)
  expect(resumed.output()).toContain('The connection was lost. Resuming …')
  expect(resumed.output()).toContain('Exported 1,500 items')
  const exported = itemsOf(await readFile(file, 'utf8'))
  expect(exported.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
  expect(exported.map(({ content }) => content.text).sort()).toEqual([...lines].sort())
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await expect(stat(`${file}.part`)).rejects.toThrow('ENOENT')
  proxy.limit(Infinity)
}, 120_000)

/** What an import of the format says, the first time and once more. */
async function importTwice(cli: Cli, format: string, source: string) {
  const once = async () => JSON.parse((await cli.run(['import', '--from', format, source])).stdout) as object
  return [await once(), await once()]
}

const byCustomId = async (cli: Cli): Promise<Record<string, Item>> =>
  Object.fromEntries((await exportOf(cli)).map((item) => [item.custom_id, item]))

test('a list of mem0 and one of Supermemory are stored, with times, tags and ids, and a second time updated', async () => {
  const cli = await cliOf(await Agent.signUp(server.url))
  for (const format of ['mem0', 'supermemory']) {
    expect(await importTwice(cli, format, join(EXPORTS, `${format}.json`))).toMatchObject([
      { created: 2, updated: 0, failed: 0, skipped: 1 },
      { created: 0, updated: 2, failed: 0, skipped: 1 },
    ])
  }
  const found = await byCustomId(cli)
  expect(found).toMatchObject({
    'mem0:7d5c3f0e-9a51-4a43-8f3e-0d2f7f0c1a11': {
      content: {
        text: 'Dana is vegetarian and does not eat nuts.',
        metadata: { source: 'chat', confidence: 0.9, user_id: 'dana', app_id: 'kitchen' },
      },
      tags: ['food_preferences', 'health'],
      context: { session_id: 'session-42', subject: 'dana' },
      created_at: '2025-03-01T18:00:00.123Z',
      expires_at: null,
    },
    'mem0:1f0e6a52-52a5-4f57-9a7f-6f9a3f0d9b22': {
      content: { metadata: { user_id: 'dana', agent_id: 'travel-agent' } },
      tags: [],
      expires_at: expect.stringMatching(/^2034-01-0[12]T/),
    },
    'supermemory:meeting-notes-7': {
      content: {
        text: 'The atlas project meets on Tuesdays in the small library.',
        metadata: { category: 'work', isPublic: true, readingTime: 2, title: 'Atlas meetings', type: 'text' },
      },
      tags: ['user_dana', 'project_atlas'],
      created_at: '2025-05-01T08:00:00.000Z',
    },
    'supermemory:bdyW6MINFtH3iNTOc5vnco': {
      content: { metadata: { url: 'https://example.com/lighthouses' } },
      context: { subject: 'user_dana' },
    },
  })
  expect(Object.keys(found)).toHaveLength(4)
  const { results } = JSON.parse((await cli.run(['search', 'lighthouse', 'keeper', '--mode', 'keyword'])).stdout)
  expect(results[0].custom_id).toBe('supermemory:bdyW6MINFtH3iNTOc5vnco')
})

test('folders of text and Markdown are stored file by file, and changed files are updated', async () => {
  const cli = await cliOf(await Agent.signUp(server.url))
  const notes = join(cli.home, 'notes')
  const write = async (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(notes, name, '..'), { recursive: true })
      await writeFile(join(notes, name), text)
    }
  }
  await write({
    'diary/2025-04-03.txt': 'The ferry was late.\n',
    'todo.txt': 'Buy a kettle.',
    'empty.txt': ' \n',
    'deep/down/note.md':
      '---\ntitle: Tea\ntags: [note, "#hot"]\ndate: 2025-04-03\n---\n# Tea\n\nFirst boil the water.\n',
    'README.markdown': '# About these notes\n',
    '.obsidian/workspace.md': 'hidden',
    'node_modules/x/readme.md': 'of others',
  })
  expect(await importTwice(cli, 'text', notes)).toMatchObject([
    { created: 2, updated: 0, failed: 0, skipped: 1 },
    { created: 0, updated: 2, failed: 0, skipped: 1 },
  ])
  await write({ 'todo.txt': 'Buy a teapot.', 'later.txt': 'Written later.' })
  expect((await importTwice(cli, 'text', notes))[0]).toMatchObject({ created: 1, updated: 2 })
  expect(await importTwice(cli, 'markdown', notes)).toMatchObject([{ created: 2 }, { updated: 2 }])

  const found = await byCustomId(cli)
  expect(found).toMatchObject({
    'diary/2025-04-03.txt': { content: { text: 'The ferry was late.', type: 'text/plain' } },
    'todo.txt': { content: { text: 'Buy a teapot.', metadata: { path: 'todo.txt' } } },
    'later.txt': {},
    'deep/down/note.md': {
      content: {
        text: '# Tea\n\nFirst boil the water.',
        type: 'text/markdown',
        metadata: { path: 'deep/down/note.md', title: 'Tea' },
      },
      tags: ['note', 'hot'],
      occurred_at: '2025-04-03T00:00:00.000Z',
    },
    'README.markdown': { content: { text: '# About these notes' } },
  })
  expect(Object.keys(found)).toHaveLength(5)
})

test('a folder that is imported again: old parts, removed tags and files that are gone; what cannot be read is named', async () => {
  const cli = await cliOf(await Agent.signUp(server.url))
  const notes = join(cli.home, 'notes')
  await mkdir(notes)
  const write = (name: string, text: string | Uint8Array) => writeFile(join(notes, name), text)
  const chapter = `# Chapter\n\n${'The lighthouse keeper writes. '.repeat(1_500)}\n`
  await write('book.md', chapter.repeat(3))
  await write('tea.md', '---\ntags: [tea]\ndate: 2024/05/01 10:00:00\n---\nBoil the water.')
  await write('gone.md', 'Written once.')
  const run = async (...options: string[]) => {
    const { code, stdout, stderr } = await cli.run(['import', '--from', 'markdown', notes, ...options])
    return { code, report: JSON.parse(stdout) as Record<string, unknown>, stderr }
  }
  expect(await run()).toMatchObject({ code: 0, report: { created: 5, removed: 0 } })
  expect(await byCustomId(cli)).toMatchObject({ 'tea.md': { tags: ['tea'], occurred_at: '2024-05-01T10:00:00.000Z' } })

  await write('book.md', chapter)
  await write('tea.md', 'Boil the water.')
  await rm(join(notes, 'gone.md'))
  await write('latin1.md', Buffer.from('caf\xe9', 'latin1'))
  const again = await run('--prune')
  expect(again).toMatchObject({
    code: 1,
    report: {
      created: 1,
      updated: 1,
      removed: 3,
      pruned: 1,
      left_out: [{ from: 'latin1.md', reason: 'it is not UTF-8 text' }],
    },
  })
  expect(again.stderr).toContain('latin1.md: left out: it is not UTF-8 text')
  const found = await byCustomId(cli)
  expect(Object.keys(found).sort()).toEqual(['book.md', 'tea.md'])
  expect(found['tea.md']).toMatchObject({ tags: [], occurred_at: null })
})

test('memories of several users go into namespaces of their own', async () => {
  const cli = await cliOf(await Agent.signUp(server.url))
  const file = join(cli.home, 'export.json')
  const memory = `Ada's page. ${'A sentence of it. '.repeat(4_000)}`
  await writeFile(
    file,
    JSON.stringify([
      { id: '1', memory, user_id: 'ada' },
      { id: '2', memory: 'x', user_id: 'b b' },
    ]),
  )
  const { code } = await cli.run(['import', '--from', 'mem0', file, '--namespace', 'user:{user_id}'])
  expect(code).toBe(0)
  const idsIn = async (namespace: string) =>
    new Set((await exportOf(cli, '--namespace', namespace)).map((one) => one.custom_id))
  expect(await idsIn('user:ada')).toEqual(new Set(['mem0:1#1', 'mem0:1#2']))
  expect(await idsIn('user:b=20b')).toEqual(new Set(['mem0:2']))
})

test('standard input that is not UTF-8 is refused, and one with a mark is read', async () => {
  const cli = await cliOf(agent)
  const stored = async (stdin: Uint8Array) => cli.run(['store'], { stdin })
  const refused = await stored(Buffer.from('caf\xe9', 'latin1'))
  expect([refused.code, refused.stderr]).toEqual([7, expect.stringContaining('it is not UTF-8 text')])
  for (const encoding of ['utf8', 'utf16le'] as const) {
    const { stdout } = await stored(Buffer.from('\ufeffcafé\n', encoding))
    expect(JSON.parse(stdout)).toMatchObject({ content: { text: 'café' } })
  }
})

test('eval asks the service: what is expected is found by id and by custom id, and a later run compares itself', async () => {
  const cli = await cliOf(agent)
  const context = { namespace: 'eval' }
  const stored = [
    { content: 'Ada is allergic to peanuts.', custom_id: 'ada-nuts', context },
    { content: 'Ada drinks tea without sugar.', custom_id: 'ada-tea', context },
  ]
  const input = { stdin: stored.map((item) => JSON.stringify(item)).join('\n') }
  expect((await cli.run(['import', '-'], input)).code).toBe(0)
  const [nuts] = (await exportOf(cli, '--namespace', 'eval')).filter(({ custom_id }) => custom_id === 'ada-nuts')
  const questions = [
    { query: 'Who is allergic to peanuts?', expected: [nuts?.id], context },
    { query: 'What does Ada drink?', expected: ['ada-tea'], context },
    { query: 'zyxwv', expected: [], context },
  ]
  const [file, old] = [join(cli.home, 'questions.jsonl'), join(cli.home, 'old.json')]
  await writeFile(file, questions.map((line) => JSON.stringify(line)).join('\n'))
  // Once both items are embedded.
  await until(
    async () => {
      const first = await cli.run(['eval', file, '--modes', 'hybrid,keyword', '--json'])
      expect(first.code).toBe(0)
      expect(JSON.parse(first.stdout).modes.hybrid).toMatchObject({ recall_at_1: 1, mrr: 1, false_positives: 0 })
      await writeFile(old, first.stdout)
    },
    { everyMs: 200 },
  )
  const second = await cli.run(['eval', file, '--compare', old, '--min-recall', '0.9', '--json'])
  expect(JSON.parse(second.stdout).compared).toMatchObject({ same_file: true, modes: { hybrid: { mrr: 0 } } })
  expect(second.code).toBe(0)

  await writeFile(file, JSON.stringify({ query: 'Who?', expected: ['nobody'], context }))
  const wrong = await cli.run(['eval', file])
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('nobody')])
})
