/** @module-tag shards */
import { expect, test } from 'vitest'
import { travel } from '../support/clock.ts'
import { newWriter, writerFor, type Writer } from '../support/memory.ts'
import { addKey, addMember, call, db } from '../support/world.ts'

const about = (subject: string, content = 'a kettle', more: object = {}) => ({ content, context: { subject }, ...more })
const ids = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id)
const patch = (user: Writer, id: string, subject: string | null) =>
  user.send('PATCH', `/v1/memory/items/${id}`, { context: { subject } })

test('contract §3: a subject is set once, and no change moves or removes it', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'a kettle' })
  expect(item.context).not.toHaveProperty('subject')
  expect((await patch(user, item.id, null)).status).toBe(200)
  expect((await patch(user, item.id, 'Ada')).body.context.subject).toBe('Ada')
  expect((await patch(user, item.id, 'Ada')).status).toBe(200)
  for (const other of ['Grace', null]) {
    const { status, body } = await patch(user, item.id, other)
    expect({ status, error: body.errors[0] }).toEqual({
      status: 422,
      error: {
        path: 'context.subject',
        code: 'immutable',
        message: 'The subject of an item cannot change once it is set.',
      },
    })
  }
  const kept = await user.send('PATCH', `/v1/memory/items/${item.id}`, { tags: ['t'] })
  expect(kept.body).toMatchObject({ context: { subject: 'Ada' }, tags: ['t'], version: 5 })
  expect((await user.get(item.id)).body.context.subject).toBe('Ada')
})

test('a store under a custom_id, a batch and an import keep to it', async () => {
  const user = await newWriter()
  const { body: item } = await user.store(about('Ada', 'one', { custom_id: 'c' }))
  expect((await user.store({ content: 'two', custom_id: 'c' })).body).toMatchObject({ context: { subject: 'Ada' } })
  expect((await user.store(about('Grace', 'three', { custom_id: 'c' }))).body.errors[0].code).toBe('immutable')
  const operations = [
    { op: 'update', id: item.id, context: { subject: 'Grace' } },
    { op: 'store', ...about('Grace') },
    { op: 'update', id: item.id, context: { subject: 'Ada' }, tags: ['t'] },
  ]
  const { body: report } = await user.send('POST', '/api/memory/batch', { operations })
  expect(report.results.map(({ status }: { status: string }) => status)).toEqual(['error', 'success', 'success'])
  const exported = await user.send('GET', '/v1/memory/export?subject=Ada')
  const other = await newWriter()
  const imported = await call('POST', '/v1/memory/import', {
    headers: { ...other.headers, 'Content-Type': 'application/x-ndjson' },
    raw: exported.text,
  })
  expect(imported.body).toMatchObject({ created: 1, failed: 0 })
  expect((await other.get(imported.body.results[0].id)).body.context.subject).toBe('Ada')
})

test('it narrows list, words, search, export and bulk delete, alone and beside other labels', async () => {
  const user = await newWriter()
  const { body: ada } = await user.store(about('Ada'))
  const { body: talk } = await user.store({ content: 'a kettle', context: { subject: 'Ada', conversation_id: 'c' } })
  const { body: there } = await user.store({ content: 'a kettle', context: { subject: 'Ada', namespace: 'n' } })
  await user.store(about('Grace'))
  await user.store({ content: 'a kettle', context: { conversation_id: 'c' } })
  const both = [talk.id, ada.id]
  const list = async (query: string) => ids((await user.send('GET', `/v1/memory/items?${query}`)).body.data)
  expect(await list('subject=Ada')).toEqual(both)
  expect(await list('subject=Ada&sort=occurred_at')).toEqual(both.toReversed())
  expect(await list('subject=Ada&conversation_id=c')).toEqual([talk.id])
  expect(await list('subject=Ada&namespace=*')).toEqual([there.id, ...both])
  expect(await list('subject=Ada&q=kettle')).toEqual(both)
  expect(await list('subject=Ada&embedding_status=pending&limit=1')).toEqual([talk.id])
  expect(await list('subject=ada')).toEqual([])
  expect(
    await list(`filters=${encodeURIComponent('{"subject":{"in":["Ada",null]},"conversation_id":"c"}')}`),
  ).toHaveLength(2)
  for (const mode of ['keyword', 'hybrid']) {
    travel(1_000)
    const { body } = await user.send('POST', '/api/memory/search', {
      query: 'kettle',
      mode,
      context: { subject: 'Ada' },
    })
    expect(new Set(ids(body.results))).toEqual(new Set(both))
  }
  const exported = await user.send('GET', '/v1/memory/export?subject=Grace')
  expect(exported.text.trim().split('\n')).toHaveLength(1)
  const deletion = await user.send('POST', '/v1/memory/delete', { context: { subject: 'Ada' }, filters: {} })
  expect(deletion.body).toEqual({ deleted: 2, has_more: false })
  expect(await list('')).toHaveLength(2)
})

test('one name is one subject in both normal forms', async () => {
  const user = await newWriter()
  const [composed, decomposed] = ['Zoë', 'Zoë'.normalize('NFD')]
  const { body: item } = await user.store(about(decomposed))
  expect(item.context.subject).toBe(composed)
  expect((await patch(user, item.id, composed)).status).toBe(200)
  const query = (name: string) => user.send('GET', `/v1/memory/items?subject=${encodeURIComponent(name)}`)
  expect(ids((await query(decomposed)).body.data)).toEqual([item.id])
  const filters = encodeURIComponent(JSON.stringify({ subject: decomposed }))
  expect(ids((await user.send('GET', `/v1/memory/items?filters=${filters}`)).body.data)).toEqual([item.id])
})

test.each([
  ['no character', ''],
  ['257 characters', 'x'.repeat(257)],
  ['a line feed', 'Ada\nGrace'],
  ['a line separator', 'Ada\u2028'],
  ['a number', 5],
])('422: %s', async (_, subject) => {
  const user = await newWriter()
  const { status, body } = await user.store({ content: 'x', context: { subject } })
  expect([status, body.errors?.[0].path]).toEqual([422, 'context.subject'])
})

test('256 characters beyond the BMP are a subject, and its shape tells nothing', async () => {
  const user = await newWriter()
  for (const subject of ['🫖'.repeat(256), 'user 17; drop table', '*', '%_']) {
    const { body } = await user.store(about(subject))
    const { body: page } = await user.send('GET', `/v1/memory/items?subject=${encodeURIComponent(subject)}`)
    expect(ids(page.data)).toEqual([body.id])
  }
})

test('deduplicate takes an equal text about somebody else as another fact', async () => {
  const user = await newWriter()
  const deduplicate = { deduplicate: true }
  const { body: ada } = await user.store(about('Ada', 'likes tea'))
  const { body: grace, status } = await user.store(about('Grace', 'likes tea', deduplicate))
  expect([status, grace.id === ada.id]).toEqual([201, false])
  const again = await user.store(about('Ada', 'likes tea', deduplicate))
  expect(again.body).toMatchObject({ id: ada.id, deduplicated: true })
  const without = await user.store({ content: 'likes tea', ...deduplicate })
  expect([without.status, without.body.context.subject]).toEqual([201, undefined])
  const race = await Promise.all([1, 2, 3].map(() => user.store(about('Alan', 'likes tea', deduplicate))))
  expect(new Set(race.map(({ body }) => body.id)).size).toBe(1)
})

test('a deleted item and its event keep no subject, and no event has one', async () => {
  const user = await newWriter()
  const { body: item } = await user.store(about('quetzal'))
  await user.send('PATCH', `/v1/memory/items/${item.id}`, { content: 'another' })
  await user.send('DELETE', `/v1/memory/items/${item.id}`)
  const rows = await db.all<{ data: string }>('select data from events where tenant_id = :tenant', {
    tenant: user.tenantId,
  })
  expect(rows.length).toBeGreaterThan(2)
  expect(JSON.stringify(rows)).not.toContain('quetzal')
  const row = await db.first<{ subject: string | null }>('select subject from memory_items where id = :id', {
    id: item.id,
  })
  expect(row).toEqual({ subject: null })
})

test('security 67: a credential that may only write learns no subject by its guesses', async () => {
  const user = await newWriter()
  const { body: item } = await user.store(about('Ada', 'one', { custom_id: 'c' }))
  const { secret: key } = await addKey(user, { scopes: ['write:memory'] })
  const guesses = ['Ada', 'Grace'].flatMap((subject) => [
    call('PATCH', `/v1/memory/items/${item.id}`, { key, body: { context: { subject } } }),
    call('POST', '/api/memory/store', { key, body: about(subject, 'two', { custom_id: 'c' }) }),
  ])
  const codes = (await Promise.all(guesses)).map(({ body }) => body.code)
  expect(new Set(codes)).toEqual(new Set(['insufficient_scope']))
  expect((await call('POST', '/api/memory/store', { key, body: about('Grace') })).status).toBe(201)
})

test('a subject is a label and no wall: a member reads about every subject', async () => {
  const owner = await newWriter()
  const viewer = await writerFor(await addMember(owner, 'viewer'))
  const { body: item } = await owner.store(about('Ada'))
  expect((await viewer.get(item.id)).body.context.subject).toBe('Ada')
})
