import { expect, test } from 'vitest'
import { BACKLOG_COUNTED_TO, readBacklog, storeBacklog } from '../../src/audit/embedding-backlog.ts'
import { home, system } from '../support/world.ts'

const HOUR = 3_600_000
const audit = system.auditDatabase(home)

/** Hours that no other test counts in: each test has its own day of a far year. */
let days = 0
function newDay() {
  const start = Date.UTC(2090, 0, (days += 1))
  const tenantId = system.newId('ten')
  const count = (hour: number, waiting: number, cut = false, shard = home) =>
    storeBacklog(
      { auditDatabase: () => audit, now: () => start + hour * HOUR + 59_000 },
      shard,
      waiting === 0 ? [] : [{ tenant_id: tenantId, waiting }],
      cut,
    )
  const read = (stepMs = HOUR, since = start, until = start + 24 * HOUR) =>
    readBacklog(audit, { tenantId, since, until, stepMs })
  return { start, tenantId, count, read }
}

const at = (start: number, hour: number) => new Date(start + hour * HOUR).toISOString()

test('an hour keeps the highest count, so that a count twice is a count once', async () => {
  const { start, count, read } = newDay()
  for (const waiting of [3, 8, 8, 5]) await count(1, waiting)
  expect(await read()).toEqual([{ at: at(start, 1), waiting: 8 }])
})

test('an hour in which nothing waited is 0, and one in which nobody counted is left out', async () => {
  const { start, count, read } = newDay()
  await count(0, 4)
  await count(2, 0)
  expect(await read()).toEqual([
    { at: at(start, 0), waiting: 4 },
    { at: at(start, 2), waiting: 0 },
  ])
})

test('a longer step has the most of its hours, and the end of the range is outside', async () => {
  const { start, count, read } = newDay()
  for (const [hour, waiting] of [
    [0, 2],
    [1, 9],
    [2, 7],
    [3, 1],
  ] as const)
    await count(hour, waiting)
  expect(await read(2 * HOUR, start, start + 3 * HOUR)).toEqual([
    { at: at(start, 0), waiting: 9 },
    { at: at(start, 2), waiting: 7 },
  ])
})

test('a count that was cut says so, also where the tenant itself had nothing waiting', async () => {
  const { start, count, read } = newDay()
  await count(0, 0, true)
  await count(1, BACKLOG_COUNTED_TO - 1)
  expect(await read()).toEqual([
    { at: at(start, 0), waiting: 0, truncated: true },
    { at: at(start, 1), waiting: BACKLOG_COUNTED_TO - 1 },
  ])
})

test('a tenant sees its own backlog alone', async () => {
  const { start, count } = newDay()
  await count(0, 6)
  const theirs = await readBacklog(audit, { tenantId: 'ten_other', since: start, until: start + HOUR, stepMs: HOUR })
  expect(theirs).toEqual([{ at: at(start, 0), waiting: 0 }])
})
