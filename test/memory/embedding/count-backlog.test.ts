import { expect, test } from 'vitest'
import { BACKLOG_COUNTED_TO, readBacklog, storeBacklog } from '../../../src/audit/index.ts'
import { iso } from '../../../src/core/values/clock.ts'
import { backlogSweep, countBacklog } from '../../../src/memory/embedding/count-backlog.ts'
import { HOUR, travel } from '../../support/clock.ts'
import { ctxOf, embedded, stored } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'

const hourOf = (at: number): number => at - (at % HOUR)

test('the sweep stores what waits for its embedding, by tenant, and twice is once', async () => {
  const [waits, done] = [await newTenant(), await newTenant()]
  await stored(ctxOf(waits), 'One.')
  await stored(ctxOf(waits), 'Two.')
  await embedded(ctxOf(done), ['Three.'])
  travel(0)
  await Promise.all([backlogSweep.run(system), backlogSweep.run(system)])
  const now = system.now()
  const range = { since: hourOf(now), until: now + HOUR, stepMs: HOUR }
  const at = iso(hourOf(now))
  expect(await readBacklog(system.auditDatabase('00'), { tenantId: waits.tenantId, ...range })).toEqual([
    { at, waiting: 2 },
  ])
  expect(await readBacklog(system.auditDatabase('00'), { tenantId: done.tenantId, ...range })).toEqual([
    { at, waiting: 0 },
  ])
})

test('an hour keeps its highest count, and one in which nobody counted is left out', async () => {
  const { tenantId } = await newTenant()
  const noon = Date.UTC(2026, 8, 1, 12)
  const count = (at: number, waiting: number) =>
    storeBacklog({ ...system, now: () => at }, '00', waiting === 0 ? [] : [{ tenant_id: tenantId, waiting }])
  await count(noon - 1, 3)
  await count(noon, 7)
  await count(noon + 1, 2)
  await count(noon + 2 * HOUR, 0)
  const range = { tenantId, since: noon - HOUR, until: noon + 3 * HOUR }
  expect(await readBacklog(system.auditDatabase('00'), { ...range, stepMs: HOUR })).toEqual([
    { at: iso(noon - HOUR), waiting: 3 },
    { at: iso(noon), waiting: 7 },
    { at: iso(noon + 2 * HOUR), waiting: 0 },
  ])
  expect(await readBacklog(system.auditDatabase('00'), { ...range, stepMs: 24 * HOUR })).toEqual([
    { at: iso(Date.UTC(2026, 8, 1)), waiting: 7 },
  ])
})

test('contract §4: a count stops at its bound, and the point says that more may wait', async () => {
  const { tenantId, ...user } = await newTenant()
  for (const text of ['One.', 'Two.', 'Three.']) await stored(ctxOf({ tenantId, ...user }), text)
  travel(30 * 24 * HOUR)
  const at = hourOf(system.now())
  const range = { tenantId, since: at, until: at + HOUR, stepMs: HOUR }
  await countBacklog(system, db, '00', 2)
  const [cut, ...further] = await readBacklog(system.auditDatabase('00'), range)
  expect(further).toEqual([])
  expect(cut).toMatchObject({ at: iso(at), truncated: true })
  expect(cut?.waiting).toBeLessThanOrEqual(2)
})

test('contract §4: 99,999 items are told as they are, and 100,000 as 100,000 or more', async () => {
  const { tenantId } = await newTenant()
  const midnight = Date.UTC(2026, 8, 3)
  const count = (at: number, waiting: number) =>
    storeBacklog({ ...system, now: () => at }, '00', [{ tenant_id: tenantId, waiting }])
  await count(midnight, BACKLOG_COUNTED_TO - 1)
  await count(midnight + HOUR, BACKLOG_COUNTED_TO)
  const range = { tenantId, since: midnight, until: midnight + 2 * HOUR, stepMs: HOUR }
  expect(await readBacklog(system.auditDatabase('00'), range)).toEqual([
    { at: iso(midnight), waiting: 99_999 },
    { at: iso(midnight + HOUR), waiting: 100_000, truncated: true },
  ])
})
