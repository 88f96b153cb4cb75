import { afterAll, beforeAll, expect, test } from 'vitest'
import { within } from '../../src/core/values/deadline.ts'
import { earlierTerms } from '../../src/memory/keyword/earlier-cut.ts'
import { isDue } from '../../src/memory/keyword/index-form.ts'
import { COUNT_BITS, MARK } from '../../src/memory/keyword/postings.ts'
import { until } from '../support/until.ts'
import { startServer, type Server } from './support/server.ts'
import { signedUp } from './support/signed-up.ts'

/** Five portions of the sweep, which begins with the newest. */
const ITEMS = 1_000
const BATCH = 50
/** Its portion is the fourth. */
const HELD = 300
/** A portion takes far less. Behind a statement that does not end, another one waits for longer. */
const HELD_AFTER_MS = 3_000

let server: Server
let user: Awaited<ReturnType<typeof signedUp>>
/** In the order in which they were stored. */
const ids: string[] = []

beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '1000' }, staticAssets: false })
  user = await signedUp(server.url)
})
afterAll(() => server.stop())

const database = () => server.miniflare.getD1Database(server.home.DB)
const textOf = (nth: number) => `Katzen liegen am Kai${nth % 20} und lesen Brief${nth}`

async function storeAll(): Promise<void> {
  for (let from = 0; from < ITEMS; from += BATCH) {
    const operations = Array.from({ length: BATCH }, (_, at) => ({ op: 'store', content: textOf(from + at) }))
    const { results } = await user.post('/api/memory/batch', { operations })
    ids.push(...results.map(({ item }: { item: { id: string } }) => item.id))
  }
}

/** As the version before the classes indexed these items. */
async function indexAsEarlier(): Promise<void> {
  const entries = ids.map((id, nth) => {
    const terms = earlierTerms(textOf(nth))
    return { id, postings: terms.map((term) => ` ${term}${MARK}${(terms.length << COUNT_BITS) + 1}`).join('') }
  })
  const some = `select i.row, i.project_id, e.value ->> 'postings' as postings
    from json_each(?1) e cross join memory_items i on i.id = e.value ->> 'id'`
  const db = await database()
  await db.batch(
    [
      `delete from memory_words where rowid in (select row from (${some}))`,
      `insert into memory_words (rowid, words)
        select row, replace(postings, ' ', ' ' || p.code || 'x') from (${some}) s cross join projects p on p.id = s.project_id`,
      `update memory_items set indexed_by = 1, indexed_version = 0 where row in (select row from (${some}))`,
    ].map((sql) => db.prepare(sql).bind(JSON.stringify(entries))),
  )
}

/** The batch of its portion does not end once it has come to this item. */
const hold = async (id: string) =>
  (await database())
    .prepare(
      `create trigger held after update of indexed_by on memory_items when new.id = '${id}' begin
        select count(*) from memory_items a, memory_items b, memory_items c, memory_items d; end`,
    )
    .run()
const release = async () => (await database()).prepare('drop trigger held').run()

/** Prepared ahead: miniflare prepares with a call that blocks this process until the runtime answers. */
async function dueCounter(): Promise<() => Promise<number>> {
  const counting = (await database()).prepare(`select count(*) as due from memory_items i where ${isDue('i')}`)
  return async () => (await counting.first<{ due: number }>())?.due ?? NaN
}

const reported = async (): Promise<number> => {
  const { backlog } = (await (await fetch(`${server.url}/ready`)).json()) as { backlog: { reindexing: number } }
  return backlog.reindexing
}

interface Found {
  total: number
  results: { id: string; score: number }[]
}

const search = async (query: string): Promise<Found> => {
  const { results, total } = await user.post('/api/memory/search', { query, mode: 'keyword', limit: 5 })
  return { total, results: results.map(({ id, score }: { id: string; score: number }) => ({ id, score })) }
}

/** One item of each portion by its own word, and what many items share. */
const NAMED = [40, 240, HELD, 440, 640, 840]
const askAll = async () => ({
  shared: await search('Kai7'),
  named: await Promise.all(NAMED.map((nth) => search(`Brief${nth}`))),
})

test('a kill in the middle of the sweep that indexes again loses nothing, and searches answer the same throughout', async () => {
  await storeAll()
  const before = await askAll()
  expect(before.shared.total).toBe(ITEMS / 20)
  expect(before.named.map(({ results }) => results.map(({ id }) => id))).toEqual(NAMED.map((nth) => [ids[nth]]))
  await indexAsEarlier()
  const countDue = await dueCounter()
  expect(await countDue()).toBe(ITEMS)
  expect(await askAll()).toEqual(before)

  await hold(ids[HELD] ?? '')
  const dying = server.sweep().catch(() => {})
  // The last look finds a portion that has ended, or waits behind the one that does not.
  const held = () => new Error('held')
  await until(async () => expect(await within(HELD_AFTER_MS, countDue(), held).catch(() => 0)).toBeLessThan(ITEMS))
  await server.kill()
  await dying

  await release()
  const countLeft = await dueCounter()
  const left = await countLeft()
  expect(left).toBeGreaterThan(HELD)
  expect(left).toBeLessThan(ITEMS)
  expect(await reported()).toBe(left)
  expect(await askAll()).toEqual(before)

  const sweeping = server.sweep()
  await until(async () => {
    const due = await countLeft()
    expect(await askAll()).toEqual(before)
    expect(due).toBe(0)
  })
  await sweeping
  expect(await askAll()).toEqual(before)
  const db = await database()
  const indexed = `select count(distinct v.doc) filter (where v.term like p.code || 'ykatze${MARK}%') as present,
      count(*) filter (where v.term like p.code || 'x%') as earlier
    from memory_words_instances v cross join projects p where p.id = (select project_id from memory_items where id = ?1)`
  expect(await db.prepare(indexed).bind(ids[0]).first()).toEqual({ present: ITEMS, earlier: 0 })
  await db.prepare("insert into memory_words (memory_words, rank) values ('integrity-check', 1)").run()
})
