import { expect, test } from 'vitest'
import { newWriter } from '../../support/memory.ts'
import { call } from '../../support/world.ts'

test('retrieve answers with an ETag of version and embedding_status, and 304 to If-None-Match', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'one', wait_ms: 10_000 })
  const first = await user.get(item.id)
  expect(first.headers.get('ETag')).toBe('"1-completed"')
  for (const tag of ['"1-completed"', 'W/"1-completed"', '"x", "1-completed"', '*']) {
    const again = await user.get(item.id, { 'If-None-Match': tag })
    expect({ tag, status: again.status, text: again.text }).toEqual({ tag, status: 304, text: '' })
    expect(again.headers.get('ETag')).toBe('"1-completed"')
  }
  expect((await user.get(item.id, { 'If-None-Match': '"1-pending"' })).status).toBe(200)
})

test('both paths answer the same', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'one', wait_ms: 10_000 })
  const [short, long] = [await user.get(item.id), await user.send('GET', `/v1/memory/items/${item.id}`)]
  expect(long.body).toEqual(short.body)
  expect(long.headers.get('ETag')).toBe(short.headers.get('ETag'))
})

test('an unknown, malformed or deleted id is the same 404; no id or another parameter is 422', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'one' })
  await user.send('DELETE', `/v1/memory/items/${item.id}`)
  const ids = [item.id, 'mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG', 'nonsense']
  const answers = await Promise.all(ids.map((id) => user.get(id)))
  const bodies = answers.map(({ status, body }) => ({ ...body, status, request_id: '' }))
  expect(bodies[0]).toMatchObject({ status: 404, code: 'not_found' })
  expect(bodies[1]).toEqual(bodies[0])
  expect(bodies[2]).toEqual(bodies[0])
  expect((await user.send('GET', '/api/memory/retrieve')).status).toBe(422)
  expect((await user.send('GET', `/api/memory/retrieve?id=${item.id}&namespace=x`)).status).toBe(422)
  expect((await call('GET', `/api/memory/retrieve?id=${item.id}`)).status).toBe(401)
})

test('each of many concurrent retrieves answers its own item, and no foreign one', async () => {
  const [one, other] = [await newWriter(), await newWriter()]
  const items = await Promise.all(['a', 'b', 'c', 'd'].map((content) => one.store({ content })))
  const answers = await Promise.all(
    items.flatMap(({ body }) => [one.get(body.id), other.get(body.id), one.get(body.id, { 'If-None-Match': '*' })]),
  )
  expect(answers.map(({ status, body }) => [status, body?.content?.text ?? body?.code])).toEqual(
    ['a', 'b', 'c', 'd'].flatMap((text) => [
      [200, text],
      [404, 'not_found'],
      [304, undefined],
    ]),
  )
})

test('a committed write is seen by the next read of any caller', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'v1' })
  for (const text of ['v2', 'v3']) {
    await user.send('PATCH', `/v1/memory/items/${item.id}`, { content: text })
    expect((await call('GET', `/api/memory/retrieve?id=${item.id}`, { key: user.key })).body.content.text).toBe(text)
  }
})
