import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { isRefused } from '../../../src/core/database/d1-errors.ts'
import { Database } from '../../../src/core/database/database.ts'
import { FULL_RETRY_AFTER_MS } from '../../../src/core/database/failures.ts'
import { travel } from '../../support/clock.ts'

/** What D1 publishes (developers.cloudflare.com/d1/observability/debug-d1), and codes of SQLite that are nobody's statement. */
const PASSING = [
  'D1 DB reset because its code was updated.',
  'Internal error while starting up D1 DB storage caused object to be reset.',
  'Network connection lost.',
  'Replica disconnected from primary.',
  'Internal error in D1 DB storage caused object to be reset.',
  'Cannot resolve D1 DB due to transient issue on remote node.',
  "Can't read from request stream because client disconnected.",
  'D1 DB storage operation exceeded timeout which caused object to be reset.',
  'D1 DB is overloaded. Requests queued for too long.',
  'D1 DB is overloaded. Too many requests queued.',
  "D1 DB's isolate exceeded its memory limit and was reset.",
  'D1 DB exceeded its CPU time limit and was reset.',
  "Your account has exceeded D1's free tier daily row read limit. Upgrade to a paid plan or wait until tomorrow.",
  "Your account has exceeded D1's free tier daily row write limit. Upgrade to a paid plan or wait until tomorrow.",
  'database is locked: SQLITE_BUSY',
  'disk I/O error: SQLITE_IOERR',
  'disk I/O error: SQLITE_IOERR (extended: SQLITE_IOERR_FSYNC)',
  'database disk image is malformed: SQLITE_CORRUPT',
  'out of memory: SQLITE_NOMEM',
  'internal error; reference = 0a1b2c3d4e5f',
]
const FULL = [
  'Exceeded maximum DB size.',
  "Your account has exceeded D1's maximum account storage limit, please contact Cloudflare to raise your limit",
  'database or disk is full: SQLITE_FULL',
]
const OURS = [
  'UNIQUE constraint failed: directory.email: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_UNIQUE)',
  'FOREIGN KEY constraint failed: SQLITE_CONSTRAINT_FOREIGNKEY',
  'near "selec": syntax error at offset 0: SQLITE_ERROR',
  'malformed JSON: SQLITE_ERROR',
  'datatype mismatch: SQLITE_MISMATCH',
  'string or blob too big: SQLITE_TOOBIG',
  'No SQL statements detected.',
]

/** A database whose calls fail with a message while `isDown` holds. */
function failing(message: string, isDown = () => true) {
  const call = { count: 0 }
  const guarded = <T>(work: () => Promise<T>): Promise<T> => {
    call.count += 1
    return isDown() ? Promise.reject(new Error(message)) : work()
  }
  const d1 = new Proxy(env.DB, {
    get: (real, name) => {
      if (name === 'batch') return (all: D1PreparedStatement[]) => guarded(() => real.batch(all))
      if (name !== 'prepare') return Reflect.get(real, name).bind(real)
      return (sql: string) => {
        const statement = real.prepare(sql)
        const all = statement.all.bind(statement)
        return Object.assign(statement, { all: () => guarded(all) })
      }
    },
  })
  return { db: new Database(d1), call }
}

const inTurn = (db: Database): Database => db.inTurnOf('a user', { waitUntil: () => {} })

/** The ways in which a call reaches D1, alone and shared with other requests. */
const WAYS: [string, (db: Database) => Promise<unknown>][] = [
  ['a read', (db) => db.all('select 1')],
  ['a brief read', (db) => inTurn(db).brief('key').all('select 1')],
  ['a look-up', (db) => inTurn(db).byKey.first('select 1')],
  ['a size', (db) => db.size()],
  ['a commit', (db) => db.batch([db.statement('select 1')])],
  ['a brief commit', (db) => inTurn(db).batch([db.statement('select 1')], 'brief')],
]

test.each(PASSING)('contract §1: a failure of D1 is 503 on every way, with Retry-After: %s', async (said) => {
  for (const message of [said, `D1_ERROR: ${said}`])
    for (const [way, run] of WAYS)
      await expect(run(failing(message).db), `${way}, ${message}`).rejects.toMatchObject({
        code: 'dependency_unavailable',
        headers: { 'Retry-After': '5' },
        cause: { message },
      })
})

test.each(FULL)('contract §1: a full database is 503 with a longer Retry-After: %s', async (said) => {
  const { db } = failing(`D1_ERROR: ${said}`)
  expect(db.isFull).toBe(false)
  for (const [way, run] of WAYS.slice(4))
    await expect(run(db), way).rejects.toMatchObject({
      code: 'dependency_unavailable',
      headers: { 'Retry-After': '300' },
    })
  expect(db.isFull).toBe(true)
})

test.each(OURS)('what D1 refuses stays an error of ours: %s', async (said) => {
  const message = `D1_ERROR: ${said}`
  for (const [way, run] of WAYS) await expect(run(failing(message).db), way).rejects.toThrow(message)
})

test('the real database says what is ours as the list expects it', async () => {
  const db = new Database(env.DB)
  await db.write('create table judged (id text primary key, n integer not null) strict')
  await db.write("insert into judged values ('a', 1)")
  const refused = [
    db.write("insert into judged values ('a', 1)"),
    db.write("insert into judged values ('b', null)"),
    db.write("insert into judged values ('b', 'no number')"),
    db.all('selec 1'),
    db.all("select json('no JSON')"),
    (async () => env.DB.prepare('select ?').bind(undefined))(),
  ]
  for (const outcome of await Promise.allSettled(refused)) {
    const error: unknown = outcome.status === 'rejected' ? outcome.reason : null
    expect(isRefused(error), String(error)).toBe(true)
  }
  await db.write('drop table judged')
  // A missing table is a migration that has not run.
  await expect(db.all('select * from judged')).rejects.toMatchObject({ code: 'dependency_unavailable' })
})

test('a database says that it is full until a client is to try again', async () => {
  const { db } = failing('D1_ERROR: Exceeded maximum DB size.')
  travel(0)
  await expect(db.write('select 1')).rejects.toMatchObject({ code: 'dependency_unavailable' })
  travel(FULL_RETRY_AFTER_MS - 1)
  expect(inTurn(db).isFull).toBe(true)
  travel(1)
  expect(db.isFull).toBe(false)
})

test('of commits that share a batch, each is tried alone where the database is full, and none after any other failure', async () => {
  const outcomesOf = async (message: string) => {
    let calls = 0
    // The first call is alone, so the next two share the second one.
    const { db, call } = failing(message, () => (calls += 1) === 2)
    const brief = inTurn(db)
    const commit = () => brief.batch([brief.statement('select 1')], 'brief')
    const outcomes = await Promise.allSettled([commit(), commit(), commit()])
    return { calls: call.count, passed: outcomes.filter(({ status }) => status === 'fulfilled').length }
  }
  expect(await outcomesOf('D1_ERROR: Exceeded maximum DB size.')).toEqual({ calls: 4, passed: 3 })
  for (const said of PASSING) expect(await outcomesOf(`D1_ERROR: ${said}`), said).toEqual({ calls: 2, passed: 1 })
})
