/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import { TOOLS } from '../../src/mcp/tools/index.ts'
import { rpc, useTool } from '../support/mcp.ts'
import { newWriter } from '../support/memory.ts'
import { addKey, addMember, call, newSession } from '../support/world.ts'

const NEVER_MEMORY = 'mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG'
const NEVER_PROJECT = 'prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG'

/** Arguments of each tool that name an item and a project; a tool without a row here fails the matrix. */
const ARGUMENTS: Record<string, (item: string, project: string) => Record<string, unknown> | null> = {
  search_memories: (_, project_id) => ({ query: 'secret kettle', project_id, namespace: '*' }),
  recall: (_, project_id) => ({ query: 'secret kettle', project_id, namespace: '*' }),
  store_memory: (_, project_id) => ({ content: 'mine', project_id }),
  get_memory: (id) => ({ id }),
  update_memory: (id) => ({ id, content: 'mine' }),
  retire_memory: (id) => ({ id }),
  restore_memory: (id) => ({ id }),
  delete_memory: (id) => ({ id }),
  list_memories: (_, project_id) => ({ project_id, namespace: '*' }),
  list_projects: () => null,
  whoami: () => null,
  search: () => null,
  fetch: (id) => ({ id }),
}
const rows = TOOLS.map(({ name }) => ({ name }))
const withIds = rows.filter(({ name }) => ARGUMENTS[name]?.('', '') !== null)

async function newSecret() {
  const owner = await newWriter()
  const { body } = await owner.store({ content: 'The secret kettle is blue.', tags: ['secret'] })
  return { owner, id: body.id as string }
}

test.each(withIds)(
  "security 57: $name with another tenant's ids answers as for ids that never existed",
  async ({ name }) => {
    const { owner, id } = await newSecret()
    const stranger = { headers: await newSession(await newWriter()) }
    const use = (item: string, project: string) => useTool(name, ARGUMENTS[name]?.(item, project) ?? {}, stranger)
    const [foreign, never] = [await use(id, owner.projectId), await use(NEVER_MEMORY, NEVER_PROJECT)]
    expect(foreign.isError).toBe(true)
    expect(foreign.text).toMatch(/^not_found: .*call (list_projects|search_memories)/)
    expect(foreign.text).toBe(never.text)
    expect((await owner.get(id)).body).toMatchObject({ version: 1, content: { text: 'The secret kettle is blue.' } })
  },
)

test.each(rows)('security 57: $name shows nothing of another tenant', async ({ name }) => {
  const { owner, id } = await newSecret()
  const stranger = { headers: await newSession(await newWriter()) }
  const args = name === 'search' ? { query: 'secret kettle' } : (ARGUMENTS[name]?.(id, owner.projectId) ?? {})
  const { text } = await useTool(name, args, stranger)
  for (const part of ['kettle', owner.projectId, owner.email, owner.userId]) expect(text).not.toContain(part)
})

test.each(withIds)('security 57: $name with a key limited to another project', async ({ name }) => {
  const { owner, id } = await newSecret()
  const { body: project } = await owner.send('POST', '/api/projects', {
    name: 'Other',
    workspace_id: owner.workspaceId,
  })
  const { secret } = await addKey(owner, { permissions: [{ project_id: project.id, access: 'write' }] })
  const { isError, text } = await useTool(name, ARGUMENTS[name]?.(id, owner.projectId) ?? {}, { bearer: secret })
  expect(isError).toBe(true)
  expect(text).toMatch(/^not_found: /)
})

test.each(withIds)('security 57: $name with a key limited to another namespace', async ({ name }) => {
  const { owner, id } = await newSecret()
  const permissions = [{ project_id: owner.projectId, access: 'write' as const, namespaces: ['elsewhere'] }]
  const { secret } = await addKey(owner, { permissions })
  const { text } = await useTool(name, ARGUMENTS[name]?.(id, owner.projectId) ?? {}, { bearer: secret })
  expect(text).not.toContain('kettle')
  expect((await owner.get(id)).body.version).toBe(1)
})

test.each(['store_memory', 'update_memory', 'delete_memory'])('%s with a key that may only read', async (name) => {
  const { owner, id } = await newSecret()
  const { secret } = await addKey(owner, { permissions: [{ project_id: owner.projectId, access: 'read' }] })
  const { text } = await useTool(name, ARGUMENTS[name]?.(id, owner.projectId) ?? {}, { bearer: secret })
  expect(text).toMatch(/^forbidden: /)
  expect((await owner.get(id)).body.version).toBe(1)
})

test('security 57: a private item of a colleague is absent from every tool, and a lost role takes effect at once', async () => {
  const { owner, id } = await newSecret()
  const { body: hidden } = await owner.store({ content: 'The secret kettle is mine.', visibility: 'private' })
  const member = await addMember(owner, 'viewer')
  const headers = await newSession(member)
  for (const { name } of rows) {
    const args = name === 'search' ? { query: 'secret kettle' } : (ARGUMENTS[name]?.(hidden.id, owner.projectId) ?? {})
    expect((await useTool(name, args, { headers })).text, name).not.toContain('is mine')
  }
  expect((await useTool('get_memory', { id }, { headers })).isError).toBe(false)
  await call('DELETE', `/v1/workspaces/${owner.workspaceId}/members/${member.userId}`, { headers: owner.headers })
  expect((await useTool('get_memory', { id }, { headers })).text).toMatch(/^not_found: /)
})

test('security 57: resources of another tenant are those that never existed', async () => {
  const { owner, id } = await newSecret()
  const headers = await newSession(await newWriter())
  const read = async (uri: string) => {
    const { body } = await rpc('resources/read', { uri }, { headers })
    return { ...body.error, message: body.error.message.replace(uri, ''), data: null }
  }
  expect(await read(`memory://${id}`)).toEqual(await read(`memory://${NEVER_MEMORY}`))
  expect(await read(`memory://projects/${owner.projectId}/recent`)).toEqual(
    await read(`memory://projects/${NEVER_PROJECT}/recent`),
  )
})
