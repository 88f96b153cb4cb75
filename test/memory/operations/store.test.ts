/** @module-tag long */
import { expect, test } from 'vitest'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { awaitEmbedding } from '../../../src/memory/operations/store.ts'
import { auditOf } from '../../support/audit.ts'
import { newWriter, writerFor } from '../../support/memory.ts'
import { ctxOf, rowOf, stored } from '../../support/search.ts'
import { addMember, db, newTenant } from '../../support/world.ts'
import { brokenModel, slowModel } from '../../support/models.ts'

test('store answers 201 with the item, pending, in the default project', async () => {
  const user = await newWriter()
  const { status, body, headers } = await user.store({ content: { text: 'The kettle is blue.' } })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^mem_/),
    content: { text: 'The kettle is blue.', type: 'text/plain', metadata: {} },
    context: { project_id: user.projectId, scope: 'project', namespace: 'default' },
    tags: [],
    ttl: null,
    custom_id: null,
    visibility: 'project',
    kind: 'note',
    role: null,
    speaker: null,
    embedding_status: 'pending',
    embedding_model: null,
    embedding_error: null,
    version: 1,
    occurred_at: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updated_at: body.created_at,
    expires_at: null,
    created_by: user.userId,
    created_via: 'session',
    text_via: 'session',
    status: 'current',
  })
  expect(headers.get('ETag')).toBe('"1-pending"')
  expect((await user.get(body.id)).body).toMatchObject({ ...body, embedding_status: expect.any(String) })
})

test('everything that is named is kept, and content may be a plain string', async () => {
  const user = await newWriter()
  const full = {
    content: { text: 'Ünïcödé 🫖', type: 'text/markdown', metadata: { a: { b: [1, 'two', null] } } },
    context: {
      project_id: user.projectId,
      scope: 'conversation',
      namespace: 'a.b:c-d_e',
      conversation_id: 'c 1',
      document_id: 'd',
      session_id: 's',
    },
    tags: ['one', ' two ', 'one'],
    ttl: 60,
    custom_id: 'mine',
    visibility: 'private',
  }
  const { body } = await user.store(full)
  expect(body).toMatchObject({ ...full, tags: ['one', 'two'], permissions: [] })
  expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(60_000)
  expect((await user.get(body.id)).body).toMatchObject({ ...full, tags: ['one', 'two'] })
  expect((await user.store({ content: 'short' })).body.content).toEqual({
    text: 'short',
    type: 'text/plain',
    metadata: {},
  })
})

test('storing again under a custom_id updates that item with PATCH semantics: 200, version 2', async () => {
  const user = await newWriter()
  const first = await user.store({ content: { text: 'one', metadata: { k: 1 } }, custom_id: 'c', tags: ['t'], ttl: 60 })
  const second = await user.store({ content: 'two', custom_id: 'c' })
  expect(second.status).toBe(200)
  expect(second.body).toMatchObject({
    id: first.body.id,
    version: 2,
    content: { text: 'two', metadata: { k: 1 } },
    tags: ['t'],
    ttl: 60,
  })
  const elsewhere = await user.store({ content: 'three', custom_id: 'c', context: { namespace: 'other' } })
  expect(elsewhere.status).toBe(201)
})

test('two stores of one custom_id at once: one makes it, the other updates it', async () => {
  const user = await newWriter()
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd'].map((text) => user.store({ content: text, custom_id: 'same' })),
  )
  expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 200, 200, 201])
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
  expect(answers.map((answer) => answer.body.version).sort((a, b) => a - b)).toEqual([1, 2, 3, 4])
})

test('deduplicate answers the item with the same text in the same project and namespace', async () => {
  const user = await newWriter()
  const first = await user.store({ content: 'same text' })
  const again = await user.store({ content: 'same text', deduplicate: true })
  expect(again).toMatchObject({ status: 200, body: { id: first.body.id, deduplicated: true, version: 1 } })
  const elsewhere = await user.store({ content: 'same text', deduplicate: true, context: { namespace: 'other' } })
  expect(elsewhere.status).toBe(201)
  expect(elsewhere.body.deduplicated).toBeUndefined()
  const both = await Promise.all([1, 2, 3].map(() => user.store({ content: 'at once', deduplicate: true })))
  expect(new Set(both.map((answer) => answer.body.id)).size).toBe(1)
})

test('each change commits its audit row and its event row', async () => {
  const user = await newWriter()
  const { body, headers } = await user.store({ content: 'hello', context: { namespace: 'n', conversation_id: 'c1' } })
  const events = await db.all<{ type: string; data: string }>(
    "select type, data from events where data ->> 'memory_id' = :id",
    { id: body.id },
  )
  expect(events.map(({ type, data }) => [type, JSON.parse(data)])).toEqual([
    [
      'memory.created',
      {
        memory_id: body.id,
        project_id: user.projectId,
        namespace: 'n',
        scope: 'project',
        kind: 'note',
        conversation_id: 'c1',
        version: 1,
        actor: user.userId,
      },
    ],
  ])
  expect(await auditOf(headers.get('x-request-id') ?? '')).toContainEqual(
    expect.objectContaining({
      action: 'memory.store',
      actor: user.userId,
      resource_ids: [body.id],
      project_id: user.projectId,
      outcome: 'success',
    }),
  )
})

test('a text that is a URL is a text: nothing is fetched, now or when it is embedded', async () => {
  const tenant = await newTenant()
  const fetched: unknown[] = []
  const ctx = ctxOf(tenant, { fetch: async (input) => (fetched.push(input), new Response('fetched')) })
  const item = await stored(ctx, 'https://example.com/a-page')
  await embedItems(ctx, db, [item.id])
  expect(item.content).toEqual({ text: 'https://example.com/a-page', type: 'text/plain', metadata: {} })
  expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'completed' })
  expect(fetched).toEqual([])
})

test('a custom_id of an item that may be read but not changed is taken: 409', async () => {
  const owner = await newWriter()
  const editor = await writerFor(await addMember(owner, 'editor'))
  const permissions = [{ user_id: editor.userId, access: 'read' }]
  const lent = { content: 'lent', custom_id: 'c', visibility: 'private', permissions }
  const { body: item } = await owner.store(lent)
  expect((await editor.get(item.id)).status).toBe(200)
  const { status, body } = await editor.store({ content: 'mine', custom_id: 'c' })
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'custom_id_taken' })
  expect((await owner.get(item.id)).body).toMatchObject({ content: { text: 'lent' }, version: 1 })
})

test('wait_ms waits for the embedding: completed means that a semantic search finds it now', async () => {
  const user = await newWriter()
  const { status, body } = await user.store({ content: 'Lighthouse keepers love fog.', wait_ms: 10_000 })
  expect(status).toBe(201)
  expect(body).toMatchObject({ embedding_status: 'completed', embedding_model: expect.any(String), version: 1 })
  const found = await user.send('POST', '/api/memory/search', { query: 'lighthouse keepers fog', mode: 'semantic' })
  expect(found.body.results[0].id).toBe(body.id)
})

test('wait_ms is 0 to 10000', async () => {
  const user = await newWriter()
  const answers = await Promise.all([-1, 10_001, 1.5, '5'].map((wait_ms) => user.store({ content: 'x', wait_ms })))
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([422]))
})

test('an embedding that is not done in time goes on after the answer, which shows the item as it is', async () => {
  const user = await newTenant()
  const slow = slowModel()
  const after: Promise<unknown>[] = []
  const ctx = ctxOf(user, { embeddingModel: slow.model, waitUntil: (work) => void after.push(work) })
  const item = await stored(ctx, 'Lighthouse keepers love fog.')
  expect(await awaitEmbedding(ctx, item, 50)).toMatchObject({ id: item.id, embedding_status: 'processing' })
  slow.answer()
  await Promise.all(after)
  expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'completed' })
})

test('a store waits for another worker that holds the item', async () => {
  const user = await newTenant()
  const slow = slowModel()
  const ctx = ctxOf(user)
  const item = await stored(ctx, 'Lighthouse keepers love fog.')
  const other = embedItems(ctxOf(user, { embeddingModel: slow.model }), db, [item.id])
  await slow.asked
  const waiting = awaitEmbedding(ctx, item, 10_000)
  slow.answer()
  expect(await waiting).toMatchObject({ embedding_status: 'completed', version: 1 })
  await other
})

test('a model that fails leaves the item pending, with the reason, and the store answers 201', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user, { embeddingModel: brokenModel() })
  const item = await stored(ctx, 'Lighthouse keepers love fog.')
  expect(await awaitEmbedding(ctx, item, 10_000)).toMatchObject({
    embedding_status: 'pending',
    embedding_error: 'The embedding model did not answer.',
  })
})
