import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { auditInsert } from '../../src/audit/index.ts'
import { moveOutbox } from '../../src/audit/move-outbox.ts'
import { pageStatements, toPages } from '../../src/audit/pages.ts'
import type { System } from '../../src/core/context.ts'
import { Database } from '../../src/core/database/database.ts'
import { auditRowOf, storedIds } from '../support/audit.ts'
import { archiving, moveChosen, walk } from '../support/audit-objects.ts'
import { travel } from '../support/clock.ts'
import { db, newTenant, system, type Tenant } from '../support/world.ts'

const audit = system.auditDatabase('00')

async function commit(tenant: Tenant, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => auditRowOf(tenant))
  await db.batch(rows.map((row) => auditInsert(system, db, row)))
  return rows.map((row) => row.id)
}

const left = (tenant: Tenant) =>
  db.all('select id from audit_outbox where tenant_id = :tenant', { tenant: tenant.tenantId })

test('a move stores every row of the outbox and empties it', async () => {
  const tenant = await newTenant()
  const ids = await commit(tenant, 3)
  await moveOutbox(system, '00')
  expect(await storedIds(tenant)).toEqual(ids.toSorted())
  expect(await left(tenant)).toEqual([])
})

test('one call moves more than a portion; movers at once move each row once', async () => {
  const tenant = await newTenant()
  const ids = [...(await commit(tenant, 90)), ...(await commit(tenant, 90)), ...(await commit(tenant, 90))]
  await Promise.all([moveOutbox(system, '00'), moveOutbox(system, '00'), moveOutbox(system, '00')])
  expect(await storedIds(tenant)).toEqual(ids.toSorted())
})

test('a mover that dies after storing leaves no row twice, and one that dies before storing loses none', async () => {
  const tenant = await newTenant()
  const ids = await commit(tenant, 2)
  // A portion as a dead mover left it: claimed, its page stored, its rows not deleted.
  const page = system.newId('aud')
  const claimed = await db.write<{ row: string }>(
    'update audit_outbox set page_id = :page where id = :id returning row',
    { page, id: ids[0] ?? '' },
  )
  await audit.batch(
    pageStatements(
      audit,
      toPages(
        page,
        claimed.map(({ row }) => JSON.parse(row)),
      ),
    ),
  )
  // Another that was claimed, and not stored.
  await db.write('update audit_outbox set page_id = :page_id where id = :id', {
    page_id: system.newId('aud'),
    id: ids[1] ?? '',
  })
  await moveOutbox(system, '00')
  expect(await left(tenant)).toHaveLength(2)
  travel(61_000)
  await moveOutbox(system, '00')
  expect(await storedIds(tenant)).toEqual(ids.toSorted())
  expect(await left(tenant)).toEqual([])
})

/** A system that logs into `lines`, of which one database loses its connection at its nth batch, once. */
function losing(database: 'main' | 'audit', nth: number, moment: 'before' | 'after') {
  const lines: string[] = []
  const real = database === 'main' ? env.DB : env.AUDIT_DB
  let batches = 0
  const d1 = {
    prepare: (sql: string) => real.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      batches += 1
      const lost = batches === nth
      if (lost && moment === 'before') throw new Error('D1_ERROR: Network connection lost.')
      const results = await real.batch(statements)
      if (lost) throw new Error('D1_ERROR: Network connection lost.')
      return results
    },
  }
  const broken = new Database(d1 as unknown as D1Database)
  const log = (line: { event: string }) => void lines.push(line.event)
  const changed: System = {
    ...system,
    log: { info: log, error: log },
    ...(database === 'main' ? { database: () => broken } : { auditDatabase: () => broken }),
  }
  return { system: changed, lines }
}

test.each([
  ['the claim is committed and its answer lost', 'main', 1, 'after'],
  ['nothing is stored', 'audit', 1, 'before'],
  ['the page is stored and the answer lost', 'audit', 1, 'after'],
  ['the rows are stored and not deleted', 'main', 2, 'before'],
] as const)('a portion whose move failed is moved by the next mover, once: %s', async (_, database, nth, moment) => {
  const tenant = await newTenant()
  const ids: string[] = []
  const lossy = losing(database, nth, moment)
  // A mover of another test may come first and leave this one nothing to lose.
  while (!lossy.lines.includes('audit.move_failed')) {
    ids.push(...(await commit(tenant, 2)))
    await moveOutbox(lossy.system, '00').catch(() => undefined)
  }
  await moveOutbox(lossy.system, '00')
  expect(lossy.lines).toContain('audit.delayed')
  expect(await storedIds(tenant)).toEqual(ids.toSorted())
  expect(await left(tenant)).toEqual([])
})

test('a portion that cannot even be released waits for its lease', async () => {
  const tenant = await newTenant()
  const ids = await commit(tenant, 2)
  const lines: string[] = []
  const log = (line: { event: string }) => void lines.push(line.event)
  const down = {
    prepare: (sql: string) => env.DB.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      if (lines.length === 0) await env.DB.batch(statements)
      throw new Error('D1_ERROR: Network connection lost.')
    },
  }
  const broken = new Database(down as unknown as D1Database)
  const failing: System = { ...system, log: { info: log, error: log }, database: () => broken }
  await expect(moveOutbox(failing, '00')).rejects.toMatchObject({ code: 'dependency_unavailable' })
  expect(lines).toEqual(['audit.move_failed', 'audit.move_not_released'])
  await moveOutbox(system, '00')
  expect(await left(tenant)).toHaveLength(2)
  travel(61_000)
  await moveOutbox(system, '00')
  expect(await storedIds(tenant)).toEqual(ids.toSorted())
})

test('rows whose page has left the database meanwhile are not stored again by the next mover', async () => {
  const tenant = await newTenant()
  const ids = await commit(tenant, 2)
  const lossy = losing('main', 2, 'before')
  while (!lossy.lines.includes('audit.move_failed')) {
    ids.push(...(await commit(tenant, 2)))
    await moveOutbox(lossy.system, '00').catch(() => undefined)
  }
  expect(await storedIds(tenant)).toEqual(ids.toSorted())
  const { system: archive } = archiving()
  await moveChosen(archive, tenant)
  expect(await left(tenant)).not.toEqual([])
  await moveOutbox(system, '00')
  expect(await left(tenant)).toEqual([])
  expect(await storedIds(tenant)).toEqual([])
  expect((await walk(archive, tenant)).ids.toSorted()).toEqual(ids.toSorted())
})
