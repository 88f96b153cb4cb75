import { expect, test } from 'vitest'
import { FOLLOWING_FACTOR, INSIDE_FACTOR } from '../../../../src/memory/search/dates/dated-sql.ts'
import { newWriter, type Writer } from '../../../support/memory.ts'

/** What the score of an item gains. */
const [INSIDE, FOLLOWING] = [INSIDE_FACTOR, FOLLOWING_FACTOR].map((factor) => Math.round(10 * (factor - 1)) / 10)

const TEXT = 'The kettle is blue.'

/** Items of one text at these times, by time. */
async function told(times: readonly string[], more: object = {}): Promise<Writer> {
  const writer = await newWriter()
  const operations = times.map((occurred_at) => ({
    op: 'store',
    content: TEXT,
    custom_id: occurred_at,
    occurred_at,
    ...more,
  }))
  expect((await writer.send('POST', '/api/memory/batch', { operations, atomic: true })).status).toBe(200)
  return writer
}

async function search(writer: Writer, query: string, more: object = {}) {
  const { status, body } = await writer.send('POST', '/api/memory/search', {
    query,
    mode: 'keyword',
    include: ['score_breakdown'],
    ...more,
  })
  expect(status).toBe(200)
  return body
}

/** What the time adds, as a share of the rest of the score, by item. */
const sharesIn = (body: {
  results: { custom_id: string; score_breakdown: { contributions: Record<string, number> } }[]
}) =>
  Object.fromEntries(
    body.results.map(({ custom_id, score_breakdown: { contributions } }) => {
      const { date = 0, keyword = 0 } = contributions
      return [custom_id, Math.round((10 * date) / keyword) / 10]
    }),
  )

test('contract §3: items of the time that a query names, and of the 8 days behind it, rank higher', async () => {
  const times = [
    '2023-04-30T23:59:59Z',
    '2023-05-01T00:00:00Z',
    '2023-05-31T23:59:59Z',
    '2023-06-01T00:00:00Z',
    '2023-06-08T23:59:59Z',
    '2023-06-09T00:00:00Z',
  ]
  const writer = await told(times)
  const body = await search(writer, 'blue kettle in May 2023')
  expect(body.interpreted).toEqual({
    text: 'May 2023',
    after: '2023-05-01T00:00:00.000Z',
    before: '2023-06-01T00:00:00.000Z',
  })
  expect(sharesIn(body)).toEqual({
    '2023-04-30T23:59:59Z': 0,
    '2023-05-01T00:00:00Z': INSIDE,
    '2023-05-31T23:59:59Z': INSIDE,
    '2023-06-01T00:00:00Z': FOLLOWING,
    '2023-06-08T23:59:59Z': FOLLOWING,
    '2023-06-09T00:00:00Z': 0,
  })
  const scores = body.results.map(({ score }: { score: number }) => score)
  expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
})

test('contract §3: a month without a year is that of every year, and December ends in January', async () => {
  const writer = await told([
    '2019-12-01T00:00:00Z',
    '2021-12-31T23:59:59Z',
    '2022-01-08T12:00:00Z',
    '2022-01-09T12:00:00Z',
    '2022-11-30T12:00:00Z',
  ])
  const body = await search(writer, 'blue kettle in December', { reference_date: '2023-02-01T00:00:00Z' })
  expect(body.interpreted).toMatchObject({ after: '2022-12-01T00:00:00.000Z', every_year: true })
  expect(sharesIn(body)).toEqual({
    '2019-12-01T00:00:00Z': INSIDE,
    '2021-12-31T23:59:59Z': INSIDE,
    '2022-01-08T12:00:00Z': FOLLOWING,
    '2022-01-09T12:00:00Z': 0,
    '2022-11-30T12:00:00Z': 0,
  })
})

test.each(['2023-06-01T00:00:00Z', '2024-06-01T00:00:00Z'])(
  'contract §3: at %s the days behind one of February without a year are those of leap years too',
  async (reference_date) => {
    const writer = await told([
      '2023-02-28T12:00:00Z',
      '2023-03-08T12:00:00Z',
      '2023-03-09T12:00:00Z',
      '2024-02-27T12:00:00Z',
      '2024-02-28T12:00:00Z',
      '2024-02-29T12:00:00Z',
      '2024-03-01T12:00:00Z',
    ])
    expect(sharesIn(await search(writer, 'blue kettle on 28 February', { reference_date }))).toEqual({
      '2023-02-28T12:00:00Z': INSIDE,
      '2023-03-08T12:00:00Z': FOLLOWING,
      '2023-03-09T12:00:00Z': 0,
      '2024-02-27T12:00:00Z': 0,
      '2024-02-28T12:00:00Z': INSIDE,
      '2024-02-29T12:00:00Z': FOLLOWING,
      '2024-03-01T12:00:00Z': FOLLOWING,
    })
    expect(sharesIn(await search(writer, 'blue kettle in February', { reference_date }))).toMatchObject({
      '2024-02-29T12:00:00Z': INSIDE,
      '2024-03-01T12:00:00Z': FOLLOWING,
      '2023-03-08T12:00:00Z': FOLLOWING,
    })
    expect(sharesIn(await search(writer, 'blue kettle on 29 February', { reference_date }))).toMatchObject({
      '2023-02-28T12:00:00Z': 0,
      '2024-02-29T12:00:00Z': INSIDE,
      '2024-03-01T12:00:00Z': FOLLOWING,
      '2023-03-08T12:00:00Z': FOLLOWING,
      '2023-03-09T12:00:00Z': 0,
    })
    expect(sharesIn(await search(writer, 'blue kettle on 21 February', { reference_date }))).toMatchObject({
      '2023-02-28T12:00:00Z': FOLLOWING,
      '2024-02-29T12:00:00Z': FOLLOWING,
      '2023-03-08T12:00:00Z': 0,
    })
  },
)

test('contract §3: reference_date says when the query is asked, in its calendar', async () => {
  const writer = await told(['2023-05-07T22:30:00Z', '2023-05-07T21:30:00Z'])
  const body = await search(writer, 'blue kettle today', { reference_date: '2023-05-08T09:00:00+02:00' })
  expect(sharesIn(body)).toEqual({ '2023-05-07T22:30:00Z': INSIDE, '2023-05-07T21:30:00Z': 0 })
  for (const reference_date of ['2023-05-08', '1899-12-31T23:59:59Z', '2100-01-01T00:00:00Z'])
    expect(await writer.send('POST', '/api/memory/search', { query: 'blue', reference_date })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'reference_date', code: 'invalid_format' }] },
    })
})

test('contract §3: a time finds nothing else and leaves nothing out', async () => {
  const writer = await told(['2023-05-08T12:00:00Z', '2020-01-01T12:00:00Z'])
  const ids = (body: { results: { custom_id: string }[] }) => body.results.map(({ custom_id }) => custom_id).toSorted()
  const asked = { reference_date: '2023-05-09T12:00:00Z' }
  expect(ids(await search(writer, 'kettle yesterday', asked))).toEqual(ids(await search(writer, 'kettle')))
  expect((await search(writer, 'kettle yesterday', asked)).total).toBe(2)
  expect(ids(await search(writer, 'teapot yesterday', asked))).toEqual([])
  expect((await search(writer, 'kettle')).interpreted).toBeNull()
})

test('in a conversation a neighbour is lent a share of the raised score, and every score is at most 1', async () => {
  const context = { conversation_id: 'chat' }
  const writer = await told(['2023-05-08T12:00:00Z', '2023-05-08T12:01:00Z'], { context })
  await writer.store({ content: 'Nothing of that.', context, occurred_at: '2023-05-08T12:02:00Z', custom_id: 'beside' })
  const { results } = await search(writer, 'kettle yesterday', { reference_date: '2023-05-09T12:00:00Z' })
  expect(results).toHaveLength(3)
  for (const { score } of results) expect(score).toBeLessThanOrEqual(1)
  const beside = results.find(({ custom_id }: { custom_id: string }) => custom_id === 'beside')
  expect(beside.score_breakdown.contributions).toMatchObject({ keyword: 0, date: 0 })
})

test('recall puts what happened at the time that it is asked for first', async () => {
  const writer = await newWriter()
  await writer.store({ content: 'We bought a blue kettle in Rome.', occurred_at: '2023-05-08T12:00:00Z' })
  await writer.store({ content: 'We bought a blue kettle in Oslo.', occurred_at: '2020-01-01T12:00:00Z' })
  const { body } = await writer.send('POST', '/v1/memory/recall', {
    query: 'Which blue kettle was it yesterday?',
    reference_date: '2020-01-02T12:00:00Z',
    format: 'items',
  })
  expect(body.items[0]).toMatchObject({ occurred_at: '2020-01-01T12:00:00.000Z' })
})
