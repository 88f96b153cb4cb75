/** @module-tag shards */
import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import { eraseTombstones } from '../../../src/memory/purge/erase.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { UpdateInput } from '../../../src/memory/item.ts'
import { deleteItem } from '../../../src/memory/operations/delete.ts'
import { update } from '../../../src/memory/operations/update.ts'
import { ctxOf, embedded, find, idsOf, stored, withTiers } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'

const QUESTION = 'Which foods make her sick?'
const FACT = 'Her allergy is to walnuts.'
const OTHERS = ['Rent goes out on the third.', 'The cat sleeps on the boiler.', 'The spare key hangs behind the shed.']

/** Tells which tier answered each query of the vectors since it was asked last. */
function watched(ctx: AuthContext) {
  const answers: string[] = []
  const projectVectors: AuthContext['projectVectors'] = (projectId, shard) => {
    const real = system.projectVectors(projectId, shard)
    const query: typeof real.query = async (asked) => {
      const answer = await real.query(asked)
      answers.push(answer.copied ? 'copy' : 'object')
      return answer
    }
    return { ...real, query }
  }
  const taken = (): string[] => answers.splice(0)
  return { ctx: withTiers(ctx, { projectVectors }), taken }
}

/** A project at rest, which its isolate has copied. */
async function copied(texts: readonly string[]) {
  const user = await newTenant()
  const { ctx, taken } = watched(ctxOf(user))
  const ids = await embedded(ctx, texts)
  for (let searches = 0; searches < 3; searches += 1) await find(ctx, QUESTION)
  expect(taken()).toEqual(['object', 'object', 'copy'])
  return { user, ctx, taken, ids }
}

/** The vectors of projects whose objects do not answer. */
const copiesAlone: AuthContext['projectVectors'] = (projectId, shard) => {
  const real = system.projectVectors(projectId, shard)
  const query: typeof real.query = async (asked) => {
    const answer = await real.query(asked)
    return answer.copied ? answer : Promise.reject(new Error('down'))
  }
  return { ...real, query }
}

const revisionOf = async ({ projectId }: { projectId: string }): Promise<number | undefined> =>
  (
    await db.first<{ n: number }>('select vectors_revision as n from project_words where project_id = :project', {
      project: projectId,
    })
  )?.n

test('a copy gives the same answer as the object', async () => {
  const { user, ctx, taken } = await copied([FACT, ...OTHERS])
  const answer = async (own: AuthContext) => ({ ...(await find(own, QUESTION, { limit: 4 })), took_ms: 0 })
  const byCopy = await answer(ctx)
  expect(taken()).toEqual(['copy'])
  const object = system.projectVectors(user.projectId, db.shard)
  const projectVectors: AuthContext['projectVectors'] = () => ({
    ...object,
    query: (query) => object.query({ ...query, revision: null }),
  })
  const byObject = await answer(withTiers(ctx, { projectVectors }))
  expect(byCopy).toEqual(byObject)
})

test('contract §3: a completed item is found at once, also where a copy was read before', async () => {
  const { ctx, taken } = await copied(OTHERS)
  const [fact] = await embedded(ctx, [FACT])
  expect(idsOf(await find(ctx, QUESTION))[0]).toBe(fact)
  expect(taken()).toEqual(['copy', 'object'])
  expect(idsOf(await find(ctx, QUESTION))[0]).toBe(fact)
  expect(taken()).toEqual(['object'])
})

test('a text that has changed is found by its new meaning, and not by the old one', async () => {
  const { ctx, ids } = await copied([FACT, ...OTHERS])
  const [id = ''] = ids
  const input = UpdateInput.parse({ content: 'The boiler was serviced.' })
  await update({ ...ctx, requestId: system.newId('req') }, { id, input, ifMatch: null })
  expect(idsOf(await find(ctx, QUESTION, { mode: 'semantic' }))).not.toContain(id)
  await embedItems(ctx, db, [id])
  expect(idsOf(await find(ctx, 'Who repaired the heating?', { mode: 'semantic' }))).toContain(id)
})

test('a deleted item is gone, and its vectors leave the copies as they leave the object', async () => {
  const { user, ctx, ids } = await copied([FACT, ...OTHERS])
  const before = await revisionOf(user)
  await deleteItem({ ...ctx, requestId: system.newId('req') }, { id: ids[0] ?? '', ifMatch: null })
  expect(idsOf(await find(ctx, QUESTION))).not.toContain(ids[0])
  expect(await revisionOf(user)).toBe(before)
  // Tombstones of other tests come first.
  while (await eraseTombstones(system, db));
  expect(await revisionOf(user)).not.toBe(before)
})

test('what stores or removes no vectors leaves the revision as it is', async () => {
  const { user, ctx, ids } = await copied([FACT])
  const before = await revisionOf(user)
  await stored(ctx, 'A text without vectors.')
  expect(await revisionOf(user)).toBe(before)
  const input = UpdateInput.parse({ tags: ['a'] })
  await update({ ...ctx, requestId: system.newId('req') }, { id: ids[0] ?? '', input, ifMatch: null })
  expect(await revisionOf(user)).toBe(before)
  await embedded(ctx, ['Another text.'])
  expect(await revisionOf(user)).not.toBe(before)
})

test('a copy shows nothing to who may not see the project', async () => {
  const { user, ctx, taken } = await copied([FACT])
  const stranger = ctxOf({ ...(await newTenant()), projectId: user.projectId }, { vectors: ctx.vectors })
  await expect(find(stranger, QUESTION, { context: { project_id: user.projectId } })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(taken()).toEqual(['copy'])
})

test('a project with a copy is searched while its object does not answer', async () => {
  const { user, ids } = await copied([FACT])
  const answer = await find(ctxOf(user, { projectVectors: copiesAlone }), QUESTION)
  expect({ ids: idsOf(answer), degraded: answer.degraded }).toEqual({ ids, degraded: undefined })
})

test('where the copy is outdated and the object does not answer, a hybrid search goes by keyword and says so', async () => {
  const { user, ctx } = await copied([FACT])
  await embedded(ctx, ['Which foods does the cat eat?'])
  const answer = await find(ctxOf(user, { projectVectors: copiesAlone }), QUESTION)
  expect({ found: answer.results.length, degraded: answer.degraded }).toEqual({
    found: 1,
    degraded: 'semantic_unavailable',
  })
})
