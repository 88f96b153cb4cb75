/** @module-tag long */
import { expect, test } from 'vitest'
import { newestFirst } from '../../src/core/http/cursor.ts'
import { SAMPLE_PROJECT, type Project } from '../../src/identity/projects/project.ts'
import { bytesFor, costOf } from '../../src/mcp/budget/cost.ts'
import { listProjects } from '../../src/mcp/tools/list-projects.ts'
import { TOOLS } from '../../src/mcp/tools/index.ts'
import { modernRpc, rpc, useTool, type Sent } from '../support/mcp.ts'
import { newWriter, type Writer } from '../support/memory.ts'
import type { Answer } from '../support/world.ts'

/** What hosts of agents stop at, and how a test measures it: three bytes a token, all of the answer. */
const MAX_BYTES = 25_000 * 3
const bytesOf = ({ text }: Pick<Answer, 'text'>): number => new TextEncoder().encode(text).byteLength

/** Whatever stands in an item, it is as long as it may be, in characters that JSON writes as long as it can. */
const KINDS: [string, string][] = [
  ['letters', 'the kettle is blue and '],
  ['another script', '北京大学'],
  ['quotes', '"'],
  ['controls', '\u0001'],
  ['pairs of surrogates', '👍'],
]
const filled = (unit: string, characters: number): string =>
  Array.from(unit.repeat(Math.ceil(characters / Array.from(unit).length)))
    .slice(0, characters)
    .join('')

const largest = (unit: string, n: number) => ({
  content: { text: `tea ${filled(unit, 65_532)}`, metadata: { long: metadataOf(unit) } },
  tags: Array.from({ length: 32 }, (_, tag) => `${tag} ${filled(unit, 61)}`),
  custom_id: `${n} ${filled(unit, 126)}`,
})

/** 16 KiB as JSON. */
function metadataOf(unit: string): string {
  const bytes = new TextEncoder().encode(JSON.stringify(unit)).byteLength - 2
  return unit.repeat(Math.floor((16 * 1024 - '{"long":""}'.length) / bytes))
}

async function newAgent(unit: string, items: number) {
  const user = await newWriter()
  const ids: string[] = []
  for (let n = 0; n < items; n += 1) ids.push((await user.store(largest(unit, n))).body.id)
  const sent: Sent = { headers: user.headers }
  return { user, ids, sent }
}

/** Stores them in one request, since stores have a pace. */
async function storeAll(user: Writer, items: object[]): Promise<void> {
  const operations = items.map((item) => ({ op: 'store', ...item }))
  const { body } = await user.send('POST', '/api/memory/batch', { operations })
  expect(body.results.map(({ status }: { status: string }) => status)).toEqual(items.map(() => 'success'))
}

test.each(KINDS)('every answer about items full of %s fits', async (_, unit) => {
  const { ids, sent } = await newAgent(unit, 2)
  const [id] = ids
  const calls: Record<string, object> = {
    search_memories: { query: 'tea', max_tokens: 100_000 },
    recall: { query: 'tea', max_tokens: 100_000 },
    store_memory: { content: `tea ${filled(unit, 65_532)}` },
    get_memory: { id, max_tokens: 100_000 },
    update_memory: { id, tags: ['tea'] },
    list_memories: { max_tokens: 100_000 },
    list_projects: {},
    whoami: {},
    search: { query: 'tea' },
    fetch: { id },
    retire_memory: { id },
    restore_memory: { id },
    delete_memory: { id },
  }
  expect(Object.keys(calls).toSorted()).toEqual(TOOLS.map(({ name }) => name).toSorted())
  for (const [name, args] of Object.entries(calls)) {
    for (const send of [rpc, modernRpc]) {
      const answer = await send('tools/call', { name, arguments: { ...args } }, sent)
      expect(answer.body.result, name).toBeDefined()
      expect(bytesOf(answer), name).toBeLessThan(MAX_BYTES)
    }
  }
  for (const uri of ['memory://recent', `memory://${ids[1]}`]) {
    expect(bytesOf(await rpc('resources/read', { uri }, sent)), uri).toBeLessThan(MAX_BYTES)
  }
})

test('what every client asks first fits', async () => {
  const { headers } = await newWriter()
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  for (const method of ['initialize', 'tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
    expect(bytesOf(await rpc(method, method === 'initialize' ? initialize : {}, { headers }))).toBeLessThan(MAX_BYTES)
  }
})

test('max_tokens bounds an answer as a whole', async () => {
  const { ids, user, sent } = await newAgent('the kettle is blue and ', 2)
  await storeAll(
    user,
    Array.from({ length: 20 }, (_, n) => ({ content: { text: `tea ${n}`, metadata: { n } } })),
  )
  for (const max_tokens of [1, 1_000, 2_000, 8_000]) {
    for (const [name, args] of [
      ['search_memories', { query: 'tea', limit: 100 }],
      ['list_memories', { limit: 100 }],
      ['get_memory', { id: ids[0] }],
      ['fetch', { id: ids[0] }],
    ] as const) {
      const answer = await rpc('tools/call', { name, arguments: { ...args, max_tokens } }, sent)
      expect(answer.body.result.isError, answer.text).toBeUndefined()
      // The message around the result is not part of the budget.
      expect(bytesOf(answer), `${name} ${max_tokens}`).toBeLessThan(3 * Math.max(1_000, max_tokens) + 200)
    }
  }
})

test('get_memory and fetch read a long text part by part, and the parts are the text', async () => {
  const user = await newWriter()
  const text = Array.from({ length: 9_000 }, (_, n) => `Word ${n} 👍`)
    .join(' ')
    .slice(0, 60_000)
  const { body: item } = await user.store({ content: { text, metadata: { page: 1 } } })
  for (const [name, field] of [
    ['get_memory', 'content'],
    ['fetch', 'text'],
  ] as const) {
    const parts: string[] = []
    let offset: number | null = 0
    while (offset !== null) {
      const { result } = await useTool(name, { id: item.id, offset, max_tokens: 9_000 }, { headers: user.headers })
      expect(result).toMatchObject({ truncated: true, text_length: Array.from(text).length, offset })
      expect(result.metadata).toEqual({ page: 1 })
      parts.push(result[field])
      offset = result.next_offset
    }
    expect(parts.length).toBeGreaterThan(4)
    expect(parts.join('')).toBe(text)
  }
})

test('an offset past the end is the end', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'tea' })
  const { result } = await useTool('get_memory', { id: item.id, offset: 99 }, { headers: user.headers })
  expect(result).toMatchObject({ content: '', truncated: true, text_length: 3, offset: 3, next_offset: null })
})

test('a resource is read part by part as well', async () => {
  const user = await newWriter()
  const text = '北京'.repeat(30_000)
  const { body: item } = await user.store({ content: text })
  const parts: string[] = []
  let offset: number | null = 0
  while (offset !== null) {
    const uri = `memory://${item.id}${offset === 0 ? '' : `?offset=${offset}`}`
    const { body } = await rpc('resources/read', { uri }, { headers: user.headers })
    const [contents] = body.result.contents
    expect(contents).toMatchObject({ uri, _meta: { truncated: true, text_length: 60_000, offset } })
    parts.push(contents.text)
    offset = contents._meta.next_offset
  }
  expect(parts.join('')).toBe(text)
})

test('of one long item, a search shows the part that matches', async () => {
  const user = await newWriter()
  const filler = 'Nothing of note happened on this day in the village. '
  const text = `${filler.repeat(500)}At midnight the dragon ate the blacksmith. ${filler.repeat(500)}`
  const { body: item } = await user.store({ content: text })
  const args = { query: 'dragon blacksmith', max_tokens: 2_000 }
  const { result } = await useTool('search_memories', args, { headers: user.headers })
  const [found] = result.results
  expect(found).toMatchObject({ id: item.id, truncated: true, text_length: text.length })
  expect(found.content).toContain('the dragon ate the blacksmith')
  expect(text.slice(found.offset, found.next_offset)).toBe(found.content)
  expect(result).toMatchObject({ truncated: true, left_out: [] })
})

test('a search names what it left out, as far as the names fit', async () => {
  const user = await newWriter()
  await storeAll(
    user,
    Array.from({ length: 30 }, (_, n) => ({ content: `tea ${'x'.repeat(400)} ${n}` })),
  )
  const { result } = await useTool(
    'search_memories',
    { query: 'tea', limit: 30, max_tokens: 4_000 },
    { headers: user.headers },
  )
  expect(result.results.length).toBeGreaterThan(3)
  expect(result.results.length + result.left_out.length).toBe(30)
  expect(result.truncated).toBe(true)
  const tiny = await useTool('search_memories', { query: 'tea', limit: 30, max_tokens: 1 }, { headers: user.headers })
  expect(tiny.result.results).toHaveLength(1)
  expect(tiny.result.left_out.length).toBeGreaterThan(5)
})

test('a page of a list that ends before its limit leads to the rest', async () => {
  const user = await newWriter()
  const texts = Array.from({ length: 25 }, (_, n) => `tea ${n} ${'x'.repeat(500)}`)
  await storeAll(
    user,
    texts.map((content) => ({ content })),
  )
  const seen: string[] = []
  let cursor: string | null = ''
  let pages = 0
  while (cursor !== null) {
    const args = { limit: 20, max_tokens: 3_000, cursor }
    const { result } = await useTool('list_memories', args, { headers: user.headers })
    expect(result.has_more).toBe(result.next_cursor !== null)
    seen.push(...result.memories.map(({ content }: { content: string }) => content.split(' ')[1]))
    cursor = result.next_cursor
    pages += 1
  }
  expect(seen).toEqual(texts.map((_, n) => String(24 - n)))
  expect(pages).toBeGreaterThan(2)
})

test.each([
  ['without a name', {}, 20],
  ['with the longest name', { [SAMPLE_PROJECT.created_by]: { name: '\u0001'.repeat(120), kind: 'person' } }, 15],
] as const)(
  'projects with long descriptions, by an author %s, fit in a page, and none is missed',
  (_, names, least) => {
    const data: Project[] = Array.from({ length: 100 }, (_, n) => ({
      ...SAMPLE_PROJECT,
      id: `prj_01K8E3Z4T7Q9V6N2M5B8C1D0${String(n).padStart(2, '0')}`,
      name: '\u0001'.repeat(120),
      description: '\u0001'.repeat(2_000),
      created_at: new Date(1_000_000 - n).toISOString(),
    }))
    const { result } = listProjects.prepare({}, { projectId: null, origin: 'https://recollect.example' })
    const body = { data, has_more: false, next_cursor: null }
    const shown = result({ status: 200, body }, { callerId: SAMPLE_PROJECT.created_by, names })
    expect(costOf(shown)).toBeLessThan(bytesFor())
    expect(shown).toMatchObject({ has_more: true })
    const { projects, next_cursor } = shown as { projects: { id: string }[]; next_cursor: string }
    expect(projects[0]).toMatchObject({ id: data[0]?.id, truncated: true, text_length: 2_000, by_you: true })
    expect(projects.length).toBeGreaterThan(least)
    expect(newestFirst.after({ cursor: next_cursor })).toEqual([1_000_001 - projects.length, projects.at(-1)?.id])
  },
)
