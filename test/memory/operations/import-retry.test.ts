/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import { Database } from '../../../src/core/database/database.ts'
import { KEPT_MS, RUNNING_MS, sweepKeys } from '../../../src/core/idempotency/claim.ts'
import { importEndpoint, importItems, type Report } from '../../../src/memory/operations/import.ts'
import { travel } from '../../support/clock.ts'
import { interrupted } from '../../support/interrupted.ts'
import { keyed } from '../../support/keyed.ts'
import { ctxOf, stored } from '../../support/search.ts'
import { bindingIn, db, home, newTenant, system, type Tenant } from '../../support/world.ts'

/** Three slices: plain lines, which a repeat would store twice, lines under a custom_id, and one that is refused. */
const LINES = Array.from({ length: 101 }, (_, n) => ({
  content: `line ${n + 1}`,
  ...(n % 40 === 7 ? { custom_id: `c${n % 80}` } : {}),
  ...(n === 60 ? { unknown: 1 } : {}),
}))
const bodyOf = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n')

const send = (tenant: Tenant, database?: Database, lines: readonly object[] = LINES, fingerprint = 'f') =>
  keyed(tenant, importEndpoint, (ctx) => importItems(ctx, { body: bodyOf(lines), projectId: undefined }), {
    fingerprint,
    ...(database ? { db: database } : {}),
  })

const textsOf = (tenant: Tenant) =>
  db.all<{ id: string; text: string }>(
    'select id, text from memory_items where tenant_id = :tenant and deleted_at is null order by row',
    { tenant: tenant.tenantId },
  )
const progressOf = (tenant: Tenant) =>
  db.all<{ fingerprint: string }>('select * from idempotency_progress where tenant_id = :tenant', {
    tenant: tenant.tenantId,
  })

/** Every line is stored once and reported with its item. */
async function expectWhole(tenant: Tenant, report: Report | string): Promise<void> {
  if (typeof report === 'string') throw new Error(report)
  const { results, ...counts } = report
  expect(counts).toEqual({ created: 99, updated: 1, failed: 1, times_kept: true })
  expect(results.map(({ line }) => line)).toEqual(LINES.map((_, n) => n + 1))
  expect(results[60]).toMatchObject({ status: 'error', error: { code: 'validation_failed' } })
  expect(results[87]).toMatchObject({ status: 'updated', id: results[7]?.id })
  const rows = await textsOf(tenant)
  expect(rows).toHaveLength(99)
  const textOf = new Map(rows.map(({ id, text }) => [id, text]))
  expect(results.map(({ id }) => textOf.get(id ?? ''))).toEqual(
    LINES.map(({ content }, n) => (n === 60 ? undefined : n === 7 ? 'line 88' : content)),
  )
  expect(await progressOf(tenant)).toEqual([])
}

/** Claim, then read and commit of two slices, commit of the third, settlement. */
const STEPS = 7

/** From its step `at` on the process is dead: nothing of it reaches the database any more. */
const dyingAt = (at: number) =>
  interrupted(async (step) => {
    if (step >= at) throw new Error('dead')
  })

/** The answer to step `at` is lost after the database has done it; the process lives on. */
function losingAnswer(at: number): Database {
  let step = 0
  return new (class extends Database {
    override async batch<Rows extends unknown[]>(
      statements: D1PreparedStatement[],
    ): Promise<{ [K in keyof Rows]: Rows[K][] }> {
      const own = step++
      const rows = await super.batch<Rows>(statements)
      if (own === at) throw new Error('lost')
      return rows
    }
  })(bindingIn(home), home)
}

test('an import takes the steps between which the following tests break it off', async () => {
  const tenant = await newTenant()
  let steps = 0
  await expectWhole(
    tenant,
    await send(
      tenant,
      interrupted(async () => void (steps += 1)),
    ),
  )
  expect(steps).toBe(STEPS)
})

test.each(Array.from({ length: STEPS }, (_, at) => at))(
  'an import that dies before its step %i goes on from there when it is sent again, and its report covers all lines',
  async (at) => {
    const tenant = await newTenant()
    travel(0)
    expect(await send(tenant, dyingAt(at))).toBe('Error: dead')
    const early = await send(tenant)
    // Before its first step the import had not claimed the key yet.
    expect(typeof early === 'string' ? early : 'imported').toBe(at === 0 ? 'imported' : 'idempotency_in_progress')
    travel(RUNNING_MS)
    const report = await send(tenant)
    await expectWhole(tenant, report)
    expect(await send(tenant)).toEqual(report)
  },
)

test.each(Array.from({ length: STEPS - 2 }, (_, index) => index + 1))(
  'an import that fails in its step %i, though the database has done it, is sent again at once and goes on from there',
  async (at) => {
    const tenant = await newTenant()
    expect(await send(tenant, losingAnswer(at))).toBe('Error: lost')
    await expectWhole(tenant, await send(tenant))
  },
)

test('an import that breaks off twice goes on from the later break', async () => {
  const tenant = await newTenant()
  travel(0)
  await send(tenant, dyingAt(3))
  travel(RUNNING_MS)
  await send(tenant, dyingAt(3))
  travel(RUNNING_MS)
  await expectWhole(tenant, await send(tenant))
})

test('two at once under one key: one goes on, the other is 409', async () => {
  const tenant = await newTenant()
  travel(0)
  await send(tenant, dyingAt(3))
  travel(RUNNING_MS)
  const answers = await Promise.all([send(tenant), send(tenant)])
  const [refused, report] = answers.toSorted((a) => (typeof a === 'string' ? -1 : 1))
  expect(refused).toBe('idempotency_in_progress')
  await expectWhole(tenant, report ?? '')
})

test('an import that stalls before a commit writes nothing once another has its key, and is 409', async () => {
  const tenant = await newTenant()
  travel(0)
  let other: Report | string = ''
  const stalling = interrupted(async (step) => {
    if (step !== 4) return
    travel(RUNNING_MS)
    other = await send(tenant)
  })
  expect(await send(tenant, stalling)).toBe('idempotency_in_progress')
  await expectWhole(tenant, other)
})

test('lines that lose a race are kept by the commit that writes them', async () => {
  const tenant = await newTenant()
  const lines = [{ content: 'new' }, { content: 'mine', custom_id: 'c' }]
  await stored(ctxOf(tenant), 'theirs', { custom_id: 'c' })
  travel(0)
  // The first commit loses the item of the second line. The process dies before it plans that one again.
  const losing = interrupted(async (step) => {
    if (step === 2)
      await db.write('update memory_items set version = 2 where tenant_id = :tenant', { tenant: tenant.tenantId })
    if (step > 2) throw new Error('dead')
  })
  expect(await send(tenant, losing, lines)).toBe('Error: dead')
  travel(RUNNING_MS)
  const report = await send(tenant, undefined, lines)
  expect(report).toMatchObject({ created: 1, updated: 1, failed: 0 })
  expect((await textsOf(tenant)).map(({ text }) => text)).toEqual(['mine', 'new'])
})

test('another body under the key of an import that broke off begins anew', async () => {
  const tenant = await newTenant()
  travel(0)
  await send(tenant, dyingAt(3))
  travel(RUNNING_MS)
  const report = await send(tenant, undefined, [{ content: 'other' }], 'g')
  expect(report).toMatchObject({ created: 1, results: [{ line: 1, status: 'created' }] })
  expect((await textsOf(tenant)).map(({ text }) => text)).toContain('other')
})

test('progress is kept for 24 h after the last call under its key, then swept', async () => {
  const tenant = await newTenant()
  travel(0)
  await send(tenant, dyingAt(3))
  travel(KEPT_MS - 1_000)
  await send(tenant, dyingAt(1))
  travel(RUNNING_MS)
  await sweepKeys(db, system.now())
  expect(await progressOf(tenant)).toHaveLength(1)
  await expectWhole(tenant, await send(tenant))
  await send(tenant, dyingAt(3), LINES, 'g')
  travel(2 * KEPT_MS)
  await sweepKeys(db, system.now())
  expect(await progressOf(tenant)).toEqual([])
})

test('a slice of plain lines costs one round trip, with an Idempotency-Key as without', async () => {
  const tenant = await newTenant()
  const linesOf = (slices: number) => Array.from({ length: slices * 50 }, (_, n) => ({ content: `line ${n}` }))
  const stepsOf = async (slices: number) => {
    let steps = 0
    const counting = interrupted(async () => void (steps += 1))
    expect(await send(tenant, counting, linesOf(slices))).toMatchObject({ created: slices * 50 })
    await db.write('delete from idempotency_keys where tenant_id = :tenant', { tenant: tenant.tenantId })
    return steps
  }
  expect([await stepsOf(1), await stepsOf(3)]).toEqual([3, 5])
})
