import { expect, test } from 'vitest'
import { clientOf, json, lost, problem } from './support.ts'

const page = (request: Request) => {
  const cursor = new URL(request.url).searchParams.get('cursor')
  const next = { first: 'b', b: 'c', c: null }[cursor ?? 'first'] ?? null
  return json({ data: [{ id: `${cursor ?? 'a'}1` }, { id: `${cursor ?? 'a'}2` }], has_more: true, next_cursor: next })
}

test('for await goes over the items of all pages, with the query of the first', async () => {
  const { client, sent } = clientOf([page])
  const ids: string[] = []
  for await (const { id } of client.projects.list({ limit: 2, workspace_id: 'wsp_1' })) ids.push(id)
  expect(ids).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2'])
  expect(sent.map(({ url }) => new URL(url).search)).toEqual([
    '?limit=2&workspace_id=wsp_1',
    '?limit=2&workspace_id=wsp_1&cursor=b',
    '?limit=2&workspace_id=wsp_1&cursor=c',
  ])
})

test('awaited, a list is its first page', async () => {
  const { client, sent } = clientOf([page])
  const { data, next_cursor } = await client.keys.list()
  expect({ ids: data.map(({ id }) => id), next_cursor, calls: sent.length }).toEqual({
    ids: ['a1', 'a2'],
    next_cursor: 'b',
    calls: 1,
  })
})

test('pages() goes over whole pages, and a loop that ends early asks for no more', async () => {
  const { client, sent } = clientOf([page])
  const sizes: number[] = []
  for await (const { data } of client.audit.list().pages()) sizes.push(data.length)
  expect(sizes).toEqual([2, 2, 2])
  for await (const one of client.deliveries.list('sub_1')) if (one.id === 'a2') break
  expect(sent).toHaveLength(4)
})

test('subscriptions lie under a name of their own', async () => {
  const { client } = clientOf([
    json({ subscriptions: [{ id: 'sub_1' }], total: 1, has_more: false, next_cursor: null }),
  ])
  const found: unknown[] = []
  for await (const one of client.subscriptions.list()) found.push(one)
  expect(found).toEqual([{ id: 'sub_1' }])
})

test('each page is tried again by itself, and a failure ends the loop', async () => {
  const { client } = clientOf([page, lost(), page, problem(403, 'forbidden')])
  const ids: string[] = []
  const loop = async () => {
    for await (const { id } of client.apps.list()) ids.push(id)
  }
  await expect(loop()).rejects.toMatchObject({ code: 'forbidden' })
  expect(ids).toEqual(['a1', 'a2', 'b1', 'b2'])
})

test('a list that nobody awaits, and that fails, is no other failure than that of a promise', async () => {
  const { client } = clientOf([problem(403, 'forbidden')])
  await expect(client.apps.list().withResponse()).rejects.toMatchObject({ status: 403 })
  await expect(client.apps.list().catch(() => 'caught')).resolves.toBe('caught')
  let ended = false
  await client.apps
    .list()
    .finally(() => (ended = true))
    .catch(() => {})
  expect(ended).toBe(true)
})
