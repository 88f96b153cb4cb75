import { expect, test } from 'vitest'
import { addMember, call, newSession, newTenant, type Answer, type Call } from '../support/world.ts'
import { travel } from '../support/clock.ts'
import { writerFor } from '../support/memory.ts'

/** A member with a warm key and a warm session, and an item of the member's own in the owner's project. */
async function arrange() {
  const owner = await writerFor(await newTenant())
  const member = await addMember(owner, 'editor')
  const credentials = { key: { key: member.key }, session: { headers: await newSession(member) } }
  const paths = {
    key: pathsOf(credentials.key, owner.projectId),
    session: pathsOf(credentials.session, owner.projectId),
  }
  const stored = await paths.key.store('harbour lights')
  expect(stored.status).toBe(201)
  const id: string = stored.body.id
  for (const path of Object.values(paths))
    for (const read of READS) expect({ read, status: (await path[read](id)).status }).toEqual({ read, status: 200 })
  expect((await paths.session.update(id)).status).toBe(200)
  const place = `/v1/workspaces/${owner.workspaceId}/members/${member.userId}`
  return {
    owner,
    id,
    paths: Object.values(paths),
    demote: async () => expect((await owner.send('PATCH', place, { role: 'viewer' })).status).toBe(200),
    remove: async () => expect((await owner.send('DELETE', place)).status).toBe(204),
  }
}

const READS = ['retrieve', 'item', 'versions', 'search', 'list', 'export'] as const
const OF_ITEM = ['retrieve', 'item', 'versions'] as const
const OF_PROJECT = ['search', 'list', 'export'] as const

/** Every way to a project's memory with one credential. */
function pathsOf(credential: Call, projectId: string) {
  const send = (method: string, path: string, body?: unknown) => {
    // A second for each call, so that no limit is reached.
    travel(1_000)
    return call(method, path, { ...credential, body })
  }
  const context = { project_id: projectId }
  return {
    retrieve: (id: string) => send('GET', `/api/memory/retrieve?id=${id}`),
    item: (id: string) => send('GET', `/v1/memory/items/${id}`),
    versions: (id: string) => send('GET', `/v1/memory/items/${id}/versions`),
    search: () => send('POST', '/api/memory/search', { query: 'harbour', context }),
    list: () => send('GET', `/v1/memory/items?project_id=${projectId}`),
    export: () => send('GET', `/v1/memory/export?project_id=${projectId}`),
    store: (content: string) => send('POST', '/api/memory/store', { content, context }),
    update: (id: string) => send('PATCH', `/v1/memory/items/${id}`, { tags: ['seen'] }),
    delete: (id: string) => send('DELETE', `/v1/memory/items/${id}`),
    bulkDelete: () => send('POST', '/v1/memory/delete', { filters: { tags: ['seen'] }, context }),
    batch: (id: string) =>
      send('POST', '/api/memory/batch', {
        operations: [
          { op: 'retrieve', id },
          { op: 'store', content: 'x', context },
          { op: 'update', id, tags: ['x'] },
          { op: 'delete', id },
        ],
      }),
  }
}

const outcomes = ({ status, body }: Answer) => ({
  status,
  results: body.results?.map((result: { error?: { status: number } }) => result.error?.status ?? 200),
})

test('a member who becomes a viewer writes nothing from the next request on, and reads on', async () => {
  const { owner, id, paths, demote } = await arrange()
  const before = (await owner.get(id)).body
  await demote()
  for (const path of paths) {
    expect((await path.store('x')).status).toBe(403)
    expect((await path.update(id)).status).toBe(403)
    expect((await path.delete(id)).status).toBe(403)
    expect((await path.bulkDelete()).status).toBe(403)
    expect(outcomes(await path.batch(id))).toEqual({ status: 200, results: [200, 403, 403, 403] })
    for (const read of READS) expect({ read, status: (await path[read](id)).status }).toEqual({ read, status: 200 })
  }
  expect((await owner.get(id)).body).toEqual(before)
})

test('a removed member reaches no memory from the next request on, not even what the member wrote', async () => {
  const { owner, id, paths, remove } = await arrange()
  const before = (await owner.get(id)).body
  await remove()
  for (const path of paths) {
    for (const read of [...OF_ITEM, ...OF_PROJECT]) {
      const { status, text } = await path[read](id)
      expect({ read, status }).toEqual({ read, status: 404 })
      expect(text).not.toContain('harbour')
    }
    expect((await path.store('x')).status).toBe(404)
    expect((await path.update(id)).status).toBe(404)
    expect((await path.delete(id)).status).toBe(404)
    expect((await path.bulkDelete()).status).toBe(404)
    expect(outcomes(await path.batch(id))).toEqual({ status: 200, results: [404, 404, 404, 404] })
  }
  expect((await owner.get(id)).body).toEqual(before)
})
