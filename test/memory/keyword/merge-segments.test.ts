import { expect, test } from 'vitest'
import { mergeSegments } from '../../../src/memory/keyword/merge-segments.ts'
import { UpdateInput } from '../../../src/memory/item.ts'
import { update } from '../../../src/memory/operations/update.ts'
import { ctxOf, find, idsOf, stored } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'

const segments = async (): Promise<number> =>
  (await db.first<{ n: number }>('select count(distinct segid) as n from memory_words_idx'))?.n ?? 0

test('segments that commits left behind become few, and a search finds what it found before', async () => {
  const ctx = ctxOf(await newTenant())
  const changed = await stored(ctx, 'kettle')
  const input = UpdateInput.parse({ content: 'no more than a cup' })
  await update({ ...ctx, requestId: system.newId('req') }, { id: changed.id, input, ifMatch: null })
  const ids: string[] = []
  // FTS5 merges sixteen segments by itself, and other tests may have left some.
  while (ids.length < 12 || (await segments()) < 5) ids.push((await stored(ctx, `kettle number${ids.length}`)).id)
  const keyword = async () => idsOf(await find(ctx, 'kettle', { mode: 'keyword', limit: 50 }))
  const before = { segments: await segments(), found: await keyword() }
  expect(before.found.toSorted()).toEqual(ids.toSorted())
  await mergeSegments(system)
  expect(await segments()).toBeLessThan(before.segments)
  expect(await keyword()).toEqual(before.found)
})
