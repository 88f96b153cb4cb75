/** @module-tag long */
import { expect, test, vi } from 'vitest'
import { bulkDelete, BulkDeleteInput } from '../../../src/memory/operations/bulk-delete.ts'
import { newWriter, writerFor } from '../../support/memory.ts'
import { ctxOf, stored } from '../../support/search.ts'
import { addMember, db, newTenant } from '../../support/world.ts'

test('a bulk deletion deletes the matches in one project and namespace; dry_run only counts', async () => {
  const user = await newWriter()
  const { body: a } = await user.store({ content: 'a', tags: ['draft'] })
  const { body: b } = await user.store({ content: 'b', tags: ['final'] })
  const { body: c } = await user.store({ content: 'c', tags: ['draft'], context: { namespace: 'other' } })
  const run = (more: object) => user.send('POST', '/v1/memory/delete', { filters: { tags: ['draft'] }, ...more })
  expect((await run({ dry_run: true })).body).toEqual({ deleted: 1, has_more: false })
  expect((await user.get(a.id)).status).toBe(200)
  expect((await run({})).body).toEqual({ deleted: 1, has_more: false })
  expect((await Promise.all([a, b, c].map(({ id }) => user.get(id)))).map(({ status }) => status)).toEqual([
    404, 200, 200,
  ])
  expect((await run({ context: { namespace: '*' } })).body).toEqual({ deleted: 1, has_more: false })
  const events = await db.all(
    "select data ->> 'memory_id' as id from events where tenant_id = :tenant and type = 'memory.deleted' order by id",
    { tenant: user.tenantId },
  )
  expect(events).toEqual([{ id: a.id }, { id: c.id }])
})

test.each([{ NOT: {} }, { NOT: [{}] }, { tags: Array.from({ length: 33 }, (_, at) => `t${at}`), tags_match: 'all' }])(
  'a filter that no item can pass deletes none: %j',
  async (filters) => {
    const user = await newWriter()
    const { body: item } = await user.store({ content: 'a' })
    for (const dry_run of [true, false]) {
      const { status, body } = await user.send('POST', '/v1/memory/delete', { filters, dry_run })
      expect({ status, body }).toEqual({ status: 200, body: { deleted: 0, has_more: false } })
    }
    const search = await user.send('POST', '/api/memory/search', { query: 'a', filters })
    expect(search).toMatchObject({ status: 200, body: { results: [] } })
    expect((await user.get(item.id)).status).toBe(200)
  },
)

test('a call deletes up to 1,000 items, and has_more tells that there are more', async () => {
  const user = await newWriter()
  const { body: one } = await user.store({ content: 'one' })
  await db.write(
    `insert into memory_items (id, tenant_id, project_id, namespace, scope, text_hash, type, visibility, version,
       text_version, text_by, text_at, vector_version, write_id, next_attempt_at, created_by, updated_by, created_at,
       updated_at, tags, metadata, text, indexed_by, indexed_version)
     select i.id || '_' || n.value, i.tenant_id, i.project_id, i.namespace, i.scope, i.text_hash, i.type, i.visibility, 1,
       1, i.text_by, i.text_at, 1, i.write_id, i.next_attempt_at, i.created_by, i.updated_by, i.created_at + n.value,
       i.updated_at, '[]', '{}', 'copy', 2, 1
     from memory_items i cross join json_each(:ids) n where i.id = :id returning id`,
    { id: one.id, ids: JSON.stringify(Array.from({ length: 1_000 }, (_, n) => n + 1)) },
  )
  const run = () => user.send('POST', '/v1/memory/delete', { filters: {} })
  expect((await run()).body).toEqual({ deleted: 1_000, has_more: true })
  expect((await run()).body).toEqual({ deleted: 1, has_more: false })
})

test('a bulk deletion leaves items that the caller may not change, and is refused to viewers and strangers', async () => {
  const owner = await newWriter()
  const [editor, viewer] = [
    await writerFor(await addMember(owner, 'editor')),
    await writerFor(await addMember(owner, 'viewer')),
  ]
  const { body: hidden } = await owner.store({ content: 'private', visibility: 'private' })
  const lent = { visibility: 'private', permissions: [{ user_id: editor.userId, access: 'read' }] }
  const { body: readable } = await owner.store({ content: 'lent', ...lent })
  await owner.store({ content: 'open' })
  expect((await viewer.send('POST', '/v1/memory/delete', { filters: {} })).status).toBe(403)
  const stranger = await newWriter()
  const foreign = { filters: {}, context: { project_id: owner.projectId } }
  expect((await stranger.send('POST', '/v1/memory/delete', foreign)).status).toBe(404)
  expect((await editor.send('POST', '/v1/memory/delete', { filters: {} })).body).toEqual({
    deleted: 1,
    has_more: false,
  })
  expect([(await owner.get(hidden.id)).status, (await owner.get(readable.id)).status]).toEqual([200, 200])
})

test('unknown filters are 422, and filters must be named', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'safe' })
  const bad = [{ filters: { tag: ['x'] } }, { filters: { tags: { $ne: 1 } } }, {}, { filters: {}, all: true }]
  const answers = await Promise.all(bad.map((body) => user.send('POST', '/v1/memory/delete', body)))
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422])
  expect((await user.get(item.id)).status).toBe(200)
})

test('a commit erases 1 MiB of texts and metadata at most, and other work has its turn before the next', async () => {
  const user = await newTenant()
  const tags = ['long']
  for (let n = 0; n < 9; n += 1) await stored(ctxOf(user), 'é'.repeat(65_536), { tags })
  await stored(ctxOf(user), 'short', { tags })
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const paused = vi.spyOn(scheduler, 'wait')
  const ctx = ctxOf(user, { db: db.metered(meter) })
  const input = BulkDeleteInput.parse({ filters: { tags } })
  expect(await bulkDelete(ctx, input)).toEqual({ deleted: 10, has_more: false })
  // The role and the scan; seven texts of 128 KiB with their metadata; the others.
  expect(meter.roundTrips).toBe(2 + 2)
  expect(paused.mock.calls).toEqual([[1]])
  paused.mockRestore()
})
