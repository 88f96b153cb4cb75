import { expect, test } from 'vitest'
import { faultsOf } from '../../src/core/http/input-faults.ts'
import { StoreInput, UpdateInput } from '../../src/memory/item.ts'
import { newWriter } from '../support/memory.ts'

/** 65,536 characters are code points, so emoji count once. */
const LONGEST = '🫖'.repeat(65_536)
const nested = (levels: number): unknown => (levels === 1 ? {} : { a: nested(levels - 1) })

const good: [string, unknown][] = [
  ['the longest text', { content: LONGEST }],
  ['one character', { content: '.' }],
  ['a text type with charset', { content: { text: 'x', type: 'text/html; charset=utf-8' } }],
  ['metadata of depth 8', { content: { text: 'x', metadata: nested(8) } }],
  ['metadata of 16 KiB', { content: { text: 'x', metadata: { a: 'x'.repeat(16 * 1024 - 8) } } }],
  ['a namespace of 128', { content: 'x', context: { namespace: 'aZ0._:-@|+/='.padEnd(128, 'n') } }],
  ['each scope', { content: 'x', context: { scope: 'global' } }],
  ['an id of 128', { content: 'x', context: { session_id: '🫖'.repeat(128) } }],
  ['32 tags of 64', { content: 'x', tags: Array.from({ length: 32 }, (_, n) => `${n}`.padEnd(64, 't')) }],
  ['ttl of 1', { content: 'x', ttl: 1 }],
  ['the longest ttl', { content: 'x', ttl: 315_360_000 }],
  ['no ttl', { content: 'x', ttl: null }],
  ['a custom_id of 128', { content: 'x', custom_id: 'c'.repeat(128) }],
]
test.each(good)('accepts %s', (_name, body) => {
  expect(StoreInput.safeParse(body).error).toBeUndefined()
})

const bad: [string, string, unknown][] = [
  ['no content', 'content', {}],
  ['an empty text', 'content', { content: '' }],
  ['65,537 characters', 'content', { content: `${LONGEST}x` }],
  ['an image', 'content.type', { content: { text: 'x', type: 'image/png' } }],
  ['a URL for a text', 'content.url', { content: { url: 'https://example.com' } }],
  ['metadata of depth 9', 'content.metadata', { content: { text: 'x', metadata: nested(9) } }],
  ['metadata over 16 KiB', 'content.metadata', { content: { text: 'x', metadata: { a: 'é'.repeat(8 * 1024) } } }],
  ['a list for metadata', 'content.metadata', { content: { text: 'x', metadata: [] } }],
  ['an infinite number', 'content.metadata', { content: { text: 'x', metadata: { a: Number('1e999') } } }],
  ['another scope', 'context.scope', { content: 'x', context: { scope: 'galaxy' } }],
  ['a namespace of 129', 'context.namespace', { content: 'x', context: { namespace: 'n'.repeat(129) } }],
  ['the namespace *', 'context.namespace', { content: 'x', context: { namespace: '*' } }],
  ['a namespace with a space', 'context.namespace', { content: 'x', context: { namespace: 'a b' } }],
  ['a namespace with a letter beyond ASCII', 'context.namespace', { content: 'x', context: { namespace: 'é' } }],
  ['an id of 129', 'context.document_id', { content: 'x', context: { document_id: 'd'.repeat(129) } }],
  ['33 tags', 'tags', { content: 'x', tags: Array.from({ length: 33 }, (_, n) => `${n}`) }],
  ['a blank tag', 'tags.0', { content: 'x', tags: ['  '] }],
  ['a tag of 65', 'tags.0', { content: 'x', tags: ['t'.repeat(65)] }],
  ['ttl of 0', 'ttl', { content: 'x', ttl: 0 }],
  ['a fraction of a second', 'ttl', { content: 'x', ttl: 1.5 }],
  ['a ttl past ten years', 'ttl', { content: 'x', ttl: 315_360_001 }],
  ['a ttl as text', 'ttl', { content: 'x', ttl: '60' }],
  ['an empty custom_id', 'custom_id', { content: 'x', custom_id: '' }],
  ['a custom_id of 129', 'custom_id', { content: 'x', custom_id: 'c'.repeat(129) }],
  ['another visibility', 'visibility', { content: 'x', visibility: 'public' }],
  [
    'one user twice',
    'permissions',
    { content: 'x', permissions: ['read', 'write'].map((access) => ({ user_id: 'u', access })) },
  ],
]
test.each(bad)('refuses %s', (_name, path, body) => {
  expect(faultsOf(StoreInput.safeParse(body).error?.issues ?? []).map((fault) => fault.path)).toContain(path)
})

test('an update takes the fields that it changes, in the same bounds', () => {
  expect(UpdateInput.safeParse({}).success).toBe(true)
  expect(UpdateInput.safeParse({ content: { metadata: {} } }).success).toBe(true)
  expect(UpdateInput.safeParse({ content: '' }).success).toBe(false)
  expect(UpdateInput.safeParse({ ttl: 0 }).success).toBe(false)
  expect(UpdateInput.safeParse({ deduplicate: true }).success).toBe(false)
})

test('a text of 65,536 characters comes back whole', async () => {
  const user = await newWriter()
  const { status, body } = await user.store({ content: LONGEST })
  expect(status).toBe(201)
  expect((await user.get(body.id)).body.content.text).toBe(LONGEST)
})

test("security 29: mass assignment of fields that are not the client's is 422 and changes nothing", async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'x' })
  const stolen = {
    id: 'mem_x',
    tenant_id: 't',
    created_by: 'u',
    version: 9,
    embedding_status: 'completed',
    text_hash: 'h',
  }
  for (const [field, value] of Object.entries(stolen)) {
    const stored = await user.store({ content: 'x', [field]: value })
    expect({ field, status: stored.status, path: stored.body.errors?.[0].path }).toEqual({
      field,
      status: 422,
      path: field,
    })
    const nested = await user.send('PATCH', `/v1/memory/items/${item.id}`, { context: { [field]: value } })
    expect({ field, status: nested.status }).toEqual({ field, status: 422 })
  }
  expect((await user.get(item.id)).body).toMatchObject({ id: item.id, version: 1, created_by: user.userId })
})

test('security 30: __proto__ and constructor in JSON pollute nothing', async () => {
  const user = await newWriter()
  const bodies = [
    '{"content":"x","__proto__":{"polluted":1}}',
    '{"content":{"text":"x","__proto__":{"type":"text/html"}}}',
    '{"content":{"text":"x","metadata":{"__proto__":{"polluted":1}}}}',
    '{"content":{"text":"x","metadata":{"a":{"__proto__":1}}}}',
    '{"content":"x","context":{"__proto__":{"project_id":"p"}}}',
  ]
  for (const body of bodies) expect(StoreInput.safeParse(JSON.parse(body)).success).toBe(false)
  const kept = await user.store({ content: { text: 'x', metadata: { constructor: { prototype: { polluted: 1 } } } } })
  expect(kept.body.content.metadata).toEqual({ constructor: { prototype: { polluted: 1 } } })
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})

test('security 31: SQL and FTS operators in every string are only text', async () => {
  const user = await newWriter()
  const nasty = `'); drop table memory_items; -- " OR 1=1 NEAR(a b) * ^ % _ {x} $.a \\ ] }`
  const { status, body } = await user.store({
    content: { text: nasty, metadata: { [nasty]: nasty } },
    context: { conversation_id: nasty, document_id: nasty, session_id: nasty },
    tags: [nasty.slice(0, 64)],
    custom_id: nasty,
  })
  expect(status).toBe(201)
  const read = (await user.get(body.id)).body
  expect(read.content).toEqual({ text: nasty, type: 'text/plain', metadata: { [nasty]: nasty } })
  expect(read.custom_id).toBe(nasty)
  for (const id of ["' or 1=1 --", '%', '_', nasty.slice(0, 64)]) {
    expect((await user.get(encodeURIComponent(id))).status).toBe(404)
  }
})
