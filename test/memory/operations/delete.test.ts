import { expect, test } from 'vitest'
import { newWriter } from '../../support/memory.ts'
import { db } from '../../support/world.ts'

test('DELETE answers 204 without content, once; no answer shows the item afterwards', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'a kettle', custom_id: 'c', tags: ['t'], wait_ms: 5_000 })
  const path = `/v1/memory/items/${item.id}`
  const { status, text, headers } = await user.send('DELETE', path)
  expect({ status, text, type: headers.get('content-type') }).toEqual({ status: 204, text: '', type: null })
  const answers = [
    await user.send('DELETE', path),
    await user.get(item.id),
    await user.send('GET', path),
    await user.send('PATCH', path, { tags: [] }),
    await user.send('GET', `${path}/versions`),
    await user.send('POST', `${path}/embed`),
  ]
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 404))
  for (const mode of ['keyword', 'semantic', 'hybrid'])
    expect((await user.send('POST', '/api/memory/search', { query: 'kettle', mode })).body).toMatchObject({ total: 0 })
  expect((await user.send('GET', '/v1/memory/items')).body.data).toEqual([])
})

test('its custom_id and its text are free at once', async () => {
  const user = await newWriter()
  const { body: first } = await user.store({ content: 'a kettle', custom_id: 'c' })
  await user.send('DELETE', `/v1/memory/items/${first.id}`)
  const second = await user.store({ content: 'a kettle', custom_id: 'c', deduplicate: true })
  expect(second.status).toBe(201)
  expect(second.body.id).not.toBe(first.id)
  expect(second.body).toMatchObject({ version: 1, custom_id: 'c' })
})

test('a deletion commits one memory.deleted with the actor and the version, and without the text', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'a secret', context: { namespace: 'n', conversation_id: 'c' } })
  await user.send('PATCH', `/v1/memory/items/${item.id}`, { tags: ['x'] })
  await user.send('DELETE', `/v1/memory/items/${item.id}`)
  const events = await db.all<{ data: string }>(
    "select data from events where tenant_id = :tenant and type = 'memory.deleted'",
    { tenant: user.tenantId },
  )
  expect(events.map(({ data }) => JSON.parse(data))).toEqual([
    {
      memory_id: item.id,
      project_id: user.projectId,
      namespace: 'n',
      scope: 'project',
      kind: 'note',
      conversation_id: 'c',
      version: 2,
      actor: user.userId,
    },
  ])
})

test('one of several concurrent deletions deletes, and the others find nothing', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'a kettle' })
  const answers = await Promise.all([0, 1, 2, 3].map(() => user.send('DELETE', `/v1/memory/items/${item.id}`)))
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 404, 404, 404])
})
