/** @module-tag long */
import { expect, test } from 'vitest'
import { newWriter } from '../../support/memory.ts'
import { db } from '../../support/world.ts'

test('a batch runs in order; later operations see earlier ones, and each has its own result', async () => {
  const user = await newWriter()
  const { body: old } = await user.store({ content: 'old', tags: ['a'] })
  const { status, body } = await user.send('POST', '/api/memory/batch', {
    operations: [
      { op: 'store', content: 'new', custom_id: 'c' },
      { op: 'store', content: 'newer', custom_id: 'c' },
      { op: 'update', id: old.id, tags: ['b'] },
      { op: 'update', id: old.id, content: 'changed' },
      { op: 'retrieve', id: old.id },
      { op: 'delete', id: old.id },
      { op: 'retrieve', id: old.id },
    ],
  })
  expect(status).toBe(200)
  expect(body.results.map((r: any) => [r.index, r.op, r.status, r.item?.version, r.error?.status])).toEqual([
    [0, 'store', 'success', 1, undefined],
    [1, 'store', 'success', 2, undefined],
    [2, 'update', 'success', 2, undefined],
    [3, 'update', 'success', 3, undefined],
    [4, 'retrieve', 'success', 3, undefined],
    [5, 'delete', 'success', undefined, undefined],
    [6, 'retrieve', 'error', undefined, 404],
  ])
  expect(body).toMatchObject({ success_count: 6, error_count: 1 })
  expect(body.results[1].id).toBe(body.results[0].id)
  expect(body.results[4].item).toMatchObject({ content: { text: 'changed' }, tags: ['b'] })
  expect((await user.get(old.id)).status).toBe(404)
  expect((await user.get(body.results[0].id)).body).toMatchObject({ content: { text: 'newer' }, version: 2 })
  const versions = await db.all<{ version: number; text: string }>(
    'select v.version, v.text from memory_versions v join memory_items i on i.row = v.item_row where i.id = :id',
    { id: body.results[0].id },
  )
  expect(versions).toEqual([{ version: 1, text: 'new' }])
  const events = await db.all<{ type: string; version: number }>(
    "select type, data ->> 'version' as version from events where data ->> 'memory_id' = :id order by type, version",
    { id: old.id },
  )
  expect(events.map(({ type, version }) => [type, version])).toEqual([
    ['memory.created', 1],
    ['memory.deleted', 3],
    ['memory.updated', 2],
    ['memory.updated', 3],
  ])
})

test('every kind of bad operation is its own error and spoils no other', async () => {
  const user = await newWriter()
  const stranger = await newWriter()
  const { body: foreign } = await stranger.store({ content: 'not yours' })
  const { body } = await user.send('POST', '/api/memory/batch', {
    operations: [
      { op: 'store', content: 'good' },
      { op: 'store' },
      { op: 'store', content: '' },
      { op: 'store', content: 'x', id: 'mem_x' },
      { op: 'store', content: 'x', context: { project_id: stranger.projectId } },
      { op: 'update', id: foreign.id, content: 'mine now' },
      { op: 'delete', id: foreign.id },
      { op: 'retrieve', id: foreign.id },
      { op: 'explode' },
      'nonsense',
      null,
      { op: 'update', content: 'no id' },
      { op: 'store', content: 'also good' },
    ],
  })
  expect(body.results.map((r: any) => r.error?.code ?? r.status)).toEqual([
    'success',
    'validation_failed',
    'validation_failed',
    'validation_failed',
    'not_found',
    'not_found',
    'not_found',
    'not_found',
    'validation_failed',
    'validation_failed',
    'validation_failed',
    'validation_failed',
    'success',
  ])
  expect(body).toMatchObject({ success_count: 2, error_count: 11 })
  expect((await stranger.get(foreign.id)).body.content.text).toBe('not yours')
})

test('atomic: one refusal writes nothing; the other operations are skipped', async () => {
  const user = await newWriter()
  const { status, body } = await user.send('POST', '/api/memory/batch', {
    atomic: true,
    operations: [
      { op: 'store', content: 'would pass' },
      { op: 'delete', id: 'mem_none' },
    ],
  })
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'validation_failed' })
  expect(body.results).toMatchObject([
    { index: 0, op: 'store', status: 'skipped' },
    { index: 1, op: 'delete', status: 'error', error: { status: 404, code: 'not_found' } },
  ])
  expect(await db.all('select id from memory_items where tenant_id = :tenant', { tenant: user.tenantId })).toEqual([])
  const whole = await user.send('POST', '/api/memory/batch', {
    atomic: true,
    operations: [
      { op: 'store', content: 'one' },
      { op: 'store', content: 'two' },
    ],
  })
  expect(whole.body).toMatchObject({ success_count: 2, error_count: 0 })
})

test('a deduplicated item that the same batch changes to a text that is there already is kept', async () => {
  const user = await newWriter()
  await user.store({ content: 'green' })
  const { body } = await user.send('POST', '/api/memory/batch', {
    operations: [
      { op: 'store', content: 'red', custom_id: 'x', deduplicate: true },
      { op: 'store', content: 'green', custom_id: 'x' },
    ],
  })
  expect(body.results.map((r: any) => [r.status, r.item?.content.text])).toEqual([
    ['success', 'red'],
    ['success', 'green'],
  ])
})

test('deduplicate finds an equal item that is left when the same batch changes the others', async () => {
  const user = await newWriter()
  const ids: string[] = []
  for (const input of [{ custom_id: 'x' }, {}, {}]) ids.push((await user.store({ content: 'equal', ...input })).body.id)
  const [, one, other] = ids
  for (const [left, gone] of [
    [one, other],
    [other, one],
  ]) {
    const { body } = await user.send('POST', '/api/memory/batch', {
      atomic: true,
      operations: [
        { op: 'update', id: gone, content: 'other' },
        { op: 'store', content: 'other', custom_id: 'x' },
        { op: 'store', content: 'equal', deduplicate: true },
      ],
    })
    expect(body.results.at(-1)).toMatchObject({ id: left, item: { id: left, deduplicated: true } })
    for (const id of [gone, ids[0]]) await user.send('PATCH', `/v1/memory/items/${id}`, { content: 'equal' })
  }
})

test.each([false, true])(
  'items change places under their custom_ids step by step, in one batch (atomic: %s)',
  async (atomic) => {
    const user = await newWriter()
    const ids: string[] = []
    for (const name of 'abc') ids.push((await user.store({ content: name, custom_id: name })).body.id)
    const [a, b, c] = ids
    const { status, body } = await user.send('POST', '/api/memory/batch', {
      atomic,
      operations: [
        { op: 'update', id: b, tags: ['touched first'] },
        { op: 'update', id: a, custom_id: null },
        { op: 'update', id: c, custom_id: 'a' },
        { op: 'update', id: b, custom_id: 'c' },
        { op: 'update', id: a, custom_id: 'b' },
        { op: 'store', content: 'd', custom_id: 'd' },
      ],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ success_count: 6, error_count: 0 })
    const held = await Promise.all(ids.map(async (id) => (await user.get(id)).body))
    expect(held.map((item) => [item.content.text, item.custom_id, item.version])).toEqual([
      ['a', 'b', 3],
      ['b', 'c', 3],
      ['c', 'a', 2],
    ])
  },
)

test('a custom_id that an item still holds when its turn comes is taken: operations run in order', async () => {
  const user = await newWriter()
  const { body: a } = await user.store({ content: 'a', custom_id: 'a' })
  const { body: b } = await user.store({ content: 'b', custom_id: 'b' })
  const { body } = await user.send('POST', '/api/memory/batch', {
    operations: [
      { op: 'update', id: a.id, custom_id: 'b' },
      { op: 'update', id: b.id, custom_id: 'a' },
    ],
  })
  expect(body.results.map((r: any) => r.error?.code)).toEqual(['custom_id_taken', 'custom_id_taken'])
  expect([(await user.get(a.id)).body.custom_id, (await user.get(b.id)).body.custom_id]).toEqual(['a', 'b'])
})

test('an update that names an item meets the holder of that custom_id where earlier updates may have put the item', async () => {
  const user = await newWriter()
  await user.store({ content: 'holder', custom_id: 'x', context: { namespace: 'other' } })
  const { body: item } = await user.store({ content: 'moved', custom_id: 'y' })
  const { status, body } = await user.send('POST', '/api/memory/batch', {
    operations: [
      { op: 'update', id: item.id, context: { namespace: 'other' } },
      { op: 'update', id: item.id, tags: ['between'] },
      { op: 'update', id: item.id, custom_id: 'x' },
      { op: 'update', id: item.id, context: { namespace: 'default' } },
      { op: 'update', id: item.id, custom_id: 'x' },
      { op: 'update', id: item.id, context: { namespace: 'other' } },
      { op: 'update', id: item.id, custom_id: null },
      { op: 'update', id: item.id, context: { namespace: 'other' } },
    ],
  })
  expect(status).toBe(200)
  expect(body.results.map((r: any) => r.error?.code ?? [r.item.context.namespace, r.item.custom_id])).toEqual([
    ['other', 'y'],
    ['other', 'y'],
    'custom_id_taken',
    ['default', 'y'],
    ['default', 'x'],
    'custom_id_taken',
    ['default', null],
    ['other', null],
  ])
  expect((await user.get(item.id)).body).toMatchObject({ context: { namespace: 'other' }, custom_id: null })
})

test('an Idempotency-Key replays the report with the items as they are now', async () => {
  const user = await newWriter()
  const send = (text: string) =>
    user.send(
      'POST',
      '/api/memory/batch',
      { operations: [{ op: 'store', content: text }] },
      { 'Idempotency-Key': 'b1' },
    )
  const first = await send('one')
  await user.send('PATCH', `/v1/memory/items/${first.body.results[0].id}`, { tags: ['later'] })
  const again = await send('one')
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  expect(again.body.results[0]).toMatchObject({ id: first.body.results[0].id, item: { tags: ['later'], version: 2 } })
  expect(await db.all('select id from memory_items where tenant_id = :tenant', { tenant: user.tenantId })).toHaveLength(
    1,
  )
})

test('each operation may name its own project; without one it is the default', async () => {
  const user = await newWriter()
  const { body: other } = await user.send('POST', '/api/projects', { name: 'Other', workspace_id: user.workspaceId })
  const { body } = await user.send('POST', '/api/memory/batch', {
    operations: [
      { op: 'store', content: 'here', custom_id: 'c' },
      { op: 'store', content: 'there', custom_id: 'c', context: { project_id: other.id } },
      { op: 'store', content: 'here again', custom_id: 'c', context: { project_id: user.projectId } },
    ],
  })
  expect(body.results.map((r: any) => [r.item.context.project_id, r.item.version])).toEqual([
    [user.projectId, 1],
    [other.id, 1],
    [user.projectId, 2],
  ])
})
