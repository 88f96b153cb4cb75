import { expect, test, vi } from 'vitest'
import { UpdateInput } from '../../../src/memory/item.ts'
import { deleteItem } from '../../../src/memory/operations/delete.ts'
import { list, ListInput } from '../../../src/memory/operations/list.ts'
import { retrieve } from '../../../src/memory/operations/retrieve.ts'
import { update } from '../../../src/memory/operations/update.ts'
import { ctxOf, embedded, find, stored } from '../../support/search.ts'
import { newTenant } from '../../support/world.ts'
import { embeddingModel } from '../../support/models.ts'

test('a request that embeds nothing asks nothing of the embedding model, which is read when it first embeds', async () => {
  const user = await newTenant()
  const [id = ''] = await embedded(ctxOf(user), [`a long text about tea. ${'And more about tea. '.repeat(200)}`])
  const asked = vi.fn<() => never>(() => {
    throw new Error('the model was asked')
  })
  const ctx = ctxOf(user, { embeddingModel: { ...embeddingModel, embed: asked, chunks: asked, wordShare: asked } })
  const { results } = await find(ctx, 'long text', { mode: 'keyword' })
  expect(results).toMatchObject([{ id, snippet: expect.stringContaining('a long text') }])
  await stored(ctx, 'another text')
  expect((await list(ctx, ListInput.parse({ q: 'long' }))).data).toHaveLength(1)
  await retrieve(ctx, { id })
  await update(ctx, { id, input: UpdateInput.parse({ tags: ['tea'] }), ifMatch: null })
  await deleteItem(ctx, { id, ifMatch: null })
  expect(asked).not.toHaveBeenCalled()
})
