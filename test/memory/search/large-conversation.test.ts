/** @module-tag long */
import { expect, test } from 'vitest'
import type { Meter } from '../../../src/core/database/meter.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { travel } from '../../support/clock.ts'
import { ctxOf, find, stored } from '../../support/search.ts'
import { db, newTenant } from '../../support/world.ts'

const TURNS = 100_000
const NAMESPACES = 10_000

/**
 * Copies of an item, made by one statement: `:turns` in the namespace `default`, each later one in a namespace of its own. The nth
 * happened n seconds after 2020 began.
 */
const COPIES = `
  with recursive n(value) as (select 1 union all select value + 1 from n where value < :copies)
  insert into memory_items (id, tenant_id, project_id, namespace, scope, conversation_id, text_hash, type, visibility, version,
    text_version, text_by, text_at, vector_version, write_id, embedding_status, next_attempt_at, created_by, updated_by,
    created_at, updated_at, tags, metadata, text, occurred_at, indexed_by, indexed_version)
  select substr(i.id, 1, 20) || printf('%09d', n.value), i.tenant_id, i.project_id,
    iif(n.value <= :turns, 'default', 'n' || cast(n.value - :turns as integer)), i.scope, 'c', n.value, i.type, i.visibility, 1, 1,
    i.text_by, i.text_at, 1, i.write_id, 'completed', i.next_attempt_at, i.created_by, i.updated_by, i.created_at, i.updated_at,
    '[]', '{}', 'copy', 1577836800000 + n.value * 1000, 2, 1
  from n cross join memory_items i where i.id = :model`

/** A project of a conversation, with twelve needles in each of two namespaces; the first and the last stand side by side. */
async function haystack(turns: number, namespaces: number) {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const model = await stored(ctx, 'a model')
  await db.write(COPIES, { model: model.id, turns, copies: turns + namespaces })
  const needles: string[] = []
  for (const [namespace, from, to] of [
    ['default', 0, turns],
    ['n1', turns - 6, turns + 6],
  ] as const) {
    for (let nth = 0; nth < 12; nth++) {
      const second = from + Math.floor(((to - from) * (nth === 11 ? 1 : nth + 1)) / 13)
      const occurred_at = new Date(1_577_836_800_000 + second * 1_000 + 500 + nth).toISOString()
      const { id } = await stored(ctx, `needle ${nth}`, { context: { namespace, conversation_id: 'c' }, occurred_at })
      needles.push(id)
    }
  }
  await embedItems(ctx, db, needles)
  await db.write("update memory_items set embedding_status = 'completed' where project_id = :project", {
    project: user.projectId,
  })
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const metered = ctxOf(user, { db: db.metered(meter) })
  return async (namespace: string, more: Record<string, unknown> = {}) => {
    Object.assign(meter, { roundTrips: 0, rowsRead: 0 })
    const { results } = await find(metered, 'needle', {
      mode: 'keyword',
      context: { namespace },
      limit: 100,
      ...more,
    })
    expect(meter.roundTrips).toBe(1)
    const meant = results.filter(({ similarity }) => similarity !== null).length
    return { found: results.length, meant, rows: meter.rowsRead }
  }
}

const small = await haystack(300, 10)
const OPTIONS = [
  {},
  { neighbors: 5, limit: 10 },
  { recency: { weight: 0.2, half_life_days: 1 } },
  { mode: 'hybrid' },
  { mode: 'semantic', neighbors: 5, limit: 10 },
]

test('a search in a conversation reads the rows around its results', async () => {
  // Twelve needles, and three turns on each side of the best ten of them.
  expect(await small('default')).toEqual({ found: 71, meant: 0, rows: expect.any(Number) })
  expect(await small('default', { mode: 'hybrid' })).toMatchObject({ meant: 12 })
  for (const more of OPTIONS) expect((await small('default', more)).rows).toBeLessThan(3_000)
})

test(
  'in a conversation of 100,000, and where 10,000 namespaces share its id, it reads no more',
  { timeout: 60_000 },
  async () => {
    const large = await haystack(TURNS, NAMESPACES)
    // Now and then a search looks for items of other models too.
    travel(0)
    for (const namespace of ['default', 'n1']) {
      for (const more of OPTIONS) {
        const [few, many] = [await small(namespace, more), await large(namespace, more)]
        expect([many.found, many.meant]).toEqual([few.found, few.meant])
        expect(many.rows, JSON.stringify({ namespace, more })).toBeLessThan(few.rows * 1.1)
      }
    }
  },
)

test('a project without conversations pays nothing for them, and its first one lends at once', async () => {
  const user = await newTenant()
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const ctx = ctxOf(user, { db: db.metered(meter) })
  for (let at = 0; at < 20; at++) await stored(ctxOf(user), `needle ${at}`)
  await db.write("update memory_items set embedding_status = 'completed' where project_id = :project", {
    project: user.projectId,
  })
  const read = async () => {
    Object.assign(meter, { roundTrips: 0, rowsRead: 0 })
    const { results } = await find(ctx, 'needle', { mode: 'keyword', limit: 50 })
    return { found: results.length, roundTrips: meter.roundTrips, rows: meter.rowsRead }
  }
  travel(0)
  const first = await read()
  const second = await read()
  expect([first.roundTrips, second.roundTrips]).toEqual([1, 1])
  expect(second.rows).toBeLessThan(first.rows - 50)
  const context = { conversation_id: 'c' }
  await stored(ctxOf(user), 'a needle', { context })
  await stored(ctxOf(user), 'an answer', { context })
  expect(await read()).toMatchObject({ found: 22, roundTrips: 2 })
  expect(await read()).toMatchObject({ found: 22, roundTrips: 1 })
})
