/** @module-tag shards */
import { expect, test } from 'vitest'
import { etagOf } from '../../src/memory/etag.ts'
import { travel } from '../support/clock.ts'
import { newWriter, writerFor } from '../support/memory.ts'
import { addMember, db } from '../support/world.ts'

const key = (value: string) => ({ 'Idempotency-Key': value })
const stored = async (tenantId: string) =>
  (await db.all('select id from memory_items where tenant_id = :tenant', { tenant: tenantId })).length

test('a replay has the first status and id, and shows the item as it is now', async () => {
  const user = await newWriter()
  const first = await user.store({ content: 'one' }, key('k'))
  await user.send('PATCH', `/v1/memory/items/${first.body.id}`, { content: 'two' })
  const again = await user.store({ content: 'one' }, key('k'))
  expect(again.status).toBe(201)
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  expect(again.body).toMatchObject({ id: first.body.id, version: 2, content: { text: 'two' } })
  expect(again.headers.get('ETag')).toBe(etagOf(again.body))
  await user.send('DELETE', `/v1/memory/items/${first.body.id}`)
  expect((await user.store({ content: 'one' }, key('k'))).status).toBe(404)
  expect(await stored(user.tenantId)).toBe(1)
})

test('the same key with another body is 409 idempotency_mismatch', async () => {
  const user = await newWriter()
  await user.store({ content: 'one' }, key('k'))
  const other = await user.store({ content: 'two' }, key('k'))
  expect({ status: other.status, code: other.body.code }).toEqual({ status: 409, code: 'idempotency_mismatch' })
  expect(await stored(user.tenantId)).toBe(1)
})

test('many at once with one key store one item, and all name it', async () => {
  const user = await newWriter()
  const answers = await Promise.all(Array.from({ length: 5 }, () => user.store({ content: 'one' }, key('k'))))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true')).toHaveLength(4)
  expect(await stored(user.tenantId)).toBe(1)
})

test('an update under a custom_id and a duplicate replay with their 200', async () => {
  const user = await newWriter()
  await user.store({ content: 'one', custom_id: 'c' })
  const update = () => user.store({ content: 'two', custom_id: 'c' }, key('u'))
  expect([(await update()).status, (await update()).status]).toEqual([200, 200])
  expect((await update()).body.version).toBe(2)
  const duplicate = () => user.store({ content: 'two', deduplicate: true }, key('d'))
  const [first, again] = [await duplicate(), await duplicate()]
  expect([first.status, again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 200, 'true'])
})

test('a key keeps only a 2xx: a refused store frees it', async () => {
  const user = await newWriter()
  const { body: project } = await user.send('POST', '/api/projects', { name: 'P', workspace_id: user.workspaceId })
  const body = { content: 'one', context: { project_id: project.id } }
  await db.write('update projects set deleted_at = 1 where id = :id returning id', { id: project.id })
  expect((await user.store(body, key('k'))).status).toBe(404)
  await db.write('update projects set deleted_at = null where id = :id returning id', { id: project.id })
  expect((await user.store(body, key('k'))).status).toBe(201)
})

test('a running request holds its key (409 idempotency_in_progress), for 60 s', async () => {
  const user = await newWriter()
  const body = { operations: [{ op: 'store', content: 'one' }] }
  const send = () => user.send('POST', '/api/memory/batch', body, key('k'))
  await send()
  await db.write('update idempotency_keys set status = null, resource = null where user_id = :user returning key', {
    user: user.userId,
  })
  const running = await send()
  expect({ status: running.status, code: running.body.code }).toEqual({ status: 409, code: 'idempotency_in_progress' })
  travel(60_000)
  expect((await send()).status).toBe(200)
})

test("security 28: a key is its user's alone", async () => {
  const owner = await newWriter()
  const member = await writerFor(await addMember(owner, 'editor'))
  const mine = await owner.store({ content: 'one' }, key('k'))
  const theirs = await member.store({ content: 'one' }, key('k'))
  expect(theirs.status).toBe(201)
  expect(theirs.headers.get('Idempotent-Replayed')).toBeNull()
  expect(theirs.body.id).not.toBe(mine.body.id)
})
