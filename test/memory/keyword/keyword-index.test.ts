import { expect, test } from 'vitest'
import { UpdateInput } from '../../../src/memory/item.ts'
import { MAX_INDEXED_TERMS, postingsOf } from '../../../src/memory/keyword/postings.ts'
import { update } from '../../../src/memory/operations/update.ts'
import { deleteItem } from '../../../src/memory/operations/delete.ts'
import { ctxOf, find, idsOf, stored } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'

const countsOf = (projectId: string) =>
  db.first<{ items: number; words: number }>('select items, words from project_words where project_id = :project', {
    project: projectId,
  })

const keywordIds = async (ctx: ReturnType<typeof ctxOf>, query: string) =>
  idsOf(await find(ctx, query, { mode: 'keyword' }))

test('the postings of a changed text replace those of the old one', async () => {
  const ctx = ctxOf(await newTenant())
  const { id } = await stored(ctx, 'a violin of spruce')
  const input = UpdateInput.parse({ content: 'a boat of oak' })
  await update({ ...ctx, requestId: system.newId('req') }, { id, input, ifMatch: null })
  expect(await keywordIds(ctx, 'violin')).toEqual([])
  expect(await keywordIds(ctx, 'oak')).toEqual([id])
})

test('a change without a new text leaves the postings alone', async () => {
  const ctx = ctxOf(await newTenant())
  const { id } = await stored(ctx, 'a violin of spruce')
  const input = UpdateInput.parse({ tags: ['music'] })
  await update({ ...ctx, requestId: system.newId('req') }, { id, input, ifMatch: null })
  expect(await keywordIds(ctx, 'violin')).toEqual([id])
})

test("a project's counts follow its items: stored, changed, deleted, erased", async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const { id } = await stored(ctx, 'one two three')
  await stored(ctx, 'four five')
  expect(await countsOf(user.projectId)).toEqual({ items: 2, words: 5 })
  const input = UpdateInput.parse({ content: 'one' })
  await update({ ...ctx, requestId: system.newId('req') }, { id, input, ifMatch: null })
  expect(await countsOf(user.projectId)).toEqual({ items: 2, words: 3 })
  await deleteItem({ ...ctx, requestId: system.newId('req') }, { id, ifMatch: null })
  expect(await countsOf(user.projectId)).toEqual({ items: 1, words: 2 })
  await db.write('delete from memory_items where id = :id', { id })
  expect(await countsOf(user.projectId)).toEqual({ items: 1, words: 2 })
})

test.each([
  ['moves', [{ namespace: 'default', reader: '' }]],
  ['becomes private', [{ namespace: 'acme', reader: 'creator' }]],
  ['is deleted', []],
  ['is erased', []],
] as const)('a class has no row once its last item %s: a row holds a name', async (what, left) => {
  const user = await newTenant()
  const ctx = { ...ctxOf(user), requestId: system.newId('req') }
  const classes = () =>
    db.all(
      `select namespace, replace(reader, :user, 'creator') as reader from memory_classes where project_id = :project`,
      { user: user.userId, project: user.projectId },
    )
  const { id } = await stored(ctx, 'one two three', { context: { namespace: 'acme' } })
  expect(await classes()).toEqual([{ namespace: 'acme', reader: '' }])
  const change = (input: object) => update(ctx, { id, input: UpdateInput.parse(input), ifMatch: null })
  await {
    moves: () => change({ context: { namespace: 'default' } }),
    'becomes private': () => change({ visibility: 'private' }),
    'is deleted': () => deleteItem(ctx, { id, ifMatch: null }),
    'is erased': () => db.write('delete from memory_items where id = :id', { id }),
  }[what]()
  expect(await classes()).toEqual(left)
})

test('a deleted item leaves no postings in the index', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const { id } = await stored(ctx, 'unforgettableword')
  const found = () => db.all(`select 1 from memory_words_instances where term like '%unforgettableword%'`)
  expect(await found()).toHaveLength(1)
  await deleteItem({ ...ctx, requestId: system.newId('req') }, { id, ifMatch: null })
  expect(await found()).toEqual([])
})

test("strangers' texts move no score: terms and counts are the project's own", async () => {
  const [user, stranger] = [await newTenant(), await newTenant()]
  const ctx = ctxOf(user)
  await stored(ctx, 'kettle and tea')
  await stored(ctx, 'kettle and window and garden')
  const scores = async () => (await find(ctx, 'kettle tea', { mode: 'keyword', include: ['score_breakdown'] })).results
  const before = await scores()
  for (let at = 0; at < 5; at++) await stored(ctxOf(stranger), `tea tea tea ${at}`)
  expect(await scores()).toEqual(before)
})

test('contract §3: of one text the first 16,384 different words are indexed, and the words of its date besides', async () => {
  const ctx = ctxOf(await newTenant())
  const wordOf = (at: number): string => String.fromCodePoint(0x20000 + at)
  const words = Array.from({ length: MAX_INDEXED_TERMS + 2 }, (_, at) => wordOf(at))
  const text = [...words, wordOf(0)].join('')
  const { id } = await stored(ctx, text, { occurred_at: '2024-05-08T00:00:00Z' })
  for (const word of [wordOf(0), wordOf(MAX_INDEXED_TERMS - 1), 'May'])
    expect(await keywordIds(ctx, word)).toEqual([id])
  for (const at of [MAX_INDEXED_TERMS, MAX_INDEXED_TERMS + 1]) expect(await keywordIds(ctx, wordOf(at))).toEqual([])
  expect(postingsOf(text, null, system.vocabulary).length).toBe(MAX_INDEXED_TERMS + 3)
})
