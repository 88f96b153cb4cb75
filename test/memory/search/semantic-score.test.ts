import { expect, test } from 'vitest'
import { SAMPLE_QUESTION, SAMPLE_TEXT } from '../../../src/core/sample.ts'
import { searchEndpoint } from '../../../src/memory/operations/search.ts'
import { recallEndpoint } from '../../../src/memory/recall/recall.ts'
import { ctxOf, embedded, find } from '../../support/search.ts'
import { newTenant } from '../../support/world.ts'

test('contract §3: the semantic score is half the similarity and half the pieces, so a less similar text may be first', async () => {
  const ctx = ctxOf(await newTenant())
  const named =
    'Before the flight to Lisbon the crew asked whether anyone on board cannot eat peanuts, and three said so.'
  const alike = 'Nuts.'
  await embedded(ctx, [alike, named, 'Tea without sugar.'])
  const { results } = await find(ctx, 'peanuts', { mode: 'semantic', include: ['score_breakdown'] })
  const [first, second] = results
  expect([first?.content.text, second?.content.text]).toEqual([named, alike])
  expect(first?.similarity).toBeLessThan(second?.similarity ?? 0)
  // The text has the one piece of the query, which it answers in full.
  expect(first?.score_breakdown?.semantic?.score).toBeCloseTo(((first?.similarity ?? 0) + 1) / 2, 5)
  for (const { similarity, score_breakdown } of results) {
    const pieces = 2 * (score_breakdown?.semantic?.score ?? 0) - (similarity ?? 0)
    expect(pieces).toBeGreaterThanOrEqual(0)
    expect(pieces).toBeLessThanOrEqual(1.00001)
  }
})

test('the examples of the reference have the scores of the service', async () => {
  const ctx = ctxOf(await newTenant())
  await embedded(ctx, [SAMPLE_TEXT])
  const [found] = (await find(ctx, SAMPLE_QUESTION)).results
  const { similarity, score } = found ?? {}
  expect(searchEndpoint.spec.example.reply).toMatchObject({ results: [{ similarity, score }] })
  expect(recallEndpoint.spec.example.reply).toMatchObject({ items: [{ score }] })
})
