import { expect, test } from 'vitest'
import { ctxOf, embedded, find } from '../../support/search.ts'
import { newTenant, system } from '../../support/world.ts'

test('index down: words still answer, degraded; semantic is 503', async () => {
  const user = await newTenant()
  const [id] = await embedded(ctxOf(user), ['words survive'])
  const ctx = ctxOf(user, {
    projectVectors: (projectId, shard) => ({
      ...system.projectVectors(projectId, shard),
      query: () => Promise.reject(new Error('the object is down')),
    }),
  })
  const reply = await find(ctx, 'words survive')
  expect(reply).toMatchObject({ degraded: 'semantic_unavailable', results: [{ id, similarity: null }] })
  await expect(find(ctx, 'words survive', { mode: 'semantic' })).rejects.toMatchObject({ status: 503 })
  expect(await find(ctx, 'words survive', { mode: 'keyword' })).not.toHaveProperty('degraded')
})
