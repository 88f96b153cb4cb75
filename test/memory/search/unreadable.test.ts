/** @module-tag shards */
import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import { list, ListInput } from '../../../src/memory/operations/list.ts'
import { withAsked } from '../../support/asked-database.ts'
import { travel } from '../../support/clock.ts'
import { ctxOf, embedded, find, idsOf, stored } from '../../support/search.ts'
import { addMember, call, newTenant } from '../../support/world.ts'

/** What a keyword search and a list with `q` answer and cost a caller, but for the time. */
async function asked(ctx: AuthContext, query: string, context: Record<string, unknown>) {
  const { own, asked: work } = withAsked(ctx)
  const found = await find(own, query, { mode: 'keyword', include: ['score_breakdown'], context })
  const page = await list(own, ListInput.parse({ q: query, ...context }))
  return { ...found, took_ms: 0, listed: page.data.map(({ id }) => id), work }
}

test('contract §3: items that the caller may not read change no result, score, statement or row read of a search by keyword', async () => {
  // Now and then a search looks for items of other models; not while the clock stands.
  travel(0)
  const owner = await newTenant()
  const [member, other] = [await addMember(owner, 'editor'), await addMember(owner, 'editor')]
  const [own, others] = [ctxOf(member), ctxOf(other)]
  await embedded(own, ['a kettle and tea', 'a kettle, a window and a garden'])
  await embedded(own, ['my own kettle'], { visibility: 'private' })
  const scope = { project_id: owner.projectId }
  // The first search of an isolate asks for more.
  await asked(own, 'kettle tea 4711', scope)
  const before = await asked(own, 'kettle tea 4711', scope)
  expect(before.results).toHaveLength(3)
  expect(before.work.statements).toHaveLength(before.work.roundTrips)
  const texts = Array.from({ length: 30 }, (_, at) => `a kettle with tea and 4711, ${at}`)
  await embedded(others, texts, { visibility: 'private' })
  await embedded(others, texts, { context: { namespace: 'elsewhere', ...scope } })
  expect(await asked(own, 'kettle tea 4711', scope)).toEqual(before)
})

test('callers who read the same items of a project get the same scores, an admin too', async () => {
  const owner = await newTenant()
  const [viewer, editor] = [await addMember(owner, 'viewer'), await addMember(owner, 'editor')]
  await stored(ctxOf(owner), 'a kettle and tea')
  await stored(ctxOf(owner), 'a kettle and a window')
  const scores = async (ctx: AuthContext) => (await asked(ctx, 'kettle tea', { project_id: owner.projectId })).results
  const seen = await scores(ctxOf(owner))
  expect(await scores(ctxOf(viewer))).toEqual(seen)
  expect(await scores(ctxOf(editor))).toEqual(seen)
})

test('a private item matches for whom it is shared with, and for an admin, and counts for neither', async () => {
  const owner = await newTenant()
  const [creator, reader, stranger] = [
    await addMember(owner, 'editor'),
    await addMember(owner, 'editor'),
    await addMember(owner, 'editor'),
  ]
  const context = { project_id: owner.projectId }
  const { id: open } = await stored(ctxOf(owner), 'a kettle and tea', { context })
  const { id: shared } = await stored(ctxOf(creator), 'a hidden kettle', {
    visibility: 'private',
    permissions: [{ user_id: reader.userId, access: 'read' }],
    context,
  })
  await stored(ctxOf(creator), 'another hidden kettle', { visibility: 'private', context })
  const search = (ctx: AuthContext) => find(ctx, 'kettle', { mode: 'keyword', context })
  expect(idsOf(await search(ctxOf(stranger)))).toEqual([open])
  expect(new Set(idsOf(await search(ctxOf(reader))))).toEqual(new Set([open, shared]))
  expect((await search(ctxOf(owner))).results).toHaveLength(3)
  const scoreOf = async (ctx: AuthContext) => (await search(ctx)).results.find(({ id }) => id === open)?.score
  expect(await scoreOf(ctxOf(reader))).toBe(await scoreOf(ctxOf(stranger)))
  expect(await scoreOf(ctxOf(owner))).toBe(await scoreOf(ctxOf(stranger)))
})

test('an item that becomes private, or moves to another namespace, is filed again at once', async () => {
  const owner = await newTenant()
  const member = await addMember(owner, 'editor')
  const context = { project_id: owner.projectId }
  const { id } = await stored(ctxOf(owner), 'a kettle and tea', { context })
  await stored(ctxOf(owner), 'a kettle', { context })
  const seen = () => find(ctxOf(member), 'kettle tea', { mode: 'keyword', context, include: ['score_breakdown'] })
  const alone = { ...(await seen()), took_ms: 0 }
  expect(alone.results).toHaveLength(2)
  await call('PATCH', `/v1/memory/items/${id}`, { key: owner.key, body: { visibility: 'private' } })
  expect((await seen()).results).toHaveLength(1)
  await call('PATCH', `/v1/memory/items/${id}`, { key: owner.key, body: { visibility: 'project' } })
  expect({ ...(await seen()), took_ms: 0 }).toMatchObject({ results: alone.results.map(({ score }) => ({ score })) })
})
