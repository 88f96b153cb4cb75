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

/** What the version before the classes wrote, one commit after the other: it knows neither column, nor a class. */
function earlierWorker(ctx: ReturnType<typeof ctxOf>, like: string) {
  const { tenantId, userId } = ctx.principal
  const file = (id: string, terms: readonly string[]) => [
    db.statement('delete from memory_words where rowid = (select row from memory_items where id = :id)', { id }),
    db.statement(
      `insert into memory_words (rowid, words) select i.row, replace(:postings, ' ', ' ' || p.code || 'x')
        from memory_items i join projects p on p.id = i.project_id where i.id = :id and i.deleted_at is null`,
      { id, postings: terms.map((term) => ` ${term}·${(terms.length << 6) + 1}`).join('') },
    ),
  ]
  const change = (id: string, set: string, terms?: readonly string[]) =>
    db.batch([
      db.statement(
        `update memory_items set ${set}, word_count = coalesce(:words, word_count), version = version + 1, write_id = :write_id where id = :id`,
        { id, words: terms?.length ?? null, write_id: system.newId('req') },
      ),
      ...(terms ? file(id, terms) : []),
    ])
  return {
    store: async (terms: readonly string[], customId: string | null = null) => {
      const id = system.newId('mem')
      await db.batch([
        db.statement(
          `insert into memory_items (id, tenant_id, project_id, namespace, scope, text_hash, word_count, type, visibility, version,
             text_version, text_by, text_at, vector_version, write_id, next_attempt_at, created_by, updated_by, created_at, updated_at,
             tags, metadata, text, custom_id)
           select :id, :tenant, project_id, 'default', 'project', '', :words, 'text/plain', 'project', 1, 1, :user, :now, 1, :write_id, :now,
             :user, :user, :now, :now, '[]', '{}', :text, :custom_id from memory_items where id = :like`,
          {
            id,
            tenant: tenantId,
            words: terms.length,
            user: userId,
            now: system.now(),
            write_id: system.newId('req'),
            text: terms.join(' '),
            custom_id: customId,
            like,
          },
        ),
        ...file(id, terms),
      ])
      return id
    },
    text: (id: string, terms: readonly string[]) =>
      change(id, `text = '${terms.join(' ')}', text_version = version + 1`, terms),
    tags: (id: string) => change(id, `tags = '["music"]'`),
    hide: (id: string) => change(id, `visibility = 'private'`),
    erase: (id: string) => change(id, `deleted_at = 1, delete_reason = 'deleted', text = ''`),
  }
}

test('ten writes of an earlier version after a rollback: all are found once the present one is back, and none is stale', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const ids: string[] = []
  for (const text of ['violin spruce', 'kettle copper', 'boat oak', 'lamp brass', 'drum maple'])
    ids.push((await stored(ctx, text)).id)
  const [violin = '', kettle = '', boat = '', lamp = '', drum = ''] = ids
  const old = earlierWorker(ctx, violin)
  await old.text(violin, ['cello', 'spruce'])
  await old.tags(kettle)
  await old.hide(boat)
  await old.erase(lamp)
  await old.text(drum, ['drum', 'birch'])
  await old.text(drum, ['drum', 'walnut'])
  const harp = await old.store(['harp', 'pine'], 'cafe\u0301')
  const flute = await old.store(['flute', 'silver'])
  await old.text(flute, ['flute', 'gold'])
  await old.erase(await old.store(['bell', 'bronze']))
  const expected: [query: string, found: string[]][] = [
    ['cello', [violin]],
    ['violin', []],
    ['spruce', [violin]],
    ['copper', [kettle]],
    ['oak', [boat]],
    ['brass', []],
    ['birch', []],
    ['walnut', [drum]],
    ['harp', [harp]],
    ['silver', []],
    ['gold', [flute]],
    ['bronze', []],
  ]
  const all = async () => {
    const answers: [string, string[]][] = []
    for (const [query] of expected) answers.push([query, await keyword(ctx, query)])
    return answers
  }
  expect(new Set(await dueOf(user.projectId))).toEqual(new Set([violin, kettle, boat, drum, harp, flute]))
  expect(await all()).toEqual(expected)
  await sweep()
  expect(await dueOf(user.projectId)).toEqual([])
  expect(await all()).toEqual(expected)
  expect(await keyword(ctx, 'cellos')).toEqual([violin])
  const filters = JSON.stringify({ custom_id: 'caf\u00E9' })
  expect((await list(ctx, ListInput.parse({ filters }))).data).toMatchObject([{ id: harp, custom_id: 'caf\u00E9' }])
  expect(
    await db.all<object>(
      `select c.reader, c.items, c.words, count(i.id) as live, sum(i.word_count) as length from memory_classes c
        left join memory_items i on i.project_id = c.project_id and i.namespace = c.namespace and i.deleted_at is null
          and c.reader = iif(i.visibility = 'project', '', i.created_by)
        where c.project_id = :project group by c.code order by c.reader`,
      { project: user.projectId },
    ),
  ).toEqual([
    { reader: '', items: 5, words: 10, live: 5, length: 10 },
    { reader: user.userId, items: 1, words: 2, live: 1, length: 2 },
  ])
})
