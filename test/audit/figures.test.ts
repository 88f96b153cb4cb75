import { expect, test } from 'vitest'
import { addFigure, figureKey, figureStatements, readFigures, type FigureRow } from '../../src/audit/figures.ts'
import { emptyMessage, type AuditMessage } from '../../src/audit/message.ts'
import { system } from '../support/world.ts'

const audit = system.auditDatabase('00')

/** A message of one family whose outcome nobody else has. */
const messageOf = (key: string, sums: number[], at: number): AuditMessage => ({
  ...emptyMessage(),
  figures: { at, sums: { [key]: sums } },
})

const rowOf = async (labels: string): Promise<FigureRow | undefined> => {
  const [rows] = await audit.batch<[FigureRow]>([readFigures(audit)])
  return rows.find((row) => row.labels === labels)
}

test('untimed events are one number, and timed ones a sum with buckets; only the first of a key is new', () => {
  const sums: Record<string, number[]> = {}
  const delivery = { family: 'delivery', labels: ['ok'] } as const
  expect([
    addFigure(sums, figureKey(delivery), delivery),
    addFigure(sums, figureKey(delivery), { ...delivery, events: 4 }),
  ]).toEqual([true, false])
  const request = { family: 'request', labels: ['GET', '/v1/projects', '2xx'], durationMs: 7 } as const
  expect(addFigure(sums, figureKey(request), request)).toBe(true)
  expect(addFigure(sums, figureKey(request), { ...request, durationMs: 9_000 })).toBe(false)
  expect(sums).toEqual({
    'delivery ok': [5],
    'request GET /v1/projects 2xx': [9_007, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  })
})

test('a clock that was set back in the middle of a request takes nothing away', () => {
  const sums: Record<string, number[]> = {}
  addFigure(sums, 'model_call query ok', { family: 'model_call', labels: ['query', 'ok'], durationMs: -50 })
  expect(sums['model_call query ok']?.slice(0, 2)).toEqual([0, 1])
})

test('messages add up in their row, which keeps the newest instant whichever comes last', async () => {
  const labels = `test-${crypto.randomUUID()}`
  const key = `model_call ${labels} ok`
  await audit.batch(figureStatements(audit, [messageOf(key, [7, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 2_000)]))
  await audit.batch(figureStatements(audit, [messageOf(key, [3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1_000)]))
  const row = await rowOf(`${labels} ok`)
  expect(row).toMatchObject({ family: 'model_call', at: 2_000, count: 2, total_ms: 10 })
  expect(JSON.parse(row?.buckets ?? '')).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
})

test('untimed events have a count and no buckets, and a message without figures adds none', async () => {
  const labels = `test-${crypto.randomUUID()}`
  expect(figureStatements(audit, [emptyMessage()])).toEqual([])
  await audit.batch(figureStatements(audit, [emptyMessage(), messageOf(`delivery ${labels}`, [3], 5)]))
  const row = await rowOf(labels)
  expect(row).toMatchObject({ family: 'delivery', at: 5, count: 3, total_ms: 0 })
  expect(JSON.parse(row?.buckets ?? '')).toEqual(Array.from({ length: 11 }, () => 0))
})
