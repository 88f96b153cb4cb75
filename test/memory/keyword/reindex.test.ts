/** @module-tag shards */
import { expect, test } from 'vitest'
import type { Database } from '../../../src/core/database/database.ts'
import { ListInput, list } from '../../../src/memory/operations/list.ts'
import { reindexSweep } from '../../../src/memory/keyword/reindex.ts'
import { update } from '../../../src/memory/operations/update.ts'
import { UpdateInput } from '../../../src/memory/item.ts'
import { ctxOf, find, idsOf, stored } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'

/** As the version before wrote an item: in the earlier form, without a class. */
async function asEarlier(id: string, postings: string) {
  await db.write('delete from memory_words where rowid = (select row from memory_items where id = :id)', { id })
  await db.write(
    `insert into memory_words (rowid, words) select i.row, replace(:postings, ' ', ' ' || p.code || 'x')
      from memory_items i join projects p on p.id = i.project_id where i.id = :id`,
    { id, postings },
  )
  await db.write('update memory_items set indexed_by = 1, indexed_version = 0 where id = :id', { id })
}

const sweep = () => reindexSweep.run(system)
const dueOf = async (projectId: string) =>
  (
    await db.all<{ id: string }>(
      `select id from memory_items where project_id = :project and deleted_at is null and (indexed_by < 2 or indexed_version <> version)`,
      { project: projectId },
    )
  ).map(({ id }) => id)
const keyword = async (ctx: ReturnType<typeof ctxOf>, query: string) =>
  idsOf(await find(ctx, query, { mode: 'keyword' }))
const listed = async (ctx: ReturnType<typeof ctxOf>, q: string) =>
  (await list(ctx, ListInput.parse({ q }))).data.map(({ id }) => id)

test('while items are in the earlier form a search and a list read both, and the sweep files them in the present one', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const { id: old } = await stored(ctx, 'Die Katzen kosten 1.5 Euro')
  await asEarlier(old, ' die·320 katzen·321 kosten·321 15·321 euro·321')
  const { id: present } = await stored(ctx, 'Katzen schlafen')
  expect(await dueOf(user.projectId)).toEqual([old])
  expect(new Set(await keyword(ctx, 'Katzen'))).toEqual(new Set([old, present]))
  expect(await listed(ctx, 'katzen')).toEqual([present, old])
  // The earlier form has no prefixes, and a number without its point.
  expect(await keyword(ctx, 'Katze')).toEqual([present])
  expect(await keyword(ctx, '1.5')).toEqual([old])
  await sweep()
  expect(await dueOf(user.projectId)).toEqual([])
  expect(new Set(await keyword(ctx, 'Katze'))).toEqual(new Set([old, present]))
  expect(await keyword(ctx, '1.5')).toEqual([old])
  expect(await keyword(ctx, '15')).toEqual([])
  expect(await listed(ctx, 'katzen')).toEqual([present, old])
})

test('a term that both forms have counts once, so scores do not move when the sweep files an item', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const { id } = await stored(ctx, 'kettle and tea')
  await stored(ctx, 'kettle and window and garden')
  const scores = async () =>
    (await find(ctx, 'kettle tea', { mode: 'keyword' })).results.map(({ id: of, score }) => [of, score])
  const before = await scores()
  await asEarlier(id, ' kettl·193 and·193 tea·193')
  expect(await scores()).toEqual(before)
  await sweep()
  expect(await scores()).toEqual(before)
})

test('a change that files no words leaves a due item due; one of its text does not', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const { id } = await stored(ctx, 'a violin of spruce')
  await asEarlier(id, ' violin·257 spruce·257')
  const change = (input: object) =>
    update({ ...ctx, requestId: system.newId('req') }, { id, input: UpdateInput.parse(input), ifMatch: null })
  await change({ tags: ['music'] })
  expect(await dueOf(user.projectId)).toEqual([id])
  expect(await keyword(ctx, 'violin')).toEqual([id])
  await change({ content: 'a boat of oak' })
  expect(await dueOf(user.projectId)).toEqual([])
  expect(await keyword(ctx, 'violin')).toEqual([])
  expect(await keyword(ctx, 'oak')).toEqual([id])
})

test('an item that an earlier version of the service changes after a rollback is due, whatever it changed', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const { id } = await stored(ctx, 'a violin of spruce')
  expect(await dueOf(user.projectId)).toEqual([])
  // The earlier version knows neither column. It files in the earlier form what it changes.
  await db.write("update memory_items set text = 'a boat of oak', version = version + 1 where id = :id", { id })
  await db.write('delete from memory_words where rowid = (select row from memory_items where id = :id)', { id })
  expect(await dueOf(user.projectId)).toEqual([id])
  await sweep()
  expect(await keyword(ctx, 'boat')).toEqual([id])
})

test('an item that is written between the read of the sweep and its batch keeps what was written', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const { id } = await stored(ctx, 'a violin of spruce')
  await asEarlier(id, ' violin·257 spruce·257')
  /** The database of the sweep, whose item changes once it has read it. */
  const changing = (own: Database): Database =>
    new Proxy(own, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (name !== 'all') return typeof value === 'function' ? value.bind(target) : value
        return async (sql: string) => {
          const rows = await target.all(sql)
          const input = UpdateInput.parse({ content: 'a boat of oak' })
          if (rows.length > 0) await update({ ...ctx, requestId: system.newId('req') }, { id, input, ifMatch: null })
          return rows
        }
      },
    })
  const between = { ...system, database: (shard: string) => changing(system.database(shard)) }
  await reindexSweep.run(between)
  expect(await keyword(ctx, 'violin')).toEqual([])
  expect(await keyword(ctx, 'boat')).toEqual([id])
})
