/** @module-tag shards */
import { expect, test } from 'vitest'
import { expirySweep } from '../../../src/memory/purge/expire.ts'
import { atTime, travel } from '../../support/clock.ts'
import { runToItsEnd } from '../../support/erasures.ts'
import { newWriter, writerFor, type Writer } from '../../support/memory.ts'
import { addKey, addMember, call, db, system } from '../../support/world.ts'

const turn = (text: string, more: object = {}, own: object = {}) => ({
  content: text,
  context: { conversation_id: 'c' },
  occurred_at: '2026-05-01T10:00:00Z',
  turn: { role: 'user', ...more },
  ...own,
})
const send = (user: Writer, lines: readonly object[], query = '') =>
  call('POST', `/v1/memory/import${query}`, {
    headers: { ...user.headers, 'Content-Type': 'application/x-ndjson' },
    raw: lines.map((line) => JSON.stringify(line)).join('\n'),
  })
const statuses = ({ body }: { body: any }) => body.results.map(({ status }: { status: string }) => status)
const rows = (user: Writer, table: string) =>
  db.all<Record<string, unknown>>(`select * from ${table} where project_id = :project`, { project: user.projectId })
const list = async (user: Writer, query: string) =>
  (await user.send('GET', `/v1/memory/items?${query}`)).body.data.map(({ content }: any) => content.text)

test('contract §3: an import makes turns, and every answer says what an item is', async () => {
  const user = await newWriter()
  await user.store({ content: 'a note', context: { conversation_id: 'c' } })
  const report = await send(user, [turn('a turn', { role: 'assistant', speaker: 'Ada' })])
  expect(report.body).toMatchObject({ created: 1, failed: 0 })
  const { body: item } = await user.get(report.body.results[0].id)
  expect(item).toMatchObject({ kind: 'turn', role: 'assistant', speaker: 'Ada' })
  const notes = await user.send('GET', '/v1/memory/items?kind=note')
  expect(notes.body.data).toMatchObject([{ content: { text: 'a note' }, kind: 'note', role: null, speaker: null }])
  expect(await list(user, 'kind=turn')).toEqual(['a turn'])
  expect(await list(user, `filters=${encodeURIComponent('{"kind":{"in":["turn"]}}')}`)).toEqual(['a turn'])
  const found = await user.send('POST', '/api/memory/search', {
    query: 'a turn note',
    mode: 'keyword',
    filters: { kind: 'note' },
  })
  expect(found.body.results).toMatchObject([{ kind: 'note', role: null }])
  expect((await user.send('GET', '/v1/memory/items?kind=message')).status).toBe(422)
  expect((await user.send('POST', '/api/memory/search', { query: 'a', filters: { kind: null } })).status).toBe(422)
  const exported = await user.send('GET', '/v1/memory/export?kind=turn')
  expect(JSON.parse(exported.text).turn).toEqual({ role: 'assistant', speaker: 'Ada', message_id: null, part: 0 })
  const deleted = await user.send('POST', '/v1/memory/delete', { filters: { kind: 'turn' } })
  expect(deleted.body).toEqual({ deleted: 1, has_more: false })
  expect(await list(user, '')).toEqual(['a note'])
})

test('a line is known again by its message id, else by role, speaker, time and text; other content is a new version', async () => {
  const user = await newWriter()
  const first = [turn('one', { message_id: 'm1' }), turn('two'), turn('two', { speaker: 'Bo' })]
  expect(statuses(await send(user, first))).toEqual(['created', 'created', 'created'])
  const again = await send(user, [...first, turn('three', { message_id: 'm1' }), turn('two', { role: 'assistant' })])
  expect(statuses(again)).toEqual(['updated', 'updated', 'updated', 'updated', 'created'])
  const { body: changed } = await user.get(again.body.results[0].id)
  expect(changed).toMatchObject({ content: { text: 'three' }, version: 2 })
  const { body: kept } = await user.get(again.body.results[1].id)
  expect(kept.version).toBe(1)
  expect(await rows(user, 'memory_turns')).toHaveLength(4)
  const renamed = await send(user, [turn('three', { message_id: 'm1', speaker: 'Cy' })])
  const { body: named } = await user.get(renamed.body.results[0].id)
  expect(named).toMatchObject({ speaker: 'Cy', version: 3 })
  const versions = await user.send('GET', `/v1/memory/items/${named.id}/versions`)
  expect(versions.body.data).toMatchObject([{ text: 'one' }])
})

test('a line without a time and an id is stored each time; one of another part or conversation is another', async () => {
  const user = await newWriter()
  const untimed = { ...turn('yes'), occurred_at: null }
  expect(statuses(await send(user, [untimed, untimed]))).toEqual(['created', 'created'])
  const apart = [
    turn('a', { message_id: 'm' }),
    turn('b', { message_id: 'm', part: 1 }),
    turn('a', { message_id: 'm' }, { context: { conversation_id: 'd' } }),
  ]
  expect(statuses(await send(user, apart))).toEqual(['created', 'created', 'created'])
  expect(await rows(user, 'memory_conversations')).toHaveLength(2)
})

test('a bad turn refuses its line alone', async () => {
  const user = await newWriter()
  const { body } = await send(user, [
    turn('ok'),
    { content: 'no conversation', turn: { role: 'user' } },
    turn('x', { role: 'bot' }),
    turn('x', { unknown: 1 }),
    turn('x', { message_id: '' }),
    turn('x', { part: -1 }),
    { ...turn('x'), turn: 'user' },
  ])
  expect(body).toMatchObject({ created: 1, failed: 6 })
  expect(body.results[1].error.detail).toContain('A turn needs a conversation.')
  const stored = await user.store(turn('x'))
  expect({ status: stored.status, path: stored.body.errors[0].path }).toEqual({ status: 422, path: 'turn' })
})

test('a turn stays in its conversation; its other fields change as those of any item', async () => {
  const user = await newWriter()
  const { body: report } = await send(user, [turn('one', { message_id: 'm' })])
  const { id } = report.results[0]
  for (const context of [{ conversation_id: 'd' }, { conversation_id: null }, { namespace: 'n' }]) {
    const { status, body } = await user.send('PATCH', `/v1/memory/items/${id}`, { context })
    expect({ status, code: body.errors[0].code }).toEqual({ status: 422, code: 'immutable' })
  }
  const same = {
    context: { conversation_id: 'c', namespace: 'default' },
    content: 'two',
    occurred_at: '2030-01-01T00:00:00Z',
  }
  expect((await user.send('PATCH', `/v1/memory/items/${id}`, same)).status).toBe(200)
  expect(await rows(user, 'memory_conversations')).toMatchObject([{ last_at: Date.parse('2030-01-01T00:00:00Z') }])
  expect(statuses(await send(user, [turn('two', { message_id: 'm' })]))).toEqual(['updated'])
})

test('its rows go with its tombstone, and those of a conversation with the last of its turns', async () => {
  const user = await newWriter()
  const { body } = await send(user, [turn('one', { message_id: 'm' }), turn('two', { message_id: 'n' }, { ttl: 60 })])
  const [one, two] = body.results.map(({ id }: { id: string }) => id)
  await user.send('DELETE', `/v1/memory/items/${one}`)
  expect(await rows(user, 'memory_turns')).toHaveLength(1)
  const tombstone = await db.first<{ kind: string; speaker: null }>(
    'select kind, speaker from memory_items where id = :id',
    { id: one },
  )
  expect(tombstone).toEqual({ kind: 'turn', speaker: null })
  travel(61_000)
  await expirySweep.run(system)
  expect((await user.get(two)).status).toBe(404)
  expect([...(await rows(user, 'memory_turns')), ...(await rows(user, 'memory_conversations'))]).toEqual([])
})

test('an expired turn gives its message to the one that comes again', async () => {
  const user = await newWriter()
  const line = turn('one', { message_id: 'm' }, { ttl: 60 })
  const { body } = await send(user, [line])
  await atTime(61_000, async () => {
    const again = await send(user, [line])
    expect(statuses(again)).toEqual(['created'])
    expect(again.body.results[0].id).not.toBe(body.results[0].id)
  })
  expect(await rows(user, 'memory_turns')).toHaveLength(1)
})

test('a retired turn stays as it is, and another text makes it current again', async () => {
  const user = await newWriter()
  const { body } = await send(user, [turn('one', { message_id: 'm' })])
  const { id } = body.results[0]
  await user.send('POST', `/v1/memory/items/${id}/retire`, {})
  await send(user, [turn('one', { message_id: 'm' })])
  expect((await user.get(id)).body).toMatchObject({ status: 'retired', kind: 'turn' })
  expect(await rows(user, 'memory_turns')).toHaveLength(1)
  await send(user, [turn('two', { message_id: 'm' })])
  expect((await user.get(id)).body).toMatchObject({ status: 'current', content: { text: 'two' } })
})

test('who may not read a turn learns nothing but that its id is taken', async () => {
  const owner = await newWriter()
  const other = await writerFor(await addMember(owner, 'editor'))
  const hidden = turn('secret', { message_id: 'm' }, { visibility: 'private' })
  const timed = turn('same', {}, { visibility: 'private' })
  expect((await send(owner, [hidden, timed])).body.created).toBe(2)
  const { body } = await send(
    other,
    [turn('secret', { message_id: 'm' }), turn('same')],
    `?project_id=${owner.projectId}`,
  )
  expect(body.results[0].error).toMatchObject({ status: 409, code: 'custom_id_taken' })
  expect(statuses({ body })).toEqual(['error', 'created'])
  expect(statuses(await send(other, [turn('same')], `?project_id=${owner.projectId}`))).toEqual(['updated'])
  const mine = await send(owner, [timed])
  expect(mine.body.results[0].id).not.toBe(body.results[1].id)
})

test('events say what an item is, also of a deleted one', async () => {
  const user = await newWriter()
  const { body } = await send(user, [turn('one')])
  await user.store({ content: 'note' })
  await user.send('DELETE', `/v1/memory/items/${body.results[0].id}`)
  const events = await db.all<{ type: string; kind: string }>(
    `select type, data ->> 'kind' as kind from events where tenant_id = :tenant order by id`,
    { tenant: user.tenantId },
  )
  expect(events.map(({ type, kind }) => `${type} ${kind}`).toSorted()).toEqual([
    'memory.created note',
    'memory.created turn',
    'memory.deleted turn',
  ])
})

test('an export, imported into an empty project, exports equal', async () => {
  const user = await newWriter()
  await send(user, [turn('one', { message_id: 'm', role: 'assistant', speaker: 'Ada' }), turn('two')])
  const other = await newWriter()
  const exportOf = async (one: Writer) =>
    (await one.send('GET', '/v1/memory/export')).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const before = await exportOf(user)
  expect((await send(other, before)).body).toMatchObject({ created: 2, failed: 0 })
  const after = await exportOf(other)
  expect(after.map(({ turn: own, role, content }) => ({ turn: own, role, content }))).toEqual(
    before.map(({ turn: own, role, content }) => ({ turn: own, role, content })),
  )
  expect(statuses(await send(other, before))).toEqual(['updated', 'updated'])
})

test('secrets in a line with turn are redacted, and a message id is refused', async () => {
  const user = await newWriter()
  const { secret } = await addKey(user)
  const { body } = await send(user, [
    turn(`key ${secret}`),
    turn('x', { message_id: secret }),
    turn('x', { speaker: secret }),
  ])
  expect(body.results[0].warnings).toMatchObject([{ code: 'secret_redacted' }])
  expect((await user.get(body.results[0].id)).body.content.text).not.toContain(secret)
  expect(body.results.slice(1).map((r: any) => r.error.status)).toEqual([422, 422])
})

test('an erasure of a subject takes the rows of its turns', async () => {
  const user = await newWriter()
  await send(user, [turn('one', { message_id: 'm' }, { context: { conversation_id: 'c', subject: 'Ada' } })])
  const { status, body } = await user.send('POST', '/v1/erasures', { subject: 'Ada' })
  expect(status).toBe(202)
  await runToItsEnd(body.id)
  expect([...(await rows(user, 'memory_turns')), ...(await rows(user, 'memory_conversations'))]).toEqual([])
})
