/** @module-tag long */
import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import type { Meter } from '../../../src/core/database/meter.ts'
import { REPEAT_AFTER_MS } from '../../../src/memory/purge/erase.ts'
import { batch } from '../../../src/memory/operations/batch.ts'
import { list, ListInput } from '../../../src/memory/operations/list.ts'
import { unloadRetired } from '../../../src/memory/retirement/unload.ts'
import { travel } from '../../support/clock.ts'
import { ctxOf, embedded, find } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'

const ITEMS = 100

/** Current items, each with a retired one beside it if `withRetired`. */
async function newProject(withRetired: boolean): Promise<AuthContext> {
  const ctx = ctxOf(await newTenant())
  const texts = (name: string) => Array.from({ length: ITEMS }, (_, n) => `${name} tea with sugar number ${n}`)
  const more = { tags: ['drinks'], context: { conversation_id: 'c' } }
  const retired = withRetired ? await embedded(ctx, texts('old'), more) : []
  for (let at = 0; at < retired.length; at += 50)
    await batch(ctx, { operations: retired.slice(at, at + 50).map((id) => ({ op: 'retire', id })) })
  await embedded(ctx, texts('new'), more)
  travel(REPEAT_AFTER_MS)
  while (await unloadRetired(system, db)) continue
  return ctx
}

test('searches and lists read no more rows with retired items than without', async () => {
  const projects = [await newProject(false), await newProject(true)]
  const reads: Record<string, (ctx: AuthContext) => Promise<unknown>> = {
    'a list': (ctx) => list(ctx, ListInput.parse({ limit: 20 })),
    'a list by tag': (ctx) => list(ctx, ListInput.parse({ tags: 'drinks' })),
    'a list of a conversation': (ctx) => list(ctx, ListInput.parse({ conversation_id: 'c', namespace: '*' })),
    'a list of words': (ctx) => list(ctx, ListInput.parse({ q: 'sugar' })),
    'a keyword search': (ctx) => find(ctx, 'sugar', { mode: 'keyword' }),
    'a semantic search': (ctx) => find(ctx, 'sweet tea', { mode: 'semantic' }),
    'a hybrid search': (ctx) => find(ctx, 'tea number 7', { filters: { tags: ['drinks'] } }),
  }
  for (const [name, read] of Object.entries(reads)) {
    const rows = []
    for (const ctx of projects) {
      const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
      await read({ ...ctx, db: db.metered(meter) })
      rows.push(meter.rowsRead)
    }
    expect(rows[1], name).toBeLessThanOrEqual(rows[0] ?? 0)
    expect(rows[0], name).toBeGreaterThan(0)
  }
})
