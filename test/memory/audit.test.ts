/** @module-tag long */
import { expect, test } from 'vitest'
import { newWriter, writerFor, type Writer } from '../support/memory.ts'
import { until } from '../support/until.ts'
import { addMember, call } from '../support/world.ts'

/** The rows that the user's audit log has by now, as [action, outcome, ids]. */
async function logOf(user: Writer): Promise<{ rows: [string, string, string[]][]; text: string }> {
  const { body, text } = await user.send('GET', '/v1/audit?limit=100')
  return { rows: body.data.map((row: any) => [row.action, row.outcome, row.resource_ids]), text }
}

/** Rows about memory, in an order of their own: reads arrive when they arrive. */
const sorted = (rows: [string, string, string[]][]): string[] =>
  rows
    .filter(([action]) => action.startsWith('memory.'))
    .map((row) => JSON.stringify(row))
    .sort()

/** Reads and refusals are gathered for a moment, so they are there a little later. */
const eventually = (work: () => Promise<void>) => until(work, { everyMs: 500 })

test('a batch leaves an audit row for each operation, refusals included, and never a text', async () => {
  const [user, stranger] = [await newWriter(), await newWriter()]
  const { body: foreign } = await stranger.store({ content: 'foreign secret' })
  const { body } = await user.send('POST', '/api/memory/batch', {
    operations: [
      { op: 'store', content: 'my secret' },
      { op: 'retrieve', id: foreign.id },
      { op: 'delete', id: foreign.id },
    ],
  })
  const id = body.results[0].id
  await eventually(async () => {
    const { rows, text } = await logOf(user)
    expect(rows).toEqual(
      expect.arrayContaining([
        ['memory.store', 'success', [id]],
        ['memory.retrieve', 'not_found', [foreign.id]],
        ['memory.delete', 'not_found', [foreign.id]],
      ]),
    )
    expect(text).not.toContain('secret')
  })
  const { body: theirs } = await stranger.send('GET', '/v1/audit')
  expect(theirs.data.map((row: any) => row.actor)).not.toContain(user.userId)
})

test('every access leaves one row: what, which item, how it ended; never a text, a query or a tag', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'a secret kettle', tags: ['secret'], wait_ms: 5_000 })
  const { body: other } = await user.store({ content: 'another secret', tags: ['secret'] })
  const path = `/v1/memory/items/${item.id}`
  await user.get(item.id)
  await user.send('GET', `${path}/versions`)
  await user.send('PATCH', path, { content: 'a changed secret' })
  await user.send('POST', '/api/memory/search', { query: 'changed secret', mode: 'keyword' })
  await user.send('GET', '/v1/memory/items?tags=secret')
  await user.send('GET', '/v1/memory/items?q=changed')
  await user.send('GET', '/v1/memory/export')
  await user.send('GET', '/v1/memory/namespaces?prefix=secret')
  await user.send('GET', '/v1/memory/subjects?prefix=secret')
  await user.send('GET', '/v1/memory/conversations?namespace=secret')
  await user.send('POST', `${path}/embed`)
  await user.send('POST', '/v1/memory/delete', { filters: { tags: ['secret'] }, dry_run: true })
  await user.send('DELETE', path)
  await user.send('POST', '/v1/memory/delete', { filters: { tags: ['secret'] } })
  const imported = await call('POST', '/v1/memory/import', {
    headers: { ...user.headers, 'Content-Type': 'application/x-ndjson' },
    raw: '{"content": "an imported secret"}',
  })
  const line = imported.body.results[0].id
  await eventually(async () => {
    const { rows, text } = await logOf(user)
    expect(sorted(rows)).toEqual(
      sorted([
        ['memory.store', 'success', [item.id]],
        ['memory.store', 'success', [other.id]],
        ['memory.retrieve', 'success', [item.id]],
        ['memory.versions', 'success', [item.id]],
        ['memory.update', 'success', [item.id]],
        ['memory.search', 'success', [item.id, other.id]],
        ['memory.list', 'success', [other.id, item.id]],
        ['memory.list', 'success', [item.id]],
        ['memory.export', 'success', [item.id, other.id]],
        ['memory.namespaces', 'success', []],
        ['memory.subjects', 'success', []],
        ['memory.conversations', 'success', []],
        ['memory.embed', 'success', [item.id]],
        ['memory.delete', 'success', [item.id, other.id]],
        ['memory.delete', 'success', [item.id]],
        ['memory.delete', 'success', [other.id]],
        ['memory.store', 'success', [line]],
      ]),
    )
    expect(text).not.toMatch(/secret|kettle|changed/)
  })
})

test('a refusal by permission leaves an audit row too, in the log of the user who was refused', async () => {
  const owner = await newWriter()
  const viewer = await writerFor(await addMember(owner, 'viewer'))
  const { body: item } = await owner.store({ content: 'mine' })
  const path = `/v1/memory/items/${item.id}`
  await viewer.store({ content: 'x' })
  await viewer.send('PATCH', path, { tags: [] })
  await viewer.send('DELETE', path)
  await viewer.send('POST', `${path}/embed`)
  await viewer.send('POST', '/v1/memory/delete', { filters: {} })
  await viewer.send('GET', '/v1/memory/items/mem_none')
  await eventually(async () => {
    const { rows } = await logOf(viewer)
    expect(sorted(rows)).toEqual(
      sorted([
        ['memory.store', 'forbidden', []],
        ['memory.update', 'forbidden', [item.id]],
        ['memory.delete', 'forbidden', [item.id]],
        ['memory.embed', 'forbidden', [item.id]],
        ['memory.delete', 'forbidden', []],
        ['memory.retrieve', 'not_found', ['mem_none']],
      ]),
    )
  })
})
