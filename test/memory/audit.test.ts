import { expect, test, vi } from 'vitest'
import { newWriter } from '../support/memory.ts'

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
  await vi.waitFor(
    async () => {
      const { body: log, text } = await user.send('GET', '/v1/audit')
      const rows = log.data.map((row: any) => [row.action, row.outcome, row.resource_ids])
      expect(rows).toEqual(
        expect.arrayContaining([
          ['memory.store', 'success', [id]],
          ['memory.retrieve', 'not_found', [foreign.id]],
          ['memory.delete', 'not_found', [foreign.id]],
        ]),
      )
      expect(text).not.toContain('secret')
    },
    { timeout: 10_000, interval: 500 },
  )
  const { body: theirs } = await stranger.send('GET', '/v1/audit')
  expect(theirs.data.map((row: any) => row.actor)).not.toContain(user.userId)
}, 20_000)
