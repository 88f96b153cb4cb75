/** @module-tag long */
import { describe, expect, test } from 'vitest'
import { newTrail } from '../../../src/core/context.ts'
import { importItems } from '../../../src/memory/operations/import.ts'
import { newWriter, writerFor, type Writer } from '../../support/memory.ts'
import { racing } from '../../support/race.ts'
import { ctxOf } from '../../support/search.ts'
import { addKey, addMember, call, db, system } from '../../support/world.ts'

const CREATED = '2023-05-08T13:56:00.000Z'
const UPDATED = '2024-01-02T03:04:05.678Z'
const HAPPENED = '0799-12-25T00:00:00.000Z'

const send = (user: Pick<Writer, 'projectId'>, headers: Record<string, string>, lines: unknown[]) =>
  call('POST', `/v1/memory/import?project_id=${user.projectId}`, {
    headers: { ...headers, 'Content-Type': 'application/x-ndjson' },
    raw: lines.map((line) => JSON.stringify(line)).join('\n'),
  })

const times = (user: Writer) =>
  db.all<{ created_at: number; updated_at: number; occurred_at: number | null; text_at: number; version: number }>(
    'select created_at, updated_at, occurred_at, text_at, version from memory_items where project_id = :project order by row',
    { project: user.projectId },
  )

test('what an export gives comes back with its times, not with its id, maker and version', async () => {
  const [from, to] = [await newWriter(), await newWriter()]
  await send(from, from.headers, [{ content: 'old', created_at: CREATED, updated_at: UPDATED, occurred_at: HAPPENED }])
  const exported = JSON.parse((await call('GET', '/v1/memory/export', { headers: from.headers })).text)
  expect(exported).toMatchObject({ created_at: CREATED, updated_at: UPDATED, occurred_at: HAPPENED })
  const { body } = await send(to, to.headers, [{ ...exported, version: 7 }])
  expect(body).toMatchObject({ created: 1, failed: 0, times_kept: true })
  const { body: item } = await to.get(body.results[0].id)
  expect(item).toMatchObject({ created_at: CREATED, updated_at: UPDATED, occurred_at: HAPPENED, version: 1 })
  expect(item.id).not.toBe(exported.id)
  expect(item.created_by).toBe(to.userId)
})

test('a line without updated_at was never changed, one without created_at is stored now', async () => {
  const user = await newWriter()
  await send(user, user.headers, [
    { content: 'a', created_at: CREATED },
    { content: 'b', updated_at: UPDATED },
  ])
  const [a, b] = await times(user)
  expect(a).toMatchObject({ created_at: Date.parse(CREATED), updated_at: Date.parse(CREATED) })
  expect(b?.created_at).toBeGreaterThan(Date.parse(UPDATED))
  expect(b?.updated_at).toBe(b?.created_at)
  // The history of an item tells when its text came into this service.
  expect(a?.text_at).toBe(b?.created_at)
})

test('a line that updates an item changes it now, and leaves its creation', async () => {
  const user = await newWriter()
  await send(user, user.headers, [
    { content: 'a', custom_id: 'c', created_at: CREATED },
    { content: 'b', custom_id: 'c', created_at: UPDATED, updated_at: UPDATED, occurred_at: HAPPENED },
  ])
  const before = await times(user)
  expect(before).toMatchObject([{ created_at: Date.parse(CREATED), occurred_at: Date.parse(HAPPENED), version: 2 }])
  expect(before[0]?.updated_at).toBeGreaterThan(Date.parse(UPDATED))
  await send(user, user.headers, [{ content: 'b', deduplicate: true, created_at: UPDATED }])
  expect(await times(user)).toEqual(before)
})

test.each([
  ['created_at in the future', { created_at: '2100-01-01T00:00:00Z' }, 'created_at cannot be in the future.'],
  ['created_at before 1970', { created_at: '1969-12-31T23:59:59.999Z' }, 'created_at cannot be before 1970.'],
  ['created_at without a zone', { created_at: '2023-05-08T13:56:00' }, 'there is no offset'],
  ['created_at that is a number', { created_at: 1 }, 'created_at must be a string'],
  ['created_at that is null', { created_at: null }, 'created_at must be a string'],
  ['updated_at in the future', { created_at: CREATED, updated_at: '2100-01-01T00:00:00Z' }, 'updated_at cannot be in'],
  [
    'updated_at before created_at',
    { created_at: UPDATED, updated_at: CREATED },
    'updated_at cannot be before created_at.',
  ],
  ['occurred_at out of bounds', { occurred_at: '0000-01-01' }, 'occurred_at must be in the years 0001 to 9999'],
])("%s is that line's error", async (_, line, detail) => {
  const user = await newWriter()
  const { body } = await send(user, user.headers, [
    { content: 'bad', ...line },
    { content: 'good', created_at: '1970-01-01T00:00:00Z' },
  ])
  expect(body).toMatchObject({ created: 1, failed: 1 })
  expect(body.results[0]).toMatchObject({ line: 1, status: 'error', error: { status: 422 } })
  expect(body.results[0].error.detail).toContain(detail)
  expect(await times(user)).toMatchObject([{ created_at: 0 }])
})

describe('who does not administer the project keeps no foreign times (security 59)', () => {
  const line = { content: 'old', created_at: CREATED, updated_at: UPDATED, occurred_at: HAPPENED }

  test.each<[string, (owner: Writer) => Promise<Record<string, string>>]>([
    ['an editor', async (owner) => (await writerFor(await addMember(owner, 'editor'))).headers],
    [
      "an owner's key that is limited to a namespace",
      async (owner) => {
        const permissions = [{ project_id: owner.projectId, access: 'write' as const, namespaces: ['default'] }]
        return { 'X-API-Key': (await addKey(owner, { permissions })).secret }
      },
    ],
  ])('%s', async (_, headersOf) => {
    const owner = await newWriter()
    const headers = await headersOf(owner)
    const { status, body } = await send(owner, headers, [line])
    expect(status).toBe(200)
    expect(body).toMatchObject({ created: 1, times_kept: false })
    const [item] = await times(owner)
    expect(item?.created_at).toBeGreaterThan(Date.parse(UPDATED))
    expect(item?.updated_at).toBe(item?.created_at)
    // What happened when is the word of any writer.
    expect(item?.occurred_at).toBe(Date.parse(HAPPENED))
  })

  test('an admin does', async () => {
    const owner = await newWriter()
    const admin = await writerFor(await addMember(owner, 'admin'))
    expect((await send(owner, admin.headers, [line])).body).toMatchObject({ created: 1, times_kept: true })
    expect(await times(owner)).toMatchObject([{ created_at: Date.parse(CREATED), updated_at: Date.parse(UPDATED) }])
  })

  test('neither store nor batch takes them', async () => {
    const user = await newWriter()
    for (const field of ['created_at', 'updated_at']) {
      expect((await user.store({ content: 'x', [field]: CREATED })).status).toBe(422)
      const operations = [{ op: 'store', content: 'x', [field]: CREATED }]
      expect((await user.send('POST', '/api/memory/batch', { operations })).body.error_count).toBe(1)
    }
    expect(await times(user)).toEqual([])
  })

  test.each(['before it is planned', 'between plan and commit'])('a role that is lost %s', async (when) => {
    const owner = await newWriter()
    const admin = await addMember(owner, 'admin')
    const demote = () =>
      db.write("update workspace_members set role = 'editor' where user_id = :user and workspace_id = :workspace", {
        user: admin.userId,
        workspace: owner.workspaceId,
      })
    // The first batch reads the snapshot, the second one commits.
    let batches = 0
    const database = racing(async () => {})
    const original = database.batch.bind(database)
    database.batch = async (statements) => {
      batches += 1
      if (batches === (when === 'before it is planned' ? 1 : 2)) await demote()
      return original(statements)
    }
    const ctx = ctxOf(
      { ...admin, projectId: owner.projectId },
      { db: database, trail: newTrail(), requestId: system.newId('req') },
    )
    const report = await importItems(ctx, { body: JSON.stringify(line), projectId: owner.projectId })
    expect(report).toMatchObject({ created: 0, failed: 1, results: [{ error: { status: 403 } }] })
    expect(await times(owner)).toEqual([])
  })
})
