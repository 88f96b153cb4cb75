import { expect, test } from 'vitest'
import { AGENT_SCOPES } from '../../src/auth/index.ts'
import { TOOLS } from '../../src/mcp/tools/index.ts'
import type { ListedTool } from '../../src/mcp/tools/tool.ts'
import type { Scope } from '../../src/core/context.ts'
import { modernRpc, rpc, useTool, type Sent } from '../support/mcp.ts'
import { newApp, newPerson, newTokens, refreshWith } from '../support/oauth.ts'
import { addKey, call, newSession, newTenant } from '../support/world.ts'

const names = async (sent: Sent): Promise<string[]> =>
  (await rpc('tools/list', {}, sent)).body.result.tools.map((tool: ListedTool) => tool.name)

const READS = ['search_memories', 'recall', 'get_memory', 'list_memories']
const PAIR = ['search', 'fetch']
const PAIR_PATH = '/mcp?tools=search'
const WRITES = ['store_memory', 'update_memory', 'retire_memory', 'restore_memory', 'delete_memory']

test('contract §9: the tools, in their order', async () => {
  const { key } = await newTenant()
  const all = [
    'search_memories',
    'recall',
    'store_memory',
    'get_memory',
    'update_memory',
    'retire_memory',
    'restore_memory',
    'delete_memory',
    'list_memories',
    'list_projects',
    'whoami',
  ]
  expect(await names({ bearer: key })).toEqual(all)
  expect(await names({ bearer: key })).toEqual(all)
  // What the metadata and a 401 advertise is what the tools need.
  expect(new Set(TOOLS.map(({ operation }) => operation.spec.scope))).toEqual(new Set(AGENT_SCOPES))
})

test('contract §9: ?tools=search lists the pair that some clients demand, and both addresses call every tool', async () => {
  const { key, projectId } = await newTenant()
  for (const path of [PAIR_PATH, '/mcp/?tools=search', `/mcp/${projectId}?tools=search`])
    expect(await names({ bearer: key, path }), path).toEqual(PAIR)
  const modern = await modernRpc('tools/list', {}, { bearer: key, path: PAIR_PATH })
  expect(modern.body.result.tools.map((tool: ListedTool) => tool.name)).toEqual(PAIR)
  for (const path of ['/mcp', PAIR_PATH])
    for (const name of ['search', 'search_memories'])
      expect((await useTool(name, { query: 'tea' }, { bearer: key, path })).result.results, `${path} ${name}`).toEqual(
        [],
      )
})

test('contract §9: the instructions name tools that the address lists', async () => {
  const { key } = await newTenant()
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  const instructions = async (path: string): Promise<string> =>
    (await rpc('initialize', params, { bearer: key, path })).body.result.instructions
  const named = (text: string) => TOOLS.filter(({ name }) => text.includes(` ${name} `))
  expect(named(await instructions(PAIR_PATH)).map(({ name }) => name)).toEqual(PAIR)
  expect((await instructions('/mcp')).includes('call search_memories ')).toBe(true)
})

test.each(['tools=', 'tools=all', 'tools=Search', 'tools=search&tools=search', 'tools=search,fetch'])(
  'contract §9: ?%s is 422',
  async (query) => {
    const { key } = await newTenant()
    const { status, body } = await rpc('tools/list', {}, { bearer: key, path: `/mcp?${query}` })
    expect([status, body.code, body.errors[0].path]).toEqual([422, 'validation_failed', 'tools'])
  },
)

test('contract §9: another parameter changes nothing', async () => {
  const { key } = await newTenant()
  expect(await names({ bearer: key, path: '/mcp?utm_source=x' })).toEqual(await names({ bearer: key }))
})

test.each(TOOLS)('$name says what a client must know', (tool) => {
  const listed = tool.listed(false)
  expect(listed.title).not.toBe('')
  expect(listed.description.length).toBeGreaterThan(30)
  for (const schema of [listed.inputSchema, listed.outputSchema]) expect(schema.type).toBe('object')
  expect(listed.inputSchema['additionalProperties']).toBe(false)
  // A result may get further members.
  expect(listed.outputSchema['additionalProperties']).not.toBe(false)
  const { readOnlyHint, destructiveHint, idempotentHint } = listed.annotations
  expect(readOnlyHint).toBe(tool.operation.spec.scope !== 'write:memory')
  expect(destructiveHint).toBe(['update_memory', 'delete_memory'].includes(tool.name))
  expect(idempotentHint).toBe(tool.name !== 'store_memory')
})

test('both revisions list the same', async () => {
  const { key } = await newTenant()
  const older = await rpc('tools/list', {}, { bearer: key })
  const modern = await modernRpc('tools/list', {}, { bearer: key })
  expect(modern.body.result.tools).toEqual(older.body.result.tools)
})

test.each<[string, Scope[], string[]]>([
  ['read:memory', ['read:memory'], READS],
  ['write:memory', ['write:memory'], WRITES],
  ['read:projects', ['read:projects'], ['list_projects']],
  ['read:profile', ['read:profile'], ['whoami']],
  ['read:audit', ['read:audit'], []],
])('a key with %s sees what it may use', async (_, scopes, expected) => {
  const { key } = await newTenant({ scopes })
  expect(new Set(await names({ bearer: key }))).toEqual(new Set(expected))
})

test('a key that may only read its projects sees no tool that writes', async () => {
  const tenant = await newTenant()
  const { secret } = await addKey(tenant, { permissions: [{ project_id: tenant.projectId, access: 'read' }] })
  const seen = await names({ bearer: secret })
  expect(seen).toContain('search_memories')
  expect(seen.filter((name) => WRITES.includes(name))).toEqual([])
})

test('a key of a workspace has no whoami, since nobody is behind it', async () => {
  const tenant = await newTenant()
  const { body } = await call('POST', '/v1/api-keys', {
    headers: await newSession(tenant),
    body: { name: 'bot', owner: 'workspace', workspace_id: tenant.workspaceId, scopes: [...AGENT_SCOPES] },
  })
  expect(await names({ bearer: body.key })).not.toContain('whoami')
  expect((await useTool('whoami', {}, { bearer: body.key })).text).toMatch(/^user_context_required: /)
})

test('an access token sees what its application could be granted, also what it has not', async () => {
  const person = await newPerson()
  const app = await newApp(person, { scopes: ['read:memory', 'write:memory'] })
  const { body } = await refreshWith(app, (await newTokens(person, app)).refresh_token, { scope: 'read:memory' })
  expect(new Set(await names({ bearer: body.access_token }))).toEqual(new Set([...READS, ...WRITES]))
})
