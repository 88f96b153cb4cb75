import { expect, test } from 'vitest'
import { newWriter, writerFor } from '../support/memory.ts'
import { addMember, db } from '../support/world.ts'

test('POST …/embed answers 202 and embeds again what failed, without a new version', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'try me', wait_ms: 5_000 })
  expect(item.embedding_status).toBe('completed')
  await db.write(
    "update memory_items set embedding_status = 'failed', embedding_error = 'no' where id = ? returning id",
    item.id,
  )
  const again = await user.send('POST', `/v1/memory/items/${item.id}/embed`)
  expect(again.status).toBe(202)
  expect(again.body).toMatchObject({ id: item.id, embedding_status: 'pending', embedding_error: null, version: 1 })
})

test('it needs the right to change the item', async () => {
  const owner = await newWriter()
  const viewer = await writerFor(await addMember(owner, 'viewer'))
  const { body: item } = await owner.store({ content: 'mine' })
  expect((await viewer.send('POST', `/v1/memory/items/${item.id}/embed`)).status).toBe(403)
  expect((await owner.send('POST', '/v1/memory/items/mem_none/embed')).status).toBe(404)
})
