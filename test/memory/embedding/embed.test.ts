/** @module-tag long */
import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import { TextRefused } from '../../../src/core/embedding.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { LEASE_MS, MAX_ATTEMPTS } from '../../../src/memory/embedding/embed-sql.ts'
import { UpdateInput } from '../../../src/memory/item.ts'
import { deleteItem } from '../../../src/memory/operations/delete.ts'
import { update } from '../../../src/memory/operations/update.ts'
import { removeVectors } from '../../../src/memory/embedding/vectors.ts'
import { atTime } from '../../support/clock.ts'
import { brokenModel, embeddingModel, slowModel } from '../../support/models.ts'
import { until } from '../../support/until.ts'
import { call, db, newTenant, system } from '../../support/world.ts'
import { ctxOf, embedded, find, idsOf, rowOf, stored, sweepUntil } from '../../support/search.ts'

const change = (ctx: AuthContext, id: string, input: unknown) =>
  update({ ...ctx, requestId: system.newId('req') }, { id, input: UpdateInput.parse(input), ifMatch: null })

const vectorsOf = (projectId: string, id: string) => system.projectVectors(projectId, '00').names([{ item: id }])

/** A model that refuses texts with this word. */
const refusing = (word: string) => ({
  ...embeddingModel,
  embed: async (texts: string[], purpose: 'document' | 'query') => {
    if (texts.some((text) => text.includes(word))) throw new TextRefused('too poisonous')
    return embeddingModel.embed(texts, purpose)
  },
})

/** An item whose embedding has begun. `finish` lets the model answer and waits for the commit. */
async function begun(text: string) {
  const user = await newTenant()
  const slow = slowModel()
  const ctx = ctxOf(user, { embeddingModel: slow.model })
  const item = await stored(ctx, text)
  const work = embedItems(ctx, db, [item.id])
  await slow.asked
  const finish = async () => {
    slow.answer()
    await work
  }
  return { user, ctx, item, finish }
}

test('pending → processing → completed: then a semantic search finds it', async () => {
  const { user, item, finish } = await begun('A kettle boils water.')
  expect(item.embedding_status).toBe('pending')
  expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'processing' })
  await finish()
  const { body } = await call('GET', `/v1/memory/items/${item.id}`, { key: user.key })
  expect(body).toMatchObject({ embedding_status: 'completed', embedding_model: system.embedder.model, version: 1 })
  expect(idsOf(await find(ctxOf(user), 'boiling kettles', { mode: 'semantic' }))).toEqual([item.id])
})

test('completion commits one memory.embedding_complete event', async () => {
  const user = await newTenant()
  const [id] = await embedded(ctxOf(user), ['One event.'])
  const events = await db.all<{ data: string }>(
    `select data from events where tenant_id = :tenant and type = 'memory.embedding_complete'`,
    { tenant: user.tenantId },
  )
  expect(events.map(({ data }) => JSON.parse(data))).toEqual([
    {
      memory_id: id,
      project_id: user.projectId,
      namespace: 'default',
      scope: 'project',
      kind: 'note',
      version: 1,
      actor: 'system',
    },
  ])
})

test('a consumer killed between model call and commit: its lease ends, another one completes', async () => {
  const user = await newTenant()
  const dying = ctxOf(user, {
    // The consumer dies right after the model call, so it stores no vectors.
    projectVectors: (projectId, shard) => ({
      ...system.projectVectors(projectId, shard),
      put: () => new Promise(() => {}),
    }),
  })
  const item = await stored(dying, 'The consumer dies.')
  void embedItems(dying, db, [item.id])
  await until(async () => expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'processing' }))
  await embedItems(system, db, [item.id])
  expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'processing' })
  await atTime(LEASE_MS + 1, () => embedItems(system, db, [item.id]))
  expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'completed' })
})

test('an item changed while it is embedded: the old text never counts, its vectors are removed', async () => {
  const { user, ctx, item, finish } = await begun('Violins are made of spruce.')
  await change(ctx, item.id, { content: { text: 'Boats are made of oak.' } })
  await finish()
  expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'pending', embedded_version: null })
  expect(await vectorsOf(user.projectId, item.id)).toEqual([])
  await embedItems(system, db, [item.id])
  expect(idsOf(await find(ctxOf(user), 'oak boats', { mode: 'semantic' }))).toEqual([item.id])
  expect(await vectorsOf(user.projectId, item.id)).toEqual([`${item.id}:2:0`])
})

test('a slow embedder finishing an old version after a new one does no harm', async () => {
  const { user, ctx, item, finish } = await begun('Violins are made of spruce.')
  await change(ctx, item.id, { content: { text: 'Boats are made of oak.' } })
  await embedItems(system, db, [item.id])
  expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'completed', embedded_version: 2 })
  await finish()
  expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'completed', embedded_version: 2 })
  expect(await vectorsOf(user.projectId, item.id)).toEqual([`${item.id}:2:0`])
})

test('two workers on one version after a lost lease: the later one removes nothing', async () => {
  const { user, item, finish } = await begun('Violins are made of spruce.')
  await atTime(LEASE_MS + 1, () => embedItems(system, db, [item.id]))
  await finish()
  expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'completed' })
  expect(await vectorsOf(user.projectId, item.id)).toEqual([`${item.id}:1:0`])
})

test('an item deleted while it is embedded leaves no vectors', async () => {
  const { user, ctx, item, finish } = await begun('Soon gone.')
  await deleteItem({ ...ctx, requestId: system.newId('req') }, { id: item.id, ifMatch: null })
  await finish()
  expect(await vectorsOf(user.projectId, item.id)).toEqual([])
})

test('a purge during an embedding: vectors stored after it are removed', async () => {
  const { user, item, finish } = await begun('The project goes.')
  await db.write('update projects set deleted_at = :deleted_at where id = :project', {
    deleted_at: system.now(),
    project: user.projectId,
  })
  await removeVectors(system, { shard: '00', projectId: user.projectId }, [{ item: item.id }])
  await finish()
  expect(await vectorsOf(user.projectId, item.id)).toEqual([])
  expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'processing' })
})

test('embedder down: store still answers, search degrades, semantic is 503, and a sweep repairs it', async () => {
  const user = await newTenant()
  const down = ctxOf(user, { embeddingModel: brokenModel() })
  const item = await stored(down, 'The lighthouse keeper writes letters.')
  await embedItems(down, db, [item.id])
  expect(await rowOf(item.id)).toMatchObject({
    embedding_status: 'pending',
    attempts: 1,
    embedding_error: 'The embedding model did not answer.',
  })
  const keywordMatches = await find(down, 'lighthouse letters')
  expect(keywordMatches).toMatchObject({ degraded: 'semantic_unavailable', pending: 1, query_vector_id: null })
  expect(idsOf(keywordMatches)).toEqual([item.id])
  await expect(find(down, 'lighthouse letters', { mode: 'semantic' })).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '5' },
  })
  await sweepUntil(async () => expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'completed' }))
  expect(await rowOf(item.id)).toMatchObject({ embedding_error: null, attempts: 0 })
  const healed = await find(ctxOf(user), 'lighthouse letters', { mode: 'semantic' })
  expect(idsOf(healed)).toEqual([item.id])
})

test('after the last attempt an item is failed with a reason, and embedding it again completes it', async () => {
  const user = await newTenant()
  const down = ctxOf(user, { embeddingModel: brokenModel() })
  const item = await stored(down, 'Nobody answers.')
  await db.write('update memory_items set attempts = :attempts where id = :id', {
    attempts: MAX_ATTEMPTS - 1,
    id: item.id,
  })
  await embedItems(down, db, [item.id])
  const { body: failed } = await call('GET', `/v1/memory/items/${item.id}`, { key: user.key })
  expect(failed).toMatchObject({ embedding_status: 'failed', embedding_error: 'The embedding model did not answer.' })
  const again = await call('POST', `/v1/memory/items/${item.id}/embed`, { key: user.key })
  expect(again.status).toBe(202)
  expect(again.body).toMatchObject({ embedding_status: 'pending', embedding_error: null, version: 1 })
  await sweepUntil(async () => expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'completed' }))
})

test('an item that is made private and then fails for good leaves no vector that others could read', async () => {
  const user = await newTenant()
  const [id = ''] = await embedded(ctxOf(user), ['Violins are made of spruce.'])
  const revision = async () =>
    db.first<{ r: number }>('select vectors_revision as r from project_words where project_id = :project', {
      project: user.projectId,
    })
  const before = await revision()
  await change(ctxOf(user), id, { visibility: 'private' })
  expect(await vectorsOf(user.projectId, id)).toEqual([`${id}:1:0`])
  const unreachable = ctxOf(user, {
    embeddingModel: refusing('spruce'),
    projectVectors: (projectId, shard) => ({
      ...system.projectVectors(projectId, shard),
      remove: () => Promise.reject(new Error('down')),
    }),
  })
  // Vectors that cannot be removed are removed by a later attempt.
  await embedItems(unreachable, db, [id])
  expect(await rowOf(id)).toMatchObject({ embedding_status: 'pending' })
  expect(await vectorsOf(user.projectId, id)).toEqual([`${id}:1:0`])
  await embedItems(ctxOf(user, { embeddingModel: refusing('spruce') }), db, [id])
  expect(await rowOf(id)).toMatchObject({ embedding_status: 'failed' })
  expect(await vectorsOf(user.projectId, id)).toEqual([])
  // A copy of the vectors is outdated.
  expect(await revision()).not.toEqual(before)
})

test('one text that the model refuses fails alone', async () => {
  const user = await newTenant()
  const [good, bad] = await embedded(ctxOf(user, { embeddingModel: refusing('poison') }), ['good text', 'poison text'])
  expect(await rowOf(good ?? '')).toMatchObject({ embedding_status: 'completed' })
  expect(await rowOf(bad ?? '')).toMatchObject({
    embedding_status: 'failed',
    embedding_error: 'The embedding model refused this text.',
  })
})

test('a long text is embedded in chunks, and its last chunk finds it', async () => {
  const user = await newTenant()
  const filler = 'Nothing of note happened on this day in the village. '.repeat(800)
  const [id] = await embedded(ctxOf(user), [`${filler}At midnight the dragon Smaug ate the blacksmith.`])
  expect((await vectorsOf(user.projectId, id ?? '')).length).toBeGreaterThan(10)
  const reply = await find(ctxOf(user), 'dragon ate the blacksmith', { mode: 'semantic' })
  expect(idsOf(reply)).toEqual([id])
  expect(reply.results[0]?.snippet).toContain('dragon Smaug')
  expect(reply.results[0]?.snippet.length).toBeLessThan(400)
})

test('the vectors of a turn carry how many words it has; those of another item carry none', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const text = 'The dragon Smaug sleeps on gold. '.repeat(100)
  const [turn = ''] = await embedded(ctx, [text], { context: { conversation_id: 'c' } })
  const [document = ''] = await embedded(ctx, [text])
  const words = async (item: string) =>
    new Set((await system.projectVectors(user.projectId, '00').entries([{ item }])).map((entry) => entry.turnWords))
  expect(await words(turn)).toEqual(new Set([600]))
  expect(await words(document)).toEqual(new Set([0]))
})

test('a text of 65,536 characters is embedded', async () => {
  const user = await newTenant()
  const [id] = await embedded(ctxOf(user), ['字'.repeat(65_536)])
  expect(await rowOf(id ?? '')).toMatchObject({ embedding_status: 'completed' })
})

test('a changed namespace is embedded again, so that completed still means found', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const [id = ''] = await embedded(ctx, ['It moves house.'])
  await change(ctx, id, { context: { namespace: 'elsewhere' } })
  expect(await rowOf(id)).toMatchObject({ embedding_status: 'pending' })
  await embedItems(ctx, db, [id])
  const there = await find(ctx, 'moving house', { mode: 'semantic', context: { namespace: 'elsewhere' } })
  expect(idsOf(there)).toEqual([id])
  expect(idsOf(await find(ctx, 'moving house', { mode: 'semantic' }))).toEqual([])
})
