import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import { portions } from '../../../src/core/values/portions.ts'
import { tombstone } from '../../../src/memory/purge/tombstone.ts'
import { MERGE, MERGE_BEHIND, segmentSweep, WITHOUT_MERGES } from '../../../src/memory/keyword/merge-segments.ts'
import { UpdateInput } from '../../../src/memory/item.ts'
import { batch } from '../../../src/memory/operations/batch.ts'
import { bulkDelete, BulkDeleteInput } from '../../../src/memory/operations/bulk-delete.ts'
import { update } from '../../../src/memory/operations/update.ts'
import { runParts, withoutMerges } from '../../../src/memory/write/batch-parts.ts'
import { ctxOf, find, idsOf, stored } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'

const segments = async (): Promise<number> =>
  (await db.first<{ n: number }>('select count(distinct segid) as n from memory_words_idx'))?.n ?? 0

/** The index in an object of its own, with the settings of the database, since other tests write to that one. */
const withIndex = (name: string, work: (sql: SqlStorage, commit: (...commands: string[]) => void) => void) =>
  runInDurableObject(env.PROJECT_VECTORS.getByName(name), async (_object, { storage }) => {
    const { sql } = storage
    sql.exec(`create virtual table memory_words using fts5(words, content='', contentless_delete=1, detail='none')`)
    sql.exec(`insert into memory_words (memory_words, rank) values ('usermerge', 2), ('deletemerge', 0)`)
    work(sql, (...commands) => storage.transactionSync(() => commands.forEach((command) => void sql.exec(command))))
  })

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

  await withIndex('an index of its own', (sql, commit) => {
    const pages = (): unknown => sql.exec('select count(*) as n from memory_words_data').one()['n']
    const sweep = (): void => commit(...MERGE)
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

test('a commit of long texts adds one segment and merges none, a call behind it merges a bounded number of pages', async () => {
  await withIndex('an index of long texts', (sql, commit) => {
    const count = (what: string): number =>
      Number(sql.exec(`select count(${what}) as n from memory_words_idx`).one()['n'])
    const segmentsNow = (): number => count('distinct segid')
    const fill = (nth: number): string => {
      const words = Array.from({ length: 8_000 }, (_, at) => `w${nth}x${at}`).join(' ')
      return `insert into memory_words (rowid, words) values (${nth}, '${words}')`
    }
    const seen: number[] = []
    for (let nth = 1; nth <= 24; nth += 1) {
      const before = segmentsNow()
      commit(...WITHOUT_MERGES.before, fill(nth), ...WITHOUT_MERGES.behind)
      expect(segmentsNow()).toBe(before + 1)
      commit(...MERGE_BEHIND)
      seen.push(segmentsNow())
    }
    expect(Math.max(...seen)).toBeLessThan(12)
    expect(sql.exec(`select count(*) as n from memory_words where memory_words match 'w7x7'`).one()).toEqual({ n: 1 })
    expect(
      sql.exec(`select k, v from memory_words_config where k in ('automerge', 'usermerge') order by k`).toArray(),
    ).toEqual([
      { k: 'automerge', v: 4 },
      { k: 'usermerge', v: 2 },
    ])
  })
})

test('a commit of long texts is merged behind, one of short ones asks nothing more of the database', async () => {
  const tenant = await newTenant()
  const callsOf = async (text: string): Promise<number> => {
    const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    const after: Promise<unknown>[] = []
    const waitUntil = (late: Promise<unknown>): void => void after.push(late)
    const ctx = ctxOf(tenant, { db: db.metered(meter), waitUntil })
    await batch(ctx, { operations: [{ op: 'store', content: text }] })
    expect(meter.roundTrips).toBe(1)
    await Promise.all(after)
    return meter.roundTrips
  }
  const words = (count: number): string => Array.from({ length: count }, (_, at) => `w${at}`).join(' ')
  expect(await callsOf(words(600))).toBe(1)
  expect(await callsOf(words(1_000))).toBe(2)
  const settings = `select k, v from memory_words_config where k in ('automerge', 'usermerge') order by k`
  expect(await db.all(settings)).toEqual([
    { k: 'automerge', v: 4 },
    { k: 'usermerge', v: 2 },
  ])
})

/** Of no item. */
let row = 1e9

test.each([
  ['a bulk deletion', (ctx: AuthContext) => bulkDelete(ctx, BulkDeleteInput.parse({ filters: {} }))],
  [
    'a batch that deletes',
    async (ctx: AuthContext, ids: readonly string[]) => {
      for (const some of portions(ids, 50)) await batch(ctx, { operations: some.map((id) => ({ op: 'delete', id })) })
    },
  ],
  [
    'a purge',
    async (ctx: AuthContext, ids: readonly string[]) => {
      const { tenantId: tenant_id, defaultProjectId } = ctx.principal
      const items = ids.map((id) => ({ id, tenant_id, project_id: defaultProjectId ?? '' }))
      await tombstone(system, db, items, { reason: 'project_deleted', announce: false })
    },
  ],
] as const)('%s merges no segments', async (_name, deleteAll) => {
  const ctx = ctxOf(await newTenant())
  const ids: string[] = []
  for (let nth = 0; nth < 2; nth += 1) {
    const operations = Array.from({ length: 50 }, (_, at) => ({
      op: 'store' as const,
      content: `kettle ${nth * 50 + at}`,
    }))
    const { results } = await batch({ ...ctx, requestId: system.newId('req') }, { operations })
    ids.push(...results.flatMap(({ id }) => id ?? []))
  }
  await segmentSweep.run(system)
  // Four of a size are merged by FTS5 after 64 pages, and it counts each deleted text as one.
  for (let nth = 0; nth < 5; nth += 1) {
    const words = Array.from({ length: 3_000 }, (_, at) => `w${nth}x${at}`).join(' ')
    row += 1
    const text = db.statement('insert into memory_words (rowid, words) values (:row, :words)', { row, words })
    await runParts(db, withoutMerges(db, [[[text]]]))
  }
  const before = await segments()
  await deleteAll(ctx, ids)
  const left = await db.first(
    'select count(*) as n from memory_items where project_id = :default_project and deleted_at is null',
    { default_project: ctx.principal.defaultProjectId },
  )
  expect(left).toEqual({ n: 0 })
  expect(await segments()).toBe(before)
})
