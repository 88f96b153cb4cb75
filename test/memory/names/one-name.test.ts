/** @module-tag shards */
import { expect, test } from 'vitest'
import { travel } from '../../support/clock.ts'
import { useTool } from '../../support/mcp.ts'
import { newWriter, type Writer } from '../../support/memory.ts'
import { call } from '../../support/world.ts'

const NFC = 'caf\u00E9-\uD55C'
const NFD = NFC.normalize('NFD')
const FORMS = [NFC, NFD]

const importLine = (user: Writer, line: object) =>
  call('POST', '/v1/memory/import', {
    headers: { ...user.headers, 'Content-Type': 'application/x-ndjson' },
    raw: JSON.stringify(line),
  })
const idsOf = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id)

test('contract §3: a custom_id in another form updates the same item, by store, batch, import, update and tool', async () => {
  const user = await newWriter()
  const first = await user.store({ content: 'one', custom_id: NFD })
  expect(first).toMatchObject({ status: 201, body: { custom_id: NFC } })
  const { id } = first.body
  expect(await user.store({ content: 'two', custom_id: NFC })).toMatchObject({ status: 200, body: { id, version: 2 } })
  const operations = [{ op: 'store', content: 'three', custom_id: NFD }]
  const batch = await user.send('POST', '/api/memory/batch', { operations })
  expect(batch.body.results).toMatchObject([{ item: { id, custom_id: NFC } }])
  expect((await importLine(user, { content: 'four', custom_id: NFD })).body).toMatchObject({ created: 0, updated: 1 })
  const path = `/v1/memory/items/${id}`
  expect(await user.send('PATCH', path, { custom_id: NFD })).toMatchObject({ status: 200, body: { custom_id: NFC } })
  const tool = await useTool('store_memory', { content: 'five', custom_id: NFD }, { bearer: user.key })
  expect(tool.result).toMatchObject({ id, custom_id: NFC })
})

test('contract §3: two items cannot have one custom_id in two forms', async () => {
  const user = await newWriter()
  await user.store({ content: 'one', custom_id: NFC })
  const { body } = await user.store({ content: 'two', custom_id: 'other' })
  const renamed = await user.send('PATCH', `/v1/memory/items/${body.id}`, { custom_id: NFD })
  expect(renamed).toMatchObject({ status: 409, body: { code: 'custom_id_taken' } })
  const operations = FORMS.map((custom_id) => ({ op: 'store', content: custom_id, custom_id }))
  const batch = await user.send('POST', '/api/memory/batch', { operations, atomic: true })
  expect(new Set(batch.body.results.map((result: any) => result.item.id)).size).toBe(1)
})

test('contract §3: tags and ids of the context are one in both forms, wherever an item is asked for', async () => {
  const user = await newWriter()
  const labels = (form: string) => ({ conversation_id: form, document_id: form, session_id: form })
  const { body: item } = await user.store({
    content: 'kettle',
    tags: [NFD, NFC, 'plain'],
    custom_id: NFD,
    context: labels(NFD),
  })
  expect(item).toMatchObject({ tags: [NFC, 'plain'], context: labels(NFC) })
  for (const form of FORMS) {
    travel(1_000)
    const lists = [
      { tags: form },
      ...Object.entries(labels(form)).map(([name, value]) => ({ [name]: value })),
      ...['custom_id', ...Object.keys(labels(form))].map((name) => ({ filters: JSON.stringify({ [name]: form }) })),
      { filters: JSON.stringify({ custom_id: { in: ['x', form] }, tags: [form, 'plain'], tags_match: 'all' }) },
    ]
    for (const query of lists) {
      travel(100)
      const list = await user.send(
        'GET',
        `/v1/memory/items?${new URLSearchParams(query as Record<string, string>).toString()}`,
      )
      expect(idsOf(list.body.data), JSON.stringify(query)).toEqual([item.id])
    }
    const search = { query: 'kettle', mode: 'keyword', context: labels(form), filters: { tags: [form] } }
    expect((await user.send('POST', '/api/memory/search', search)).body.results).toHaveLength(1)
    const tool = await useTool('list_memories', { tags: [form] }, { bearer: user.key })
    expect(tool.text).toContain(item.id)
    const none = { filters: JSON.stringify({ NOT: { tags: [form] } }) }
    expect((await user.send('GET', `/v1/memory/items?${new URLSearchParams(none).toString()}`)).body.data).toEqual([])
    const counted = { filters: { custom_id: form }, context: { session_id: form }, dry_run: true }
    expect((await user.send('POST', '/v1/memory/delete', counted)).body.deleted).toBe(1)
  }
  expect((await user.send('POST', '/v1/memory/delete', { filters: { custom_id: NFD } })).body.deleted).toBe(1)
})

test('a name is as long as it is in NFC, and too long in any form is refused at once', async () => {
  const user = await newWriter()
  const longest = '\u00E9'.repeat(128)
  expect((await user.store({ content: 'a', custom_id: longest.normalize('NFD') })).status).toBe(201)
  const tag = '\u{1F308}'.repeat(64)
  await user.store({ content: 'b', tags: [tag] })
  const list = await user.send('GET', `/v1/memory/items?${new URLSearchParams({ tags: tag }).toString()}`)
  expect(list.body.data).toHaveLength(1)
  for (const custom_id of [`${longest}x`, `a${'\u0315\u0300'.repeat(100_000)}`])
    expect(await user.store({ content: 'c', custom_id })).toMatchObject({
      status: 422,
      body: { errors: [{ code: 'wrong_length' }] },
    })
})

test('texts and metadata stay as they are, and metadata is compared as it stands', async () => {
  const user = await newWriter()
  const content = { text: NFD, metadata: { [NFD]: NFD } }
  const { body } = await user.store({ content })
  expect(body.content).toMatchObject(content)
  const found = async (value: string) => {
    const filters = JSON.stringify({ [`metadata.${NFD}`]: value })
    return (await user.send('GET', `/v1/memory/items?${new URLSearchParams({ filters }).toString()}`)).body.data.length
  }
  expect([await found(NFD), await found(NFC)]).toEqual([1, 0])
})
