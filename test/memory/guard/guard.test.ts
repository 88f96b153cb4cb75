/**
 * @module-tag long
 * @module-tag shards
 */
import { afterAll, expect, test } from 'vitest'
import { guard } from '../../../src/memory/guard/guard.ts'
import { counted, settled } from '../../support/counted.ts'
import { newWriter, writerFor, type Writer } from '../../support/memory.ts'
import { ctxOf } from '../../support/search.ts'
import { Seeded } from '../../support/secrets/random.ts'
import { awsKey, githubToken } from '../../support/secrets/secrets.ts'
import { until } from '../../support/until.ts'
import { addMember, call, db } from '../../support/world.ts'

afterAll(settled)

const TOKEN = githubToken(new Seeded(21))
const MARK = '[secret: github_token]'

const set = (user: Writer, guard: unknown) => user.send('PATCH', `/v1/projects/${user.projectId}`, { guard })
const withMode = async (direct: string): Promise<Writer> => {
  const user = await newWriter()
  expect((await set(user, { secrets: { direct } })).status).toBe(200)
  return user
}

test('by default a secret is stored, and the answer says what and where it is (contract §3)', async () => {
  const user = await newWriter()
  const { status, body } = await user.store({ content: `🫖 key: ${TOKEN}` })
  expect(status).toBe(201)
  expect(body.content.text).toBe(`🫖 key: ${TOKEN}`)
  expect(body.warnings).toEqual([
    { path: 'content.text', code: 'secret_found', kind: 'github_token', start: 7, end: 47 },
  ])
  expect((await user.get(body.id)).body).not.toHaveProperty('warnings')
  expect((await user.store({ content: 'The kettle is blue.' })).body).not.toHaveProperty('warnings')
})

test('publications and queries are not looked at', async () => {
  const user = await withMode('refuse')
  await user.store({ content: 'The kettle is blue.' })
  const published = await user.send('POST', '/api/events/publish', {
    type: 'message.new',
    project_id: user.projectId,
    data: { conversation_id: 'c', text: TOKEN },
  })
  expect(published.status).toBe(202)
  const event = await db.first<{ data: string }>('select data from events where id = :id', {
    id: published.body.event_id,
  })
  expect(event?.data).toContain(TOKEN)
  expect((await user.send('POST', '/api/memory/search', { query: `kettle ${TOKEN}`, mode: 'keyword' })).status).toBe(
    200,
  )
  expect((await user.send('POST', '/v1/memory/recall', { query: `kettle ${TOKEN}` })).status).toBe(200)
})

test('redact stores a mark in text, tags and values of metadata, and finds nothing else of the secret', async () => {
  const user = await withMode('redact')
  const { body } = await user.store({
    content: { text: `use ${TOKEN}.`, metadata: { a: [{ b: TOKEN }], n: 3 } },
    tags: [TOKEN, 'kept', TOKEN],
  })
  expect(body).toMatchObject({
    content: { text: `use ${MARK}.`, metadata: { a: [{ b: MARK }], n: 3 } },
    tags: [MARK, 'kept'],
  })
  expect(body.warnings).toEqual([
    { path: 'content.text', code: 'secret_redacted', kind: 'github_token', start: 4, end: 44 },
    { path: 'content.metadata.a.0.b', code: 'secret_redacted', kind: 'github_token', start: 0, end: 40 },
    { path: 'tags.0', code: 'secret_redacted', kind: 'github_token', start: 0, end: 40 },
  ])
  const rows = await db.all('select * from memory_items where id = :id', { id: body.id })
  expect(JSON.stringify(rows)).not.toContain(TOKEN.slice(4))
})

test('the reason of a retirement is looked through as a text is, in each of its ways in', async () => {
  const user = await withMode('redact')
  const { body: old } = await user.store({ content: 'The kettle is red.' })
  const { body: blue } = await user.store({
    content: 'The kettle is blue.',
    supersedes: [old.id],
    supersede_reason: `said with ${TOKEN}`,
  })
  expect(blue.warnings).toMatchObject([{ path: 'supersede_reason', code: 'secret_redacted' }])
  const retired = await user.send('POST', `/v1/memory/items/${blue.id}/retire`, { reason: TOKEN })
  expect(retired.body).toMatchObject({ retired_reason: MARK, warnings: [{ path: 'reason' }] })
  expect((await user.get(old.id)).body.retired_reason).toBe(`said with ${MARK}`)
  const line = { content: 'The pan is black.', retired_at: '2026-01-01T00:00:00Z', retired_reason: TOKEN }
  const imported = await call('POST', '/v1/memory/import', {
    headers: { ...user.headers, 'Content-Type': 'application/x-ndjson' },
    raw: JSON.stringify(line),
  })
  expect(imported.body.results).toMatchObject([{ status: 'created', warnings: [{ path: 'retired_reason' }] }])
  const rows = await db.all('select retired_reason from memory_items where tenant_id = :tenant', {
    tenant: user.tenantId,
  })
  expect(JSON.stringify(rows)).not.toContain(TOKEN)
})

test('a text that marks would make too long gets short ones', async () => {
  const user = await withMode('redact')
  const r = new Seeded(5)
  const keys = Array.from({ length: 3_000 }, () => awsKey(r))
  const { status, body } = await user.store({ content: keys.join(' ').padEnd(65_536, '.') })
  expect(status).toBe(201)
  expect(body.content.text.startsWith('[secret] [secret] ')).toBe(true)
  expect(body.warnings).toHaveLength(50)
  expect(body.warnings_omitted).toBe(2_950)
})

test('refuse is 422 with kind and offsets, never the secret, and writes nothing', async () => {
  const user = await withMode('refuse')
  const { status, body } = await user.store({ content: { text: 'a', metadata: { k: `x ${TOKEN}` } } })
  expect(status).toBe(422)
  expect(body).toMatchObject({
    code: 'validation_failed',
    errors: [
      {
        path: 'content.metadata.k',
        code: 'secret_found',
        message: 'A secret was found (github_token, characters 2 to 42).',
      },
    ],
  })
  expect(JSON.stringify(body)).not.toContain(TOKEN.slice(4))
  expect((await user.send('GET', '/v1/memory/items')).body.data).toEqual([])
})

test.each(['flag', 'redact', 'refuse'])('a name is never redacted: %s refuses it (contract §3)', async (mode) => {
  const user = await withMode(mode)
  for (const [path, write] of [
    ['custom_id', { custom_id: TOKEN }],
    ['context.conversation_id', { context: { conversation_id: TOKEN } }],
    ['context.namespace', { context: { namespace: TOKEN } }],
    ['context.subject', { context: { subject: TOKEN } }],
    ['context.document_id', { context: { document_id: TOKEN } }],
    ['context.session_id', { context: { session_id: TOKEN } }],
  ] as const) {
    const { status, body } = await user.store({ content: 'a', ...write })
    expect([status, body.errors?.[0]?.path, body.errors?.[0]?.code]).toEqual([422, path, 'secret_found'])
    expect(JSON.stringify(body)).not.toContain(TOKEN.slice(4))
  }
  const key = await user.store({ content: { text: 'a', metadata: { [TOKEN]: 1 } } })
  expect(key.status).toBe(422)
  expect(JSON.stringify(key.body)).not.toContain(TOKEN.slice(4))
})

test('off looks at nothing', async () => {
  const user = await withMode('off')
  const { status, body } = await user.store({ content: TOKEN, custom_id: TOKEN })
  expect(status).toBe(201)
  expect(body).not.toHaveProperty('warnings')
})

test('an update is guarded by the project of its item', async () => {
  const user = await withMode('redact')
  const { body: item } = await user.store({ content: 'first' })
  const { body } = await user.send('PATCH', `/v1/memory/items/${item.id}`, { content: TOKEN })
  expect(body).toMatchObject({ content: { text: MARK }, warnings: [{ code: 'secret_redacted' }] })
  await set(user, { secrets: { direct: 'refuse' } })
  const refused = await user.send('PATCH', `/v1/memory/items/${item.id}`, { tags: [TOKEN] })
  expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'tags.0'])
})

test('in a batch a refused operation harms no other; an atomic batch writes nothing', async () => {
  const user = await withMode('refuse')
  const operations = [
    { op: 'store', content: 'fine' },
    { op: 'store', content: TOKEN },
  ]
  const { body } = await user.send('POST', '/api/memory/batch', { operations })
  expect(body.results.map(({ status }: { status: string }) => status)).toEqual(['success', 'error'])
  expect(body.results[1].error).toEqual({
    status: 422,
    code: 'validation_failed',
    detail: 'content.text: A secret was found (github_token, characters 0 to 40).',
  })
  const atomic = await user.send('POST', '/api/memory/batch', { operations, atomic: true })
  expect([atomic.status, atomic.body.results[0].status]).toEqual([422, 'skipped'])
  const other = await newWriter()
  const flagged = await other.send('POST', '/api/memory/batch', { operations, atomic: true })
  expect(flagged.body.results.map((one: { item: { warnings?: unknown[] } }) => one.item.warnings?.length)).toEqual([
    undefined,
    1,
  ])
})

test('an import asks for the least that happens, and never for less than the project says', async () => {
  const user = await newWriter()
  const lines = `{"content":"${TOKEN}"}\n{"content":"fine"}\n`
  const send = (query: string) =>
    call('POST', `/v1/memory/import${query}`, {
      headers: { ...user.headers, 'Content-Type': 'application/x-ndjson' },
      raw: lines,
    })
  const flagged = await send('')
  expect(flagged.body.results[0].warnings).toMatchObject([{ code: 'secret_found', path: 'content.text' }])
  expect(flagged.body.results[1]).not.toHaveProperty('warnings')
  const redacted = await send('?guard=redact')
  expect(redacted.body.results[0].warnings).toMatchObject([{ code: 'secret_redacted' }])
  expect((await user.get(redacted.body.results[0].id)).body.content.text).toBe(MARK)
  await set(user, { secrets: { direct: 'refuse' } })
  expect((await send('?guard=flag')).body).toMatchObject({ created: 1, failed: 1 })
  expect((await send('?guard=off')).status).toBe(422)
})

test('what nobody looks through has a setting of its own, which redacts by default (contract §4)', async () => {
  const user = await newWriter()
  const ctx = ctxOf(user)
  const store = { op: 'store', input: { content: { text: TOKEN }, context: { project_id: user.projectId } } } as const
  const turn = { role: 'user', speaker: null, messageId: null, part: 0 } as const
  const unattended = () => guard(ctx, [{ ...store, turn }])
  expect(await unattended()).toMatchObject([{ operation: { input: { content: { text: MARK } } } }])
  await set(user, { secrets: { unattended: 'refuse' } })
  expect(await unattended()).toMatchObject([{ code: 'validation_failed' }])
  expect(await guard(ctx, [store])).toMatchObject([{ operation: store }])
})

test('cards and IBANs are looked at where the project asks for them', async () => {
  const user = await newWriter()
  const card = '4539 5787 6362 1486'
  expect((await user.store({ content: `card ${card}` })).body).not.toHaveProperty('warnings')
  await set(user, { cards: 'redact' })
  const { body } = await user.store({ content: { text: `card ${card}`, metadata: { n: 4_539_578_763_621_486 } } })
  expect(body.content).toMatchObject({ text: 'card [secret: card]', metadata: { n: '[secret: card]' } })
})

test('the guard of a project is answered whole, changed in part, and by admins alone', async () => {
  const user = await newWriter()
  const path = `/v1/projects/${user.projectId}`
  const all = { secrets: { direct: 'flag', unattended: 'redact' }, cards: 'off', ibans: 'off' }
  expect((await user.send('GET', path)).body.guard).toEqual(all)
  await set(user, { ibans: 'flag' })
  const { body } = await set(user, { secrets: { direct: 'refuse' } })
  expect(body.guard).toEqual({ ...all, ibans: 'flag', secrets: { direct: 'refuse', unattended: 'redact' } })
  expect((await set(user, { secrets: { direct: 'loud' } })).status).toBe(422)
  const editor = await writerFor(await addMember(user, 'editor'))
  const refused = await editor.send('PATCH', path, { guard: { cards: 'flag' } })
  expect([refused.status, refused.body.detail]).toEqual([
    403,
    'Your role in this workspace cannot change the guard of projects.',
  ])
  expect((await editor.send('PATCH', path, { name: 'Renamed' })).status).toBe(200)
})

test('a hidden project tells nothing of its guard', async () => {
  const [user, other] = [await withMode('refuse'), await newWriter()]
  const { status } = await other.store({ content: TOKEN, context: { project_id: user.projectId } })
  expect(status).toBe(404)
})

test('a usual write has no statement more, and one with secrets has one (architecture §4)', async () => {
  const user = await newWriter()
  const d1 = async (body: unknown) =>
    (await counted('POST', '/api/memory/store', { headers: user.headers, body })).asked.d1
  expect(await d1({ content: 'plain' })).toBe(1)
  expect(await d1({ content: `${TOKEN} and ${TOKEN}`, tags: [TOKEN] })).toBe(2)
})

test('usage counts secrets by kind and by what happened to them', async () => {
  const user = await newWriter()
  await user.store({ content: TOKEN })
  await set(user, { secrets: { direct: 'refuse' } })
  await user.store({ content: `${TOKEN} ${TOKEN}` })
  await until(
    async () => {
      const { body } = await user.send('GET', '/v1/usage')
      expect(body.secrets).toEqual([{ kind: 'github_token', flagged: 1, redacted: 0, refused: 2 }])
      expect(body.data.some(({ operation }: { operation: string }) => operation.startsWith('guard.'))).toBe(false)
    },
    { everyMs: 300 },
  )
})
