import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { SharedBatch } from '../../../src/core/batching/shared-batch.ts'
import { Database } from '../../../src/core/database/database.ts'
import type { Params } from '../../../src/core/database/sql.ts'
import { travel } from '../../support/clock.ts'
import { fakeTimers } from '../../support/fake-timers.ts'

interface Made {
  id: string
}

/** A database that notes how many statements each of its batches has, and waits before a batch where it is told to. */
function rig(before: (batch: number) => Promise<unknown> = () => Promise.resolve()) {
  const batches: number[] = []
  const d1 = {
    prepare: (sql: string) => env.DB.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      batches.push(statements.length)
      await before(batches.length)
      return env.DB.batch(statements)
    },
  }
  const kept: Promise<unknown>[] = []
  const request = { waitUntil: (work: Promise<unknown>) => void kept.push(work) }
  const db = new Database(d1 as unknown as D1Database).inTurnOf('a user', request)
  const make = async (...ids: string[]): Promise<string[]> => {
    const statements = ids.map((id) => db.statement('insert into made (id) values (:id) returning id', { id }))
    const rows = await db.batch<Made[]>(statements, 'brief')
    return rows.flat().map(({ id }) => id)
  }
  const find = (sql: string, params: Params = {}): Promise<unknown> => db.byKey.first(sql, params)
  return { db, batches, kept, make, find }
}

const FIND = 'select id from made where id = :id'

const made = async (): Promise<string[]> =>
  (await env.DB.prepare('select id from made order by id').all<Made>()).results.map(({ id }) => id)

beforeEach(async () => {
  await env.DB.exec('drop table if exists made')
  await env.DB.exec('create table made (id text primary key)')
})

test('a commit that comes alone goes at once, as a batch of its own', async () => {
  const { batches, make } = rig()
  expect(await make('a', 'b')).toEqual(['a', 'b'])
  expect(await make('c')).toEqual(['c'])
  expect(batches).toEqual([2, 1])
})

test('what comes while one is on its way goes together, and each gets its own rows', async () => {
  const { batches, kept, make } = rig()
  expect(await Promise.all([make('a'), make('b', 'c'), make('d'), make('e')])).toEqual([
    ['a'],
    ['b', 'c'],
    ['d'],
    ['e'],
  ])
  expect(batches).toEqual([1, 4])
  // The requests that led them stay alive for the others.
  expect(kept).toHaveLength(2)
  expect(await made()).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('the error of one reaches no other, and all of the others are committed', async () => {
  const { make } = rig()
  const outcomes = await Promise.allSettled([make('a'), make('b'), make('c', 'c'), make('d'), make('b')])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'rejected'])
  expect(await made()).toEqual(['a', 'b', 'd'])
})

test.each([
  ['overloaded', 'D1 DB is overloaded. Requests queued for too long.'],
  ['lost', 'Network connection lost.'],
])('after an error that leaves open what is committed nothing is sent twice: %s', async (_, message) => {
  const { batches, make } = rig((batch) => {
    if (batch > 1) throw new Error(message)
    return Promise.resolve()
  })
  const [first, ...others] = await Promise.allSettled([make('a'), make('b'), make('c')])
  expect(first?.status).toBe('fulfilled')
  for (const outcome of others)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'dependency_unavailable' } })
  expect(batches).toEqual([1, 2])
  expect(await made()).toEqual(['a'])
})

test('nobody waits long for a slow commit: the next ones leave without it', async () => {
  let answer = (): void => {}
  const { batches, make } = rig((batch) =>
    batch === 1 ? new Promise<void>((resolve) => (answer = resolve)) : Promise.resolve(),
  )
  const slow = make('slow')
  expect(await Promise.all([make('b'), make('c')])).toEqual([['b'], ['c']])
  expect(batches).toEqual([1, 2])
  answer()
  expect(await slow).toEqual(['slow'])
})

test('a group takes a hundred statements; more begin another', async () => {
  const { batches, make } = rig()
  const ids = (from: string): string[] => Array.from({ length: 60 }, (_, at) => `${from}${at}`)
  await Promise.all([make('first'), make(...ids('a')), make(...ids('b'))])
  expect(batches).toEqual([1, 60, 60])
})

test('a look-up that comes alone goes at once', async () => {
  const { batches, make, find } = rig()
  await make('a')
  expect(await find(FIND, { id: 'a' })).toEqual({ id: 'a' })
  expect(await find(FIND, { id: 'nowhere' })).toBeNull()
  expect(batches).toEqual([1, 1, 1])
})

test('a look-up whose batch does not come back ends at the deadline of a read, whoever leads it', async () => {
  const { batches, find } = rig((batch) => (batch === 2 ? new Promise(() => {}) : Promise.resolve()))
  const [first, ...late] = await Promise.allSettled([
    find(FIND, { id: 'a' }),
    find(FIND, { id: 'b' }),
    find(FIND, { id: 'c' }),
  ])
  expect(first?.status).toBe('fulfilled')
  for (const outcome of late)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'dependency_unavailable' } })
  expect(batches).toEqual([1, 2])
})

test('look-ups that come while one is on its way share a round trip, and each gets its own row', async () => {
  const { batches, kept, make, find } = rig()
  await make('a', 'b', 'c')
  expect(
    await Promise.all([
      find(FIND, { id: 'a' }),
      find(FIND, { id: 'b' }),
      find(FIND, { id: 'nowhere' }),
      find(FIND, { id: 'c' }),
    ]),
  ).toEqual([{ id: 'a' }, { id: 'b' }, null, { id: 'c' }])
  expect(batches).toEqual([3, 1, 3])
  expect(kept).toHaveLength(3)
})

test('the error of one look-up reaches no other', async () => {
  const { make, find } = rig()
  await make('a', 'b')
  const outcomes = await Promise.allSettled([
    find(FIND, { id: 'a' }),
    find('select abs(-9223372036854775807 - 1)'),
    find(FIND, { id: 'b' }),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('after a lost connection look-ups are sent again, each alone', async () => {
  const { batches, make, find } = rig((batch) => {
    if (batch === 3) throw new Error('Network connection lost.')
    return Promise.resolve()
  })
  await make('a', 'b')
  expect(await Promise.all([find(FIND, { id: 'a' }), find(FIND, { id: 'b' }), find(FIND, { id: 'a' })])).toEqual([
    { id: 'a' },
    { id: 'b' },
    { id: 'a' },
  ])
  expect(batches).toEqual([2, 1, 2, 1, 1])
})

test('a look-up waits for no commit', async () => {
  let answer = (): void => {}
  const { batches, make, find } = rig((batch) =>
    batch === 1 ? new Promise<void>((resolve) => (answer = resolve)) : Promise.resolve(),
  )
  const slow = make('slow')
  const second = make('b', 'c')
  expect(await find(FIND, { id: 'a' })).toBeNull()
  expect(await second).toEqual(['b', 'c'])
  expect(batches).toEqual([1, 1, 2])
  answer()
  expect(await slow).toEqual(['slow'])
})

test('sixteen look-ups go together; more begin another batch', async () => {
  const { batches, find } = rig()
  await Promise.all(Array.from({ length: 20 }, () => find(FIND, { id: 'nowhere' })))
  expect(batches).toEqual([1, 16, 3])
})

test('brief reads share a round trip once the first of their key has cost little; others go alone', async () => {
  const { db, batches, make } = rig()
  await make('a', 'b', 'c')
  const all = (of = db) => of.all<Made>('select id from made order by id')
  const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  const brief = db.brief('made')
  expect(await Promise.all([all(brief), all(brief), all()])).toEqual([rows, rows, rows])
  expect(batches).toEqual([3])
  expect(await Promise.all([all(brief), all(), all(brief), all(brief)])).toEqual([rows, rows, rows, rows])
  expect(batches).toEqual([3, 1, 2])
  // Of a key that nobody has asked for, and without a request, no read shares its round trip.
  await Promise.all([all(db.brief('others')), all(db.brief('others'))])
  const outside = new Database(env.DB).brief('made')
  await Promise.all([all(outside), all(outside)])
  expect(batches).toEqual([3, 1, 2])
})

/** Batches that gather for a hundred milliseconds at most, over a database that answers where it is told to. */
function timed() {
  fakeTimers('setTimeout')
  travel(0)
  const onTheWay: (() => void)[] = []
  const d1 = {
    batch: (statements: unknown[]) =>
      new Promise((resolve) => onTheWay.push(() => resolve(statements.map(() => ({ results: [] }))))),
  }
  const sharing = { gatherMs: 100, statements: 16, repeatable: true, deadlineMs: 10_000, late: () => new Error('late') }
  const shared = new SharedBatch(d1 as unknown as D1Database, sharing)
  const [statement, request] = [env.DB.prepare('select 1'), { waitUntil: () => undefined }]
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 1) {
      travel(1)
      await vi.advanceTimersByTimeAsync(1)
    }
  }
  return { onTheWay, run: () => shared.run([statement], request), pass }
}

test('what gathers leaves as soon as the batch on its way is back', async () => {
  const { onTheWay, run, pass } = timed()
  const first = run()
  const others = [run(), run()]
  await pass(50)
  expect(onTheWay).toHaveLength(1)
  onTheWay[0]?.()
  await first
  await pass(2)
  expect(onTheWay).toHaveLength(2)
  onTheWay[1]?.()
  await pass(20)
  await Promise.all(others)
})

test('a follower looks when its batch should be back by what the last one took', async () => {
  const { onTheWay, run, pass } = timed()
  const first = run()
  await pass(10)
  onTheWay[0]?.()
  await first
  const second = run()
  await pass(4)
  const leader = run()
  await pass(1)
  const follower = vi.fn<() => void>()
  void run().then(follower)
  await pass(5)
  onTheWay[1]?.()
  await second
  await pass(2)
  expect(onTheWay).toHaveLength(3)
  await pass(7)
  onTheWay[2]?.()
  await leader
  expect(follower).not.toHaveBeenCalled()
  await pass(2)
  expect(follower).toHaveBeenCalled()
})
