import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { MERGE, segmentSweep } from '../../../src/memory/keyword/merge-segments.ts'
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
  await segmentSweep.run(system)
  expect(await segments()).toBeLessThan(before.segments)
  expect(await keyword()).toEqual(before.found)
})

test('a commit that deletes rewrites no segment; the sweep drops what was deleted', async () => {
  const setting = `select v from memory_words_config where k = 'deletemerge'`
  expect(await db.first(setting)).toEqual({ v: 0 })
  await segmentSweep.run(system)
  expect(await db.first(setting)).toEqual({ v: 0 })

  // An index of its own, since other tests write to that of the database.
  await runInDurableObject(env.PROJECT_VECTORS.getByName('an index of its own'), async (_object, { storage }) => {
    const { sql } = storage
    sql.exec(`create virtual table memory_words using fts5(words, content='', contentless_delete=1, detail='none')`)
    sql.exec(`insert into memory_words (memory_words, rank) values ('usermerge', 2), ('deletemerge', 0)`)
    const pages = (): unknown => sql.exec('select count(*) as n from memory_words_data').one()['n']
    const sweep = (): void => storage.transactionSync(() => MERGE.forEach((command) => void sql.exec(command)))
    const wordsOf = (nth: number): string => Array.from({ length: 3_000 }, (_word, at) => `w${nth}x${at}`).join(' ')
    for (let nth = 0; nth < 12; nth += 1) {
      sql.exec('insert into memory_words (rowid, words) values (?, ?)', nth, wordsOf(nth))
    }
    sweep()
    const before = Number(pages())
    sql.exec('delete from memory_words where rowid > 0')
    expect(pages()).toBeGreaterThanOrEqual(before)
    sweep()
    expect(pages()).toBeLessThan(before / 5)
    expect(sql.exec(`select count(*) as n from memory_words where memory_words match 'w0x7'`).one()).toEqual({ n: 1 })
  })
})
