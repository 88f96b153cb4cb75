/** @module-tag long */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import type { Meter } from '../../../src/core/database/meter.ts'
import { portions } from '../../../src/core/values/portions.ts'
import { REPEAT_AFTER_MS } from '../../../src/memory/purge/erase.ts'
import { batch } from '../../../src/memory/operations/batch.ts'
import { list, ListInput } from '../../../src/memory/operations/list.ts'
import { recall } from '../../../src/memory/recall/recall.ts'
import { RecallInput } from '../../../src/memory/recall/recall-schema.ts'
import { unloadRetired } from '../../../src/memory/retirement/unload.ts'
import { travel } from '../../support/clock.ts'
import { ctxOf, embedded, find } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'

/** `RETIRED_ITEMS=10000 npm test -- test/memory/retirement/rows-read` asks the same of more. */
const ITEMS = Number(env.RETIRED_ITEMS || 100)
const MS_AN_ITEM = 100

interface Holds {
  current: number
  retired: number
}

async function newProject({ current, retired }: Holds): Promise<AuthContext> {
  const ctx = ctxOf(await newTenant())
  const texts = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${name} tea with sugar number ${n}`)
  const more = { tags: ['drinks'], context: { conversation_id: 'c' } }
  const store = async (all: readonly string[], each: (ids: readonly string[]) => Promise<unknown>) => {
    for (const some of portions(all, 50)) await each(await embedded(ctx, some, more))
  }
  await store(texts('old', retired), (ids) => batch(ctx, { operations: ids.map((id) => ({ op: 'retire', id })) }))
  await store(texts('new', current), async () => {})
  travel(REPEAT_AFTER_MS)
  while (await unloadRetired(system, db)) continue
  return ctx
}

interface Reading {
  name: string
  read: (ctx: AuthContext) => Promise<unknown>
}

const READINGS: Reading[] = [
  { name: 'a list', read: (ctx) => list(ctx, ListInput.parse({ limit: 20 })) },
  { name: 'a list by tag', read: (ctx) => list(ctx, ListInput.parse({ tags: 'drinks' })) },
  {
    name: 'a list of a conversation',
    read: (ctx) => list(ctx, ListInput.parse({ conversation_id: 'c', namespace: '*' })),
  },
  { name: 'a list of words', read: (ctx) => list(ctx, ListInput.parse({ q: 'sugar' })) },
  { name: 'a keyword search', read: (ctx) => find(ctx, 'sugar', { mode: 'keyword' }) },
  { name: 'a semantic search', read: (ctx) => find(ctx, 'sweet tea', { mode: 'semantic' }) },
  { name: 'a hybrid search', read: (ctx) => find(ctx, 'tea number 7', { filters: { tags: ['drinks'] } }) },
  { name: 'a recall', read: (ctx) => recall(ctx, RecallInput.parse({ query: 'tea with sugar' })) },
  { name: 'a recall of the newest', read: (ctx) => recall(ctx, RecallInput.parse({})) },
]

test(
  'searches, lists and recall read as many rows with retired items as without',
  { timeout: 30_000 + ITEMS * MS_AN_ITEM },
  async () => {
    // A range of an index ends with a row of the project before or after. So each of the two has a neighbour on both sides.
    const first = await newProject({ current: 1, retired: 0 })
    const without = await newProject({ current: ITEMS, retired: 0 })
    const withRetired = await newProject({ current: ITEMS, retired: ITEMS })
    await newProject({ current: 1, retired: 0 })
    const rows: Record<string, number[]> = {}
    for (const { name, read } of READINGS) {
      // What an isolate reads once is not counted.
      await read(first)
      rows[name] = [await rowsOf(read, without), await rowsOf(read, withRetired)]
    }
    for (const { name } of READINGS) {
      const [alone = 0, beside] = rows[name] ?? []
      expect(alone, name).toBeGreaterThan(0)
      expect(beside, `${name} of ${JSON.stringify(rows)}`).toBe(alone)
    }
  },
)

async function rowsOf(read: Reading['read'], ctx: AuthContext): Promise<number> {
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  await read({ ...ctx, db: db.metered(meter) })
  return meter.rowsRead
}
