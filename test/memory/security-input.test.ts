/** @module-tag long */
import { beforeEach, describe, expect, test } from 'vitest'
import { Filters } from '../../src/memory/filter/filter.ts'
import { readIfMatch } from '../../src/memory/etag.ts'
import { StoreInput } from '../../src/memory/item.ts'
import { ListInput } from '../../src/memory/operations/list.ts'
import { SearchInput } from '../../src/memory/search/search-schema.ts'
import { queryTerms } from '../../src/memory/keyword/query-terms.ts'
import { travel } from '../support/clock.ts'
import { newWriter, type Writer } from '../support/memory.ts'
import { call, db } from '../support/world.ts'
import { fastest } from '../support/speed.ts'

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const wide = (keys: number): string => `{${Array.from({ length: keys }, (_, n) => `"k${n}":1`).join(',')}}`

const HOSTILE: [string, string][] = [
  ['ten thousand levels', deep(10_000)],
  ['ten thousand lists', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
  ['sixty thousand keys', wide(60_000)],
  ['a number past a double', '{"a": 1e999}'],
  ['a lone surrogate', String.raw`{"a": "\ud800"}`],
  ['a lone surrogate as a key', String.raw`{"\udc00": 1}`],
  ['NUL', String.raw`{"a": "x\u0000"}`],
  ['a prototype', '{"__proto__": {"a": 1}}'],
]

describe('security 32: hostile JSON wherever memory takes an object of the client’s', () => {
  let user: Writer
  beforeEach(async () => {
    user = await newWriter()
  })
  const post = (path: string, raw: string, type = 'application/json') =>
    call('POST', path, { headers: { ...user.headers, 'Content-Type': type }, raw })

  test.each(HOSTILE)('%s', async (_, json) => {
    const refuse = async () => {
      travel(60_000)
      const refused = [
        await post('/api/memory/store', `{"content": {"text": "x", "metadata": ${json}}}`),
        await post('/api/memory/search', `{"query": "x", "filters": ${json}}`),
        await post('/v1/memory/delete', `{"filters": ${json}}`),
        await post('/api/memory/search', `{"query": "x", "context": ${json}}`),
        await call('GET', `/v1/memory/items?filters=${encodeURIComponent(json.slice(0, 8_000))}`, {
          headers: user.headers,
        }),
      ]
      expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
      const imported = await post(
        '/v1/memory/import',
        `{"content": "good"}\n{"content": {"text": "x", "metadata": ${json}}}\n${json}`,
        'application/x-ndjson',
      )
      expect(imported.body.results.map((line: any) => line.error?.status ?? line.status)).toEqual(['created', 422, 422])
    }
    expect(await fastest(5_000, refuse)).toBeLessThan(5_000)
  })

  test('in one operation of a batch it is that operation’s error, or the whole body’s', async () => {
    for (const [what, json] of HOSTILE) {
      travel(1_000)
      const { status, body } = await post(
        '/api/memory/batch',
        `{"operations": [{"op": "store", "content": "good"}, {"op": "store", "content": {"text": "x", "metadata": ${json}}}]}`,
      )
      const outcome = status === 200 ? body.results.map((result: any) => result.error?.status ?? 200) : status
      expect({ what, outcome }).toEqual({ what, outcome: status === 200 ? [200, 422] : 422 })
    }
  })

  test('a BOM is dropped, of duplicate keys the last one wins', async () => {
    const { status, body } = await post('/api/memory/store', '\ufeff{"content": "first", "content": "last"}')
    expect({ status, text: body.content?.text }).toEqual({ status: 201, text: 'last' })
  })
})

describe('security 33: 100 KB against every pattern of memory take less than 50 ms', () => {
  const PIECES = ['a', '.', 'a.', ' ', '-', '"', '"1",', '%', '\\', '字', 'text/', 'é\u0301', "a'"]
  const CHECKS: [string, (text: string) => unknown][] = [
    ['text', (text) => StoreInput.safeParse({ content: text })],
    ['type', (text) => StoreInput.safeParse({ content: { text: 'x', type: `text/${text}` } })],
    ['namespace', (text) => StoreInput.safeParse({ content: 'x', context: { namespace: text } })],
    ['label', (text) => StoreInput.safeParse({ content: 'x', context: { conversation_id: text } })],
    ['tag', (text) => StoreInput.safeParse({ content: 'x', tags: [text] })],
    ['custom_id', (text) => StoreInput.safeParse({ content: 'x', custom_id: text })],
    ['metadata', (text) => StoreInput.safeParse({ content: { text: 'x', metadata: { [text]: text } } })],
    ['query', (text) => SearchInput.safeParse({ query: text })],
    ['terms', (text) => queryTerms(text.slice(0, 4_096), { common: { has: () => false } })],
    ['filter path', (text) => Filters.safeParse({ [`metadata.${text}`]: 1 })],
    ['filter value', (text) => Filters.safeParse({ created_at: { '>': text }, custom_id: text })],
    ['filter key', (text) => Filters.safeParse({ [text]: 1 })],
    [
      'list',
      (text) => ListInput.safeParse({ filters: text, created_after: text, tags: text, cursor: text, limit: text }),
    ],
    ['If-Match', (text) => readIfMatch(text)],
  ]

  test.each(CHECKS)('%s', async (_, check) => {
    for (const piece of PIECES) {
      const text = piece.repeat(Math.ceil(100_000 / piece.length))
      expect(await fastest(50, () => check(text)), piece).toBeLessThan(50)
    }
  })
})

test('security 34: a chunked body past its size is 413, and stores nothing', async () => {
  const user = await newWriter()
  const chunk = new TextEncoder().encode(`{"content": "${'x'.repeat(1_000)}"}\n`)
  const chunked = (chunks: number) => {
    let left = chunks
    return new ReadableStream<Uint8Array>({
      pull(stream) {
        if (left-- > 0) stream.enqueue(chunk)
        else stream.close()
      },
    })
  }
  const send = (raw: ReadableStream<Uint8Array>) =>
    call('POST', '/v1/memory/import', { headers: { ...user.headers, 'Content-Type': 'application/x-ndjson' }, raw })
  expect((await send(chunked(Math.ceil((16 * 1024 * 1024) / chunk.length) + 1))).status).toBe(413)
  expect(await db.all('select id from memory_items where tenant_id = :tenant', { tenant: user.tenantId })).toEqual([])
  expect((await send(chunked(2))).body).toMatchObject({ created: 2 })
})

test('security 47: of 60 parallel requests to each path exactly its limit is admitted, and the same a second later', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'x' })
  const PATHS: [number, () => ReturnType<Writer['send']>][] = [
    [10, () => user.store({})],
    [20, () => user.send('GET', `/api/memory/retrieve?id=${item.id}&surprise`)],
    [5, () => user.send('POST', '/api/memory/search', {})],
    [2, () => user.send('POST', '/api/memory/batch', {})],
  ]
  travel(60_000)
  for (const _ of [0, 1]) {
    const admitted = await Promise.all(
      PATHS.map(async ([, send]) => {
        const answers = await Promise.all(Array.from({ length: 60 }, send))
        return answers.filter(({ status }) => status !== 429).length
      }),
    )
    expect(admitted).toEqual(PATHS.map(([limit]) => limit))
    travel(1_000)
  }
})
