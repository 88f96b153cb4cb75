/** @module-tag shards */
import { expect, test } from 'vitest'
import { TOOLS } from '../../src/mcp/tools/index.ts'
import { rpc, useTool } from '../support/mcp.ts'
import { newWriter } from '../support/memory.ts'
import { addKey, newSession, newTenant } from '../support/world.ts'

/** A user with two projects, an item in each, and the server bound to the second. */
async function newBound() {
  const user = await newWriter()
  const { body: project } = await user.send('POST', '/api/projects', { name: 'Notes', workspace_id: user.workspaceId })
  const { body: outside } = await user.store({ content: 'The kettle outside.' })
  const { body: inside } = await user.store({ content: 'The kettle inside.', context: { project_id: project.id } })
  const sent = { headers: user.headers, path: `/mcp/${project.id}` }
  return {
    user,
    project: project.id as string,
    outside: outside.id as string,
    inside: inside.id as string,
    sent,
    use: (name: string, args: Record<string, unknown> = {}) => useTool(name, args, sent),
  }
}

test('it hides the project: no argument, no list of projects, one resource less', async () => {
  const { sent } = await newBound()
  const { body } = await rpc('tools/list', {}, sent)
  const tools: { name: string; inputSchema: { properties: object } }[] = body.result.tools
  expect(tools.map(({ name }) => name)).toEqual(
    TOOLS.filter(({ name, toolset }) => name !== 'list_projects' && toolset !== 'search').map(({ name }) => name),
  )
  for (const { inputSchema } of tools) expect(Object.keys(inputSchema.properties)).not.toContain('project_id')
  const templates = await rpc('resources/templates/list', {}, sent)
  expect(templates.body.result.resourceTemplates).toHaveLength(1)
  const listed = await rpc('tools/call', { name: 'list_projects', arguments: {} }, sent)
  expect(listed.body.error.code).toBe(-32602)
})

test('it fixes the project of what is stored, searched and listed', async () => {
  const { use, project, inside } = await newBound()
  expect((await use('store_memory', { content: 'A cup.' })).result.project_id).toBe(project)
  const found = await use('search_memories', { query: 'kettle', namespace: '*' })
  expect(found.result.results.map((one: { id: string }) => one.id)).toEqual([inside])
  expect((await use('search', { query: 'kettle' })).result.results).toHaveLength(1)
  const { result } = await use('list_memories')
  expect(new Set(result.memories.map((one: { project_id: string }) => one.project_id))).toEqual(new Set([project]))
})

test('security 57: no argument reaches another project, by id or by name', async () => {
  const { use, user, outside, sent } = await newBound()
  for (const [name, args] of [
    ['get_memory', { id: outside }],
    ['fetch', { id: outside }],
    ['update_memory', { id: outside, content: 'mine' }],
    ['retire_memory', { id: outside }],
    ['restore_memory', { id: outside }],
    ['delete_memory', { id: outside }],
  ] as const) {
    expect((await use(name, args)).text, name).toMatch(/^not_found: /)
  }
  for (const name of ['store_memory', 'search_memories', 'list_memories']) {
    const args = name === 'store_memory' ? { content: 'x' } : name === 'search_memories' ? { query: 'x' } : {}
    const refused = await use(name, { ...args, project_id: user.projectId })
    expect(refused.text).toContain('Unknown field "project_id"')
  }
  for (const uri of [`memory://${outside}`, `memory://projects/${user.projectId}/recent`]) {
    expect((await rpc('resources/read', { uri }, sent)).body.error.code).toBe(-32602)
  }
  expect((await user.get(outside)).body.version).toBe(1)
})

test('its items are read and changed as elsewhere', async () => {
  const { use, inside, sent } = await newBound()
  expect((await use('get_memory', { id: inside })).result.content).toBe('The kettle inside.')
  expect((await use('update_memory', { id: inside, tags: ['tea'] })).result.tags).toEqual(['tea'])
  const recent = await rpc('resources/read', { uri: 'memory://recent' }, sent)
  expect(recent.text).toContain(inside)
  expect((await use('delete_memory', { id: inside })).isError).toBe(false)
})

test('security 57: a project of another tenant looks like one that never existed', async () => {
  const { project } = await newBound()
  const headers = await newSession(await newTenant())
  const at = (path: string) => useTool('search_memories', { query: 'kettle' }, { headers, path })
  const [foreign, never] = [await at(`/mcp/${project}`), await at('/mcp/prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG')]
  expect(foreign.text).toMatch(/^not_found: .*address of this server/)
  expect(foreign.text).toBe(never.text)
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  expect((await rpc('initialize', initialize, { headers, path: `/mcp/${project}` })).status).toBe(200)
})

test('security 57: a key keeps its own limits within the path: another project, one namespace, only reading', async () => {
  const { user, project, inside } = await newBound()
  const path = `/mcp/${project}`
  const keyFor = async (permission: object) =>
    (await addKey(user, { permissions: [{ project_id: project, access: 'write', ...permission }] })).secret
  const elsewhere = { bearer: await keyFor({ project_id: user.projectId }), path }
  expect((await useTool('get_memory', { id: inside }, elsewhere)).text).toMatch(/^not_found: /)
  expect((await useTool('search_memories', { query: 'kettle' }, elsewhere)).text).toMatch(/^not_found: /)
  const named = { bearer: await keyFor({ namespaces: ['other'] }), path }
  expect((await useTool('get_memory', { id: inside }, named)).text).toMatch(/^not_found: /)
  const reading = { bearer: await keyFor({ access: 'read' }), path }
  expect((await useTool('get_memory', { id: inside }, reading)).isError).toBe(false)
  expect((await useTool('update_memory', { id: inside, tags: [] }, reading)).text).toMatch(/^forbidden: /)
})
