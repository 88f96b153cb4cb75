import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isoSql } from '../../src/core/database/iso-sql.ts'
import { postingsOf } from '../../src/memory/keyword/postings.ts'
import { dateWords, OccurredAt } from '../../src/memory/occurrence.ts'
import { list, ListInput } from '../../src/memory/operations/list.ts'
import { newWriter } from '../support/memory.ts'
import { ctxOf, embedded, find, idsOf, stored } from '../support/search.ts'
import { call, db, newTenant, system } from '../support/world.ts'

const FIRST_MS = -62_135_596_800_000
const LAST_MS = 253_402_300_799_999

describe('the instant (contract §3)', () => {
  test.each([
    ['UTC', '2023-05-08T13:56:00Z', '2023-05-08T13:56:00.000Z'],
    ['an offset', '2023-05-08T23:30:00-05:00', '2023-05-09T04:30:00.000Z'],
    ['a date is its midnight in UTC', '2023-05-08', '2023-05-08T00:00:00.000Z'],
    ['no seconds', '2023-05-08T13:56Z', '2023-05-08T13:56:00.000Z'],
    ['more than milliseconds', '2023-05-08T13:56:00.1239Z', '2023-05-08T13:56:00.123Z'],
    ['29 February', '2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['before 1970', '1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
    ['the first', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['the last', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('accepts %s', (_, sent, expected) => {
    expect(new Date(OccurredAt.parse(sent)).toISOString()).toBe(expected)
  })

  test.each([
    ['year 0', '0000-12-31T23:59:59Z'],
    ['year 0 by its offset', '0001-01-01T00:30:00+01:00'],
    ['year 10000', '10000-01-01T00:00:00Z'],
    ['year 10000 by its offset', '9999-12-31T23:30:00-01:00'],
    ['a signed year', '+002023-05-08T00:00:00Z'],
    ['a time without a zone', '2023-05-08T13:56:00'],
    ['a day that is none', '2023-02-29'],
    ['a month that is none', '2023-13-01'],
    ['an hour that is none', '2023-05-08T24:00:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['words', 'yesterday'],
    ['nothing', ''],
    ['a number', 1_683_554_160_000],
  ])('refuses %s', async (_, occurred_at) => {
    const user = await newWriter()
    const { status, body } = await user.store({ content: 'x', occurred_at })
    expect({ status, path: body.errors?.[0].path }).toEqual({ status: 422, path: 'occurred_at' })
  })

  test('SQL writes it as JavaScript does, over all ten thousand years', async () => {
    const written = async (ms: number[]) =>
      db.all<{ at: string }>(`select ${isoSql('e.value')} as at from json_each(:ms) e`, { ms: JSON.stringify(ms) })
    const any = fc.array(fc.integer({ min: FIRST_MS, max: LAST_MS }), { minLength: 500, maxLength: 500 })
    for (const ms of [[FIRST_MS, LAST_MS, -1, 0, 1, 999], ...fc.sample(any, 4)]) {
      expect((await written(ms)).map(({ at }) => at)).toEqual(ms.map((one) => new Date(one).toISOString()))
    }
  })
})

describe('the item', () => {
  test('store, retrieve, update, list, batch, export and events show it; null removes it', async () => {
    const user = await newWriter()
    const at = '2023-05-08T13:56:00.000Z'
    const { body: item } = await user.store({ content: 'Caroline went to the meeting.', occurred_at: at })
    expect(item.occurred_at).toBe(at)
    expect((await user.get(item.id)).body.occurred_at).toBe(at)
    expect((await user.send('GET', '/v1/memory/items')).body.data[0].occurred_at).toBe(at)
    expect(JSON.parse((await call('GET', '/v1/memory/export', { headers: user.headers })).text).occurred_at).toBe(at)
    const batch = await user.send('POST', '/api/memory/batch', {
      operations: [
        { op: 'store', content: 'two', occurred_at: '2023-05-09' },
        { op: 'update', id: item.id, occurred_at: '0001-01-01' },
        { op: 'store', content: 'three', occurred_at: '2023-05-32' },
      ],
    })
    expect(batch.body.results.map((one: any) => one.item?.occurred_at ?? one.error.code)).toEqual([
      '2023-05-09T00:00:00.000Z',
      '0001-01-01T00:00:00.000Z',
      'validation_failed',
    ])
    const path = `/v1/memory/items/${item.id}`
    expect((await user.send('PATCH', path, { tags: ['a'] })).body).toMatchObject({
      occurred_at: '0001-01-01T00:00:00.000Z',
    })
    expect((await user.send('PATCH', path, { occurred_at: null })).body).toMatchObject({
      occurred_at: null,
      version: 4,
    })
    const events = await db.all<{ data: string }>(
      `select data from events where tenant_id = :tenant and data ->> 'memory_id' = :id and type like 'memory.%ted'
       order by data ->> 'version'`,
      { tenant: user.tenantId, id: item.id },
    )
    expect(events.map(({ data }) => JSON.parse(data).occurred_at)).toEqual([
      at,
      '0001-01-01T00:00:00.000Z',
      '0001-01-01T00:00:00.000Z',
      undefined,
    ])
  })

  test('memory.deleted still says when it happened', async () => {
    const user = await newWriter()
    const { body: item } = await user.store({ content: 'x', occurred_at: '2023-05-08' })
    await user.send('DELETE', `/v1/memory/items/${item.id}`)
    const event = await db.first<{ data: string }>(
      "select data from events where tenant_id = :tenant and type = 'memory.deleted'",
      { tenant: user.tenantId },
    )
    expect(JSON.parse(event?.data ?? '')).toMatchObject({ occurred_at: '2023-05-08T00:00:00.000Z' })
  })

  test('a changed date raises the version and embeds nothing', async () => {
    const user = await newTenant()
    const ctx = ctxOf(user)
    const [id = ''] = await embedded(ctx, ['Caroline went to the meeting.'], { occurred_at: '2023-05-08' })
    const key = user.key
    const { body } = await call('PATCH', `/v1/memory/items/${id}`, { key, body: { occurred_at: '2024-06-09' } })
    expect(body).toMatchObject({ version: 2, embedding_status: 'completed', occurred_at: '2024-06-09T00:00:00.000Z' })
    expect((await find(ctx, 'meeting', { mode: 'semantic' })).results[0]).toMatchObject({ id })
  })
})

describe('the words of a date', () => {
  test.each([
    [Date.parse('2023-05-08T23:59:59.999Z'), '2023 05 5 May 08 8'],
    [Date.parse('1999-12-31T00:00:00Z'), '1999 12 12 December 31 31'],
    [FIRST_MS, '0001 01 1 January 01 1'],
    [LAST_MS, '9999 12 12 December 31 31'],
  ])('%d: %s', (ms, words) => {
    expect(dateWords(ms)).toBe(words)
  })

  test('they count neither in the length of the text nor in the counts of its words', () => {
    const at = Date.parse('2023-05-08')
    expect(postingsOf('In May we may go', at, system.vocabulary).length).toBe(5)
    const postingOf = (text: string, term: string) =>
      postingsOf(text, at, system.vocabulary)
        .postings.split(' ')
        .find((one) => one.startsWith(`${term}·`))
    expect(postingOf('In May we may go', 'may')).toBe(`may·${(5 << 6) + 2}`)
    expect(postingOf('We go', 'may')).toBe(`may·${(2 << 6) + 1}`)
    expect(postingsOf('We go', null, system.vocabulary)).toEqual({ postings: ' we·129 go·129', terms: 2, length: 2 })
  })

  test('keyword search and a list with q find an item by them; a changed date writes them again', async () => {
    const user = await newTenant()
    const ctx = ctxOf(user)
    const item = await stored(ctx, 'Caroline went to the meeting.', { occurred_at: '2023-05-08' })
    await stored(ctx, 'Melanie painted a sunrise.')
    const found = async (query: string) => idsOf(await find(ctx, query, { mode: 'keyword' }))
    const words = () =>
      db.first<{ words: number }>('select words from project_words where project_id = :project', {
        project: user.projectId,
      })
    expect(await words()).toEqual({ words: 9 })
    for (const query of ['8 May 2023', '2023', 'May', '08', '8']) expect(await found(query), query).toEqual([item.id])
    expect((await list(ctx, ListInput.parse({ q: 'may 2023 meeting' }))).data.map(({ id }) => id)).toEqual([item.id])
    const change = (occurred_at: string | null) =>
      call('PATCH', `/v1/memory/items/${item.id}`, { key: user.key, body: { occurred_at } })
    await change('2021-07-04')
    expect(await found('May')).toEqual([])
    expect(await found('July 2021')).toEqual([item.id])
    await change(null)
    expect(await found('July')).toEqual([])
    expect(await found('meeting')).toEqual([item.id])
    expect(await words()).toEqual({ words: 9 })
  })
})
