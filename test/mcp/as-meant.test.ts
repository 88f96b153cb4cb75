import { z } from 'zod'
import { expect, test } from 'vitest'
import { asMeant } from '../../src/mcp/tools/as-meant.ts'
import { TOOLS } from '../../src/mcp/tools/index.ts'
import type { Tool } from '../../src/mcp/tools/tool.ts'
import { rpc, useTool } from '../support/mcp.ts'
import { newWriter } from '../support/memory.ts'
import { newTenant } from '../support/world.ts'

const CONTEXT = { projectId: null, origin: 'https://recollect.example' }
const REQUIRED: Record<string, unknown> = { query: 'tea', content: 'tea', id: 'mem_x' }

/** Each argument that each tool can go without. */
const OPTIONAL = TOOLS.flatMap((tool) => {
  const { properties = {}, required = [] } = tool.listed(false).inputSchema as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  const needed = Object.fromEntries(required.map((name) => [name, REQUIRED[name]]))
  return Object.keys(properties)
    .filter((name) => !required.includes(name))
    .map((name): [string, string, Tool, object] => [tool.name, name, tool, needed])
})

test.each(OPTIONAL)('%s takes null and "" for %s as nothing', (_, name, tool, needed) => {
  const without = tool.prepare(needed, CONTEXT).ask
  expect(tool.prepare({ ...needed, [name]: '' }, CONTEXT).ask).toEqual(without)
  // A null that the schema takes says something: the memory is never forgotten.
  const says = tool.name === 'update_memory' && name === 'ttl' ? { ...without, body: { ttl: null } } : without
  expect(tool.prepare({ ...needed, [name]: null }, CONTEXT).ask).toEqual(says)
})

const SCHEMA = z.strictObject({
  text: z.string().optional(),
  list: z.array(z.string()).optional(),
  object: z.record(z.string(), z.unknown()).optional(),
  count: z.int().optional(),
  share: z.number().optional(),
  flag: z.boolean().optional(),
  either: z.union([z.string(), z.array(z.string())]).optional(),
  any: z.unknown(),
})

test.each<[string, object, object]>([
  ['a list as JSON text', { list: '["a","b"]' }, { list: ['a', 'b'] }],
  ['a scalar for a list', { list: 'a' }, { list: ['a'] }],
  ['a number for a list', { list: 5 }, { list: [5] }],
  ['a text that holds a number, for a list', { list: '5' }, { list: ['5'] }],
  ['a text that holds a list of another kind', { object: '[1]' }, { object: '[1]' }],
  ['an object as JSON text', { object: '{"a":{"b":1}}' }, { object: { a: { b: 1 } } }],
  ['a whole number as text', { count: '5' }, { count: 5 }],
  ['a number as text', { share: ' 0.5 ' }, { share: 0.5 }],
  ['a boolean as text', { flag: 'false' }, { flag: false }],
  ['a text that is no JSON', { count: 'five', flag: 'yes' }, { count: 'five', flag: 'yes' }],
  ['null as JSON text', { list: 'null', count: 'null' }, {}],
  ['JSON text where a text is taken', { text: '{"a":1}', either: '["a"]' }, { text: '{"a":1}', either: '["a"]' }],
  ['an empty text where the shortest is empty', { text: '' }, { text: '' }],
  ['an object where a list is wanted', { list: {} }, { list: {} }],
  ['anything where anything is taken', { any: '5' }, { any: '5' }],
  ['a name that it does not know', { surprise: null, list: null }, { surprise: null }],
])('%s', (_, sent, meant) => {
  expect(asMeant(SCHEMA, sent)).toEqual(meant)
})

test('a required argument is not made of nothing', () => {
  const schema = z.strictObject({ query: z.string().min(1), count: z.int() })
  expect(asMeant(schema, { query: '', count: null })).toEqual({ query: '', count: null })
  expect(asMeant(schema, { query: null, count: '' })).toEqual({ query: null, count: '' })
})

test('security 30: __proto__ stays a name of its own, in JSON text as well', async () => {
  expect(Object.keys(asMeant(SCHEMA, JSON.parse('{"__proto__":{"list":"a"}}')))).toEqual(['__proto__'])
  const { key } = await newTenant()
  const args = { content: 'tea', metadata: '{"__proto__":{"isAdmin":true}}' }
  const { text, isError } = await useTool('store_memory', args, { bearer: key })
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining('__proto__') })
})

test('a broken string in JSON text is refused as elsewhere', async () => {
  const { key } = await newTenant()
  const { text } = await useTool('store_memory', { content: 'tea', metadata: '{"a":"\\ud800"}' }, { bearer: key })
  expect(text).toMatch(/^validation_failed: .*lone surrogates/)
})

test('an integer that JSON numbers do not keep is refused in JSON text, and stays where a text is meant', async () => {
  const { key } = await newTenant()
  const store = (args: object) => useTool('store_memory', { content: 'tea', ...args }, { bearer: key })
  const refused = await store({ metadata: '{"order":9007199254740993}' })
  expect(refused.text).toMatch(/^validation_failed: order is an integer that JSON numbers do not keep/)
  expect((await store({ tags: '9007199254740993' })).result.tags).toEqual(['9007199254740993'])
})

test('a model that fills in every argument stores and finds', async () => {
  const agent = await newWriter()
  const sent = { headers: agent.headers }
  const nothing = { namespace: '', project_id: null, ttl: '', custom_id: null, idempotency_key: '' }
  const args = { ...nothing, content: 'The pelican is grey.', tags: '["birds"]', metadata: '{"source":"chat"}' }
  const { result } = await useTool('store_memory', args, sent)
  expect(result).toMatchObject({ tags: ['birds'], metadata: { source: 'chat' }, custom_id: null, expires_at: null })
  const found = await useTool(
    'search_memories',
    { query: 'pelican', limit: '5', tags: 'birds', tags_match: '', namespace: null, max_tokens: '2000' },
    sent,
  )
  expect(found.result.results).toMatchObject([{ id: result.id }])
})

test.each([[null], [undefined], [''], ['{}'], [{}]])('arguments that are %j are none', async (args) => {
  const { key } = await newTenant()
  const { body } = await rpc('tools/call', { name: 'list_memories', arguments: args }, { bearer: key })
  expect(body.result.structuredContent.memories).toEqual([])
})

test('arguments as JSON text are read', async () => {
  const { key } = await newTenant()
  const send = (args: string) => rpc('tools/call', { name: 'store_memory', arguments: args }, { bearer: key })
  expect((await send('{"content":"tea"}')).body.result.structuredContent.content).toBe('tea')
  expect((await send('{"surprise":1}')).body.result.content[0].text).toContain('Unknown field "surprise"')
  expect((await send('["tea"]')).body.error.code).toBe(-32602)
  expect((await send('{"content":"\\ud800"}')).body.error.code).toBe(-32600)
})
