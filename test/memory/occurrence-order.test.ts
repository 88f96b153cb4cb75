/** @module-tag long */
import { describe, expect, test } from 'vitest'
import type { Meter } from '../../src/core/database/meter.ts'
import { list, ListInput } from '../../src/memory/operations/list.ts'
import { ctxOf, embedded, find, stored } from '../support/search.ts'
import { call, db, newTenant, type Tenant } from '../support/world.ts'

describe('order and filters', () => {
  const dated = async (user: Tenant, more: Record<string, unknown> = {}) => {
    const ctx = ctxOf(user)
    await stored(ctx, 'b', { custom_id: 'b', occurred_at: '2023-05-08', ...more })
    await stored(ctx, 'd', { custom_id: 'd', ...more })
    await stored(ctx, 'a', { custom_id: 'a', occurred_at: '0001-01-01', ...more })
    await stored(ctx, 'e', { custom_id: 'e', occurred_at: '9999-12-31T23:59:59.999Z', ...more })
    await stored(ctx, 'c', { custom_id: 'c', occurred_at: '2023-05-08T00:00:00.001Z', ...more })
    return ctx
  }
  const names = (page: { data: { custom_id: string | null }[] }) => page.data.map((item) => item.custom_id).join('')
  const pageOf = (ctx: ReturnType<typeof ctxOf>, query: Record<string, unknown>) => list(ctx, ListInput.parse(query))

  test('a list by occurrence takes the time of storing where there is none, page by page, in every context', async () => {
    const labels = { conversation_id: 'c', document_id: 'd', session_id: 's' }
    const user = await newTenant()
    const ctx = await dated(user, { context: labels, tags: ['t'] })
    const [b] = (await pageOf(ctx, { filters: '{"custom_id": "b"}' })).data
    await call('PATCH', `/v1/memory/items/${b?.id}`, { key: user.key, body: { context: { namespace: 'other' } } })
    for (const context of [{}, ...Object.entries(labels).map(([name, id]) => ({ [name]: id }))]) {
      for (const place of [
        { namespace: 'default' },
        { namespace: '*' },
        { namespaces: ['default', 'other', 'none'] },
      ]) {
        for (const filter of [{}, { tags: 't' }]) {
          const all = place.namespace === 'default' ? 'acde' : 'abcde'
          for (const [sort, expected] of [
            ['occurred_at', all],
            ['-occurred_at', Array.from(all).toReversed().join('')],
          ] as const) {
            const query = { ...context, ...filter, ...place, sort, limit: '2' }
            const first = await pageOf(ctx, query)
            const second = await pageOf(ctx, { ...query, cursor: first.next_cursor })
            const third = second.next_cursor && (await pageOf(ctx, { ...query, cursor: second.next_cursor }))
            const pages = [first, second, ...(third ? [third] : [])]
            expect(pages.map(names).join(''), JSON.stringify(query)).toBe(expected)
            expect(pages.at(-1)?.has_more).toBe(false)
          }
        }
      }
    }
  })

  test('neither order takes a cursor of the other', async () => {
    const ctx = await dated(await newTenant())
    for (const [sort, other] of [
      ['created_at', 'occurred_at'],
      ['-occurred_at', '-created_at'],
    ]) {
      const { next_cursor: cursor } = await pageOf(ctx, { sort, limit: '1' })
      await expect(pageOf(ctx, { sort: other, cursor })).rejects.toMatchObject({ status: 422 })
    }
  })

  test('filters compare it, and the time of storing where there is none', async () => {
    const ctx = await dated(await newTenant())
    const found = async (query: Record<string, unknown>) => names(await pageOf(ctx, { sort: 'occurred_at', ...query }))
    expect(await found({ occurred_after: '2023-05-08T00:00:00Z' })).toBe('cde')
    expect(await found({ occurred_before: '2023-05-08T00:00:00.001Z' })).toBe('ab')
    // The list leaves out its bounds, and `>=` and `<=` include them.
    expect(await found({ occurred_before: '2023-05-08T00:00:00Z' })).toBe('a')
    const day = { '>=': '2023-05-08T00:00:00Z', '<=': '2023-05-08T00:00:00Z' }
    expect(await found({ filters: JSON.stringify({ occurred_at: day }) })).toBe('b')
    const range = { occurred_at: { '>=': '2020-01-01T00:00:00Z', lt: '2100-01-01T00:00:00Z' } }
    expect(await found({ filters: JSON.stringify(range) })).toBe('bcd')
    expect(await found({ filters: JSON.stringify({ NOT: range }) })).toBe('ae')
    const searched = await find(ctx, 'a b c d e', { mode: 'keyword', filters: range })
    expect(new Set(searched.results.map((one) => one.custom_id))).toEqual(new Set(['b', 'c', 'd']))
  })

  test('a page reads only the rows that it shows, and in a conversation too', async () => {
    const user = await newTenant()
    const texts = (count: number) => Array.from({ length: count }, (_, nth) => `Text ${nth}.`)
    const chat = { conversation_id: 'chat-1' }
    await embedded(ctxOf(user), texts(300), { occurred_at: '2020-01-01' })
    await embedded(ctxOf(user), texts(300), { context: { namespace: 'other', ...chat } })
    await embedded(ctxOf(user), texts(100), { context: chat })
    const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    const ctx = ctxOf(user, { db: db.metered(meter) })
    for (const query of [{}, { namespace: '*' }, chat]) {
      for (const sort of ['occurred_at', '-occurred_at']) {
        const { next_cursor: cursor } = await pageOf(ctx, { ...query, sort, limit: '50' })
        Object.assign(meter, { roundTrips: 0, rowsRead: 0 })
        expect((await pageOf(ctx, { ...query, sort, limit: '10', cursor })).data).toHaveLength(10)
        expect(meter.roundTrips).toBe(1)
        expect(meter.rowsRead, JSON.stringify({ query, sort })).toBeLessThan(100)
      }
    }
  })
})
