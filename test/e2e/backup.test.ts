import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addShards, knownShards } from '../../tools/local-shards.ts'
import { newKeyRing, SECRET_NAMES } from '../../tools/secrets.ts'
import { ROOT } from '../../tools/wrangler.ts'
import { startServer, type Server } from './support/server.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)
/** Both servers have the same secrets, which a backup does not contain. */
const vars = { LIMITS_FACTOR: '100', ...Object.fromEntries(SECRET_NAMES.map((name) => [name, newKeyRing()])) }

/** Texts that break wrong quoting, parsing of dumps, or splitting of long statements. */
const TEXTS = {
  plain: 'Ada prefers tea over coffee.',
  quoted: `It's "quoted'; drop table memory_items; --`,
  lines: 'A real line end\nand one that is written out: \\n, \r\n too.',
  long: `${'図書館で本を読む。'.repeat(7_000)}終わり the rarest word is zyzzyva`,
}

/** The account lives in the last of them. */
const SHARDS = 2

let folder: string
let server: Server | undefined
let key = ''
const ids: Record<string, string> = {}

const statePath = (name: string): string => join(folder, name)
/** wrangler keeps its state in a folder of this name below `--persist-to`. */
const start = (name: string): Promise<Server> =>
  startServer({ vars, persistTo: join(statePath(name), 'v3'), shards: SHARDS })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-backup-test-'))
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function api(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`${server?.url}${path}`, {
    method,
    headers: { 'X-API-Key': key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return response.status === 204 ? null : response.json()
}

const found = async (mode: string, query: string): Promise<string[]> => {
  const { results } = await api('POST', '/api/memory/search', { query, mode, limit: 10 })
  return results.map(({ id }: { id: string }) => id)
}

async function furnish(): Promise<void> {
  const account = await fetch(`${server?.url}/auth/register-user`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }),
  })
  const { session_token } = (await account.json()) as { session_token: string }
  const made = await fetch(`${server?.url}/v1/api-keys`, {
    method: 'POST',
    headers: { 'X-Session-Token': session_token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'backup', scopes: ['read:memory', 'write:memory', 'read:audit'] }),
  })
  key = ((await made.json()) as { key: string }).key
  for (const [name, text] of Object.entries(TEXTS)) {
    const item = await api('POST', '/api/memory/store', { content: text, tags: [name], wait_ms: 10_000 })
    ids[name] = item.id
  }
  const gone = await api('POST', '/api/memory/store', { content: 'Ada prefers tea in this deleted memory.' })
  await api('DELETE', `/v1/memory/items/${gone.id}`)
  await api('PATCH', `/v1/memory/items/${ids['plain']}`, { content: { text: 'Ada prefers green tea over coffee.' } })
}

/** As the version before the classes wrote an item: no word in the present form, and its name as it came. */
async function asEarlier(id: string): Promise<void> {
  const database = await server?.miniflare.getD1Database(server.home.DB)
  if (!database) throw new Error('there is no server')
  await database.batch(
    [
      'delete from memory_words where rowid = (select row from memory_items where id = ?1)',
      `update memory_items set indexed_by = 1, indexed_version = 0, custom_id = 'cafe\u0301' where id = ?1`,
    ].map((sql) => database.prepare(sql).bind(id)),
  )
}

const named = async (name: string): Promise<string[]> => {
  const filters = JSON.stringify({ custom_id: name })
  const { data } = await api('GET', `/v1/memory/items?${new URLSearchParams({ filters }).toString()}`)
  return data.map((item: any) => item.custom_id)
}

const stores = async (): Promise<unknown[]> => (await api('GET', '/v1/audit?action=memory.store')).data

/** The commands of docs/restore.md with the paths of this test, except the last, which starts the service. */
async function documentedCommands(): Promise<string[]> {
  const text = await readFile(join(ROOT, 'docs/restore.md'), 'utf8')
  const block = /<!-- restore-locally -->\s+```sh\n([^`]*)```/.exec(text)?.[1] ?? ''
  const lines = block
    .trim()
    .split('\n')
    .map((line) =>
      line
        .replace('=.wrangler/state', `=${statePath('old')}`)
        .replace('=restored', `=${statePath('restored')}`)
        .replaceAll('=backup', `=${statePath('backup')}`),
    )
  expect(lines).toHaveLength(3)
  expect(lines.at(-1)).toBe('npm start -- --persist-to restored')
  return lines.slice(0, -1)
}

test(
  'a backup restored into new databases: keyword search finds every item at once, semantic search after the sweep',
  { timeout: 240_000 },
  async () => {
    addShards(statePath('old'), String(SHARDS))
    server = await start('old')
    await furnish()
    // One for each text, and one for the deleted item.
    const audited = await until(
      async () => {
        const rows = await stores()
        expect(rows).toHaveLength(Object.keys(TEXTS).length + 1)
        return rows
      },
      { everyMs: 200 },
    )
    await asEarlier(ids['quoted'] ?? '')
    // The service runs during the backup.
    for (const line of await documentedCommands()) await run('bash', ['-c', line], { cwd: ROOT })
    expect((await stat(join(statePath('backup'), 'DB_01.sql'))).mode & 0o077).toBe(0)
    await server.stop()

    expect(knownShards(statePath('restored'))).toBe(SHARDS)
    server = await start('restored')
    for (const [name, text] of Object.entries(TEXTS)) {
      const item = await api('GET', `/api/memory/retrieve?id=${ids[name]}`)
      expect(item.content.text).toBe(name === 'plain' ? 'Ada prefers green tea over coffee.' : text)
      expect(item).toMatchObject({ tags: [name], embedding_status: 'pending' })
    }
    const { data: versions } = await api('GET', `/v1/memory/items/${ids['plain']}/versions`)
    expect(versions).toMatchObject([{ text: TEXTS.plain }])
    expect(await stores()).toEqual(audited)

    expect(await found('keyword', 'green tea')).toEqual([ids['plain']])
    expect(await found('keyword', 'drop table quoted')).toEqual([ids['quoted']])
    expect(await found('keyword', 'zyzzyva')).toEqual([ids['long']])
    expect(await found('keyword', '図書館')).toEqual([ids['long']])
    const listed = await api('GET', '/v1/memory/items?q=quoted')
    expect(listed.data.map(({ id }: { id: string }) => id)).toEqual([ids['quoted']])
    expect(await found('semantic', 'Ada prefers tea')).toEqual([])
    expect(await named('caf\u00E9')).toEqual(['cafe\u0301'])

    await until(
      async () => {
        await server?.sweep()
        const { data } = await api('GET', '/v1/memory/items?embedding_status=completed')
        expect(data).toHaveLength(Object.keys(TEXTS).length)
      },
      { everyMs: 500, withinMs: 60_000 },
    )
    expect((await found('semantic', 'Ada prefers tea'))[0]).toBe(ids['plain'])
    for (const mode of ['semantic', 'hybrid', 'keyword'])
      expect(await found(mode, 'drop table memory_items')).toContain(ids['quoted'])
    // The sweep has brought the name to NFC.
    expect(await named('cafe\u0301')).toEqual(['caf\u00E9'])

    // The restored keyword index is maintained: a change and a deletion leave no old words.
    await api('PATCH', `/v1/memory/items/${ids['plain']}`, { content: { text: 'Ada drinks water.' } })
    expect(await found('keyword', 'green tea')).toEqual([])
    expect(await found('keyword', 'water')).toEqual([ids['plain']])
    await api('DELETE', `/v1/memory/items/${ids['quoted']}`)
    expect(await found('keyword', 'drop table quoted')).toEqual([])
  },
)
