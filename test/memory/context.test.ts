import { expect, test } from 'vitest'
import type { KeyPermission } from '../../src/core/context.ts'
import { travel } from '../support/clock.ts'
import { newWriter, type Writer } from '../support/memory.ts'
import { addKey, call } from '../support/world.ts'

const newProject = async (user: Writer): Promise<string> =>
  (await user.send('POST', '/api/projects', { name: 'Other', workspace_id: user.workspaceId })).body.id

const context = (more: Record<string, string>) => ({ content: 'a kettle', context: more })

/** The ids that each way of reading finds: list, list by words, search, export. */
async function seen(user: Writer, where: Record<string, string> = {}): Promise<Set<string>[]> {
  // A second for each look, as two of them are searches.
  travel(1_000)
  const query = new URLSearchParams(where).toString()
  const [list, words, search, exported] = [
    await user.send('GET', `/v1/memory/items?${query}`),
    await user.send('GET', `/v1/memory/items?q=kettle&${query}`),
    await user.send('POST', '/api/memory/search', { query: 'kettle', mode: 'keyword', context: where }),
    await user.send('GET', `/v1/memory/export?${query}`),
  ]
  const ids = (items: { id: string }[]) => new Set(items.map(({ id }) => id))
  const lines = exported.text.split('\n').filter((line) => line !== '')
  return [
    ids(list.body.data),
    ids(words.body.data),
    ids(search.body.results),
    ids(lines.map((line) => JSON.parse(line) as { id: string })),
  ]
}

const everywhere = (...ids: string[]) => Array.from({ length: 4 }, () => new Set(ids))

test('a call without a project goes to the default project, never to all', async () => {
  const user = await newWriter()
  const other = await newProject(user)
  const { body: here } = await user.store({ content: 'a kettle' })
  const { body: there } = await user.store(context({ project_id: other }))
  expect(await seen(user)).toEqual(everywhere(here.id))
  expect(await seen(user, { project_id: other })).toEqual(everywhere(there.id))
  expect((await user.send('POST', '/v1/memory/delete', { filters: {} })).body).toMatchObject({ deleted: 1 })
  expect((await user.get(there.id)).status).toBe(200)
})

test('the default of a key is the project that it is limited to, if exactly one, else its owner’s', async () => {
  const user = await newWriter()
  const [one, two] = [await newProject(user), await newProject(user)]
  const storeBy = async (...projects: string[]) => {
    const permissions = projects.map((project_id): KeyPermission => ({ project_id, access: 'write' }))
    const { secret } = await addKey(user, { permissions })
    return call('POST', '/api/memory/store', { key: secret, body: { content: 'a kettle' } })
  }
  expect((await storeBy(one)).body.context.project_id).toBe(one)
  expect((await storeBy(one, user.projectId)).body.context.project_id).toBe(user.projectId)
  const barred = await storeBy(one, two)
  expect({ status: barred.status, path: barred.body.errors?.[0].path }).toEqual({
    status: 422,
    path: 'context.project_id',
  })
})

test('scope is a label and a filter, and widens nothing: a global item belongs to its project and namespace', async () => {
  const [user, stranger] = [await newWriter(), await newWriter()]
  const other = await newProject(user)
  const { body: global } = await user.store(context({ scope: 'global', namespace: 'n' }))
  await user.store(context({ namespace: 'n' }))
  expect(await seen(user, { scope: 'global', namespace: 'n' })).toEqual(everywhere(global.id))
  expect(await seen(user, { scope: 'global' })).toEqual(everywhere())
  expect(await seen(user, { scope: 'global', namespace: '*', project_id: other })).toEqual(everywhere())
  expect((await stranger.get(global.id)).status).toBe(404)
  expect(await seen(stranger, { scope: 'global', namespace: '*' })).toEqual(everywhere())
})

test('conversation, document and session ids go with any scope, and narrow every way of reading', async () => {
  const user = await newWriter()
  for (const label of ['conversation_id', 'document_id', 'session_id']) {
    const { body: item } = await user.store(context({ scope: 'document', [label]: 'x' }))
    await user.store(context({ [label]: 'y' }))
    expect(await seen(user, { [label]: 'x' })).toEqual(everywhere(item.id))
    const filters = JSON.stringify({ [label]: 'x' })
    const list = await user.send('GET', `/v1/memory/items?filters=${encodeURIComponent(filters)}`)
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([item.id])
  }
})

test('reading by id needs no namespace; "*" is for reading only', async () => {
  const user = await newWriter()
  const { body: item } = await user.store(context({ namespace: 'far' }))
  expect((await user.get(item.id)).body.context.namespace).toBe('far')
  expect((await user.send('GET', `/v1/memory/items/${item.id}/versions`)).status).toBe(200)
  expect(await seen(user)).toEqual(everywhere())
  expect(await seen(user, { namespace: '*' })).toEqual(everywhere(item.id))
  expect((await user.store(context({ namespace: '*' }))).status).toBe(422)
})
