/** @module-tag shards */
import { expect, test } from 'vitest'
import { travel } from '../../support/clock.ts'
import { newWriter, writerFor, type Writer } from '../../support/memory.ts'
import { addMember, newTenant } from '../../support/world.ts'

const IF_ABSENT = { 'If-None-Match': '*' }
const storeNew = (user: Writer, text: string, fields: object = {}, headers: object = {}) =>
  user.store({ content: text, custom_id: 'c', ...fields }, { ...IF_ABSENT, ...headers })

test('contract §3: a store with If-None-Match: * makes an item, and is 412 where one has its custom_id', async () => {
  const user = await newWriter()
  const made = await storeNew(user, 'one')
  expect(made).toMatchObject({ status: 201, body: { version: 1, custom_id: 'c' } })
  const again = await storeNew(user, 'two')
  expect(again).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
  expect((await user.get(made.body.id)).body).toMatchObject({ version: 1, content: { text: 'one' } })
  const elsewhere = await storeNew(user, 'three', { context: { namespace: 'other' } })
  expect(elsewhere.status).toBe(201)
})

test('of several at once one makes the item, and the others change nothing', async () => {
  const user = await newWriter()
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((text) => storeNew(user, text)))
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 412, 412, 412])
  const made = answers.find(({ status }) => status === 201)
  expect((await user.get(made?.body.id)).body).toMatchObject({ version: 1, content: made?.body.content })
})

test('a name that Unicode calls canonically equal is the same', async () => {
  const user = await newWriter()
  await storeNew(user, 'one', { custom_id: 'caf\u00e9' })
  expect((await storeNew(user, 'two', { custom_id: 'cafe\u0301' })).status).toBe(412)
})

test('the custom_id of a hidden item is taken, as it is without the header', async () => {
  const tenant = await newTenant()
  const [author, editor] = [await writerFor(tenant), await writerFor(await addMember(tenant, 'editor'))]
  const context = { project_id: tenant.projectId }
  await author.store({ content: 'secret', visibility: 'private', custom_id: 'c', context })
  const taken = await storeNew(editor, 'mine', { context })
  expect(taken).toMatchObject({ status: 409, body: { code: 'custom_id_taken' } })
})

test('a retired item keeps its custom_id, and stays retired', async () => {
  const user = await newWriter()
  const { body } = await storeNew(user, 'one')
  await user.send('POST', `/v1/memory/items/${body.id}/retire`)
  for (const text of ['one', 'two']) expect((await storeNew(user, text)).status).toBe(412)
  expect((await user.get(body.id)).body).toMatchObject({ status: 'retired', content: { text: 'one' } })
})

test('a deleted and an expired item count as absent', async () => {
  const user = await newWriter()
  const { body } = await storeNew(user, 'one')
  await user.send('DELETE', `/v1/memory/items/${body.id}`)
  expect((await storeNew(user, 'two', { ttl: 60 })).status).toBe(201)
  travel(61_000)
  expect((await storeNew(user, 'three')).status).toBe(201)
})

test('a repeated request with an idempotency key gets its first answer', async () => {
  const user = await newWriter()
  const key = { 'Idempotency-Key': 'k' }
  const first = await storeNew(user, 'one', {}, key)
  const again = await storeNew(user, 'one', {}, key)
  expect(again).toMatchObject({ status: 201, body: { id: first.body.id, version: 1 } })
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
})

test.each(['"1-pending"', '*, "1"', 'W/"1"'])('422: a store takes no If-None-Match: %s', async (header) => {
  const user = await newWriter()
  const { status, body } = await storeNew(user, 'one', {}, { 'If-None-Match': header })
  expect(status).toBe(422)
  expect(body.errors).toEqual([expect.objectContaining({ path: 'If-None-Match', code: 'invalid_header' })])
})

test('422: If-None-Match needs a custom_id', async () => {
  const user = await newWriter()
  const { status, body } = await user.store({ content: 'one' }, IF_ABSENT)
  expect(status).toBe(422)
  expect(body.errors).toEqual([expect.objectContaining({ path: 'custom_id', code: 'required' })])
})
