/**
 * @module-tag long
 * @module-tag shards
 */
import { describe, expect, test } from 'vitest'
import { sql, type Sql } from '../../src/core/database/sql.ts'
import type { AuthContext } from '../../src/core/context.ts'
import { isAppError } from '../../src/core/errors.ts'
import { batch } from '../../src/memory/operations/batch.ts'
import { bulkDelete } from '../../src/memory/operations/bulk-delete.ts'
import { deleteItem } from '../../src/memory/operations/delete.ts'
import { embedAgain } from '../../src/memory/operations/embed-again.ts'
import { StoreInput } from '../../src/memory/item.ts'
import { store } from '../../src/memory/operations/store.ts'
import { update } from '../../src/memory/operations/update.ts'
import { addMember, call, db, newSession, newTenant, type Answer, type Call, type Tenant } from '../support/world.ts'
import { travel } from '../support/clock.ts'
import { auditOf } from '../support/audit.ts'
import { interrupted } from '../support/interrupted.ts'
import { writerFor } from '../support/memory.ts'
import { ctxOf, rowOf, stored } from '../support/search.ts'
import { until } from '../support/until.ts'

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
  // Nothing but the calls of the test changes the item from here on.
  await until(async () => expect(await rowOf(id)).toMatchObject({ embedding_status: 'completed' }))
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

test('security 25: a member who becomes a viewer writes nothing from the next request on, and reads on', async () => {
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

test('security 25: a removed member reaches no memory from the next request on, not even what the member wrote', async () => {
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

describe('lost between the read of a plan and its commit', () => {
  const LOSSES: [what: string, status: number, lossOf: (member: Tenant) => Sql][] = [
    [
      'the role',
      403,
      ({ userId }) => sql("update workspace_members set role = 'viewer' where user_id = :user", { user: userId }),
    ],
    [
      'the membership',
      404,
      ({ userId }) => sql('delete from workspace_members where user_id = :user', { user: userId }),
    ],
    [
      'the project',
      404,
      ({ projectId }) => sql('update projects set deleted_at = 1 where id = :project', { project: projectId }),
    ],
  ]
  /** `reads`: batches of statements before the one that commits. */
  const VERBS: [
    name: string,
    reads: number,
    run: (ctx: AuthContext, id: string, projectId: string) => Promise<unknown>,
  ][] = [
    ['a store', 0, (ctx, _, project_id) => store(ctx, StoreInput.parse({ content: 'new', context: { project_id } }))],
    [
      'a store under a custom_id',
      1,
      (ctx, _, project_id) =>
        store(ctx, StoreInput.parse({ content: 'new', custom_id: 'held', context: { project_id } })),
    ],
    ['an update', 1, (ctx, id) => update(ctx, { id, input: { tags: ['new'] }, ifMatch: null })],
    ['a delete', 1, (ctx, id) => deleteItem(ctx, { id, ifMatch: null })],
    ['an embedding again', 0, (ctx, id) => embedAgain(ctx, { id })],
    [
      'a bulk delete',
      0,
      (ctx, _, project_id) =>
        bulkDelete(ctx, { filters: { all: [] }, context: { project_id }, status: 'current', dry_run: false }),
    ],
    ...([false, true] as const).map((atomic): (typeof VERBS)[number] => [
      `a batch, atomic: ${atomic}`,
      1,
      (ctx, id, project_id) =>
        batch(ctx, {
          atomic,
          operations: [
            { op: 'store', content: 'new', context: { project_id } },
            { op: 'update', id, tags: ['new'] },
            { op: 'delete', id },
          ],
        }),
    ]),
  ]

  const essence = async (tenantId: string) => ({
    items: await db.all(
      'select id, text, tags, version, deleted_at, embedding_status from memory_items where tenant_id = :tenant',
      { tenant: tenantId },
    ),
    events: await db.all('select id from events where tenant_id = :tenant', { tenant: tenantId }),
  })
  /** The statuses with which a verb refuses: its own, or those of a batch's operations. */
  const refusals = (outcome: unknown): unknown => {
    const report = isAppError(outcome) ? outcome.extra : outcome
    const results = (report as { results?: { status: string; error?: { status: number } }[] } | undefined)?.results
    if (results) return [...new Set(results.map(({ status, error }) => error?.status ?? status))]
    return isAppError(outcome) ? [outcome.status] : outcome
  }

  test.each(LOSSES.flatMap((loss) => VERBS.map((verb) => [loss[0], verb[0], loss, verb] as const)))(
    '%s: %s writes nothing',
    async (_, __, [, status, lossOf], [name, reads, run]) => {
      const owner = await newTenant()
      const member = await addMember(owner, 'editor')
      const { id } = await stored(ctxOf(owner), 'harbour lights', { custom_id: 'held' })
      await db.write("update memory_items set embedding_status = 'failed' where id = :id", { id })
      const before = await essence(owner.tenantId)
      let losses = 0
      const database = interrupted(async (number) => {
        if (number !== reads) return
        losses += 1
        const loss = lossOf(member)
        await db.write(loss.sql, loss.params)
      })
      const ctx = ctxOf(member, { db: database })
      const outcome = await run(ctx, id, owner.projectId).catch((error: unknown) => error)
      expect(losses).toBe(1)
      expect(refusals(outcome)).toEqual(name === 'a bulk delete' ? { deleted: 0, has_more: true } : [status])
      expect(await essence(owner.tenantId)).toEqual(before)
      expect(await auditOf(ctx.requestId)).not.toContainEqual(expect.objectContaining({ outcome: 'success' }))
    },
  )
})
