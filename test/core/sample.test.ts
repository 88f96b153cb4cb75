import { expect, test } from 'vitest'
import { OTHER_SAMPLE_TEXT, SAMPLE_QUESTION, SAMPLE_TEXT } from '../../src/core/sample.ts'
import { StoreInput } from '../../src/memory/item.ts'
import { searchEndpoint } from '../../src/memory/operations/search.ts'
import { storeEndpoint } from '../../src/memory/operations/store.ts'
import { newWriter } from '../support/memory.ts'
import { ctxOf, embedded, find, idsOf } from '../support/search.ts'
import { newTenant } from '../support/world.ts'

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

test('the question shares no word with its answer', () => {
  for (const text of [SAMPLE_TEXT, OTHER_SAMPLE_TEXT])
    expect(wordsOf(SAMPLE_QUESTION).filter((word) => wordsOf(text).includes(word))).toEqual([])
})

/** What people store on any day: meals, illness, women, men, children and animals among them. */
const EVERYDAY = [
  'The dentist appointment is on Monday at nine.',
  'Grace works from home on Fridays.',
  'Ben picks up the kids from school at four.',
  'We ran out of milk and bread.',
  'She made soup for dinner last night.',
  'He was sick last week and stayed in bed.',
  'The doctor told her to drink more water.',
  'Our cat likes to sleep on the keyboard.',
  'The restaurant on the corner serves great pasta.',
  'She bought apples and cheese at the market.',
  'The washing machine makes a strange sound.',
  'The train to Berlin leaves at half past six.',
  'The children eat lunch at school.',
  'Chocolate cake is his favourite dessert.',
  'She gets headaches when she sleeps too little.',
  'The flowers make him sneeze.',
  'The dog ate too much and felt bad.',
  'Tom bakes bread every weekend.',
  'She drinks milk with her breakfast.',
  'The baby has a fever.',
]

test('the embedded model finds the answer first, by its meaning alone, also beside 20 everyday sentences', async () => {
  expect(EVERYDAY).toHaveLength(20)
  for (const others of [[], EVERYDAY]) {
    const ctx = ctxOf(await newTenant())
    const [, answer] = await embedded(ctx, [OTHER_SAMPLE_TEXT, SAMPLE_TEXT, ...others])
    for (const mode of ['hybrid', 'semantic']) {
      const { results } = await find(ctx, SAMPLE_QUESTION, { mode })
      expect(results[0]?.id).toBe(answer)
      // Not by a hair: the next one has half of its score at most.
      expect(results[1]?.score ?? 0).toBeLessThan((results[0]?.score ?? 0) / 2)
    }
    expect(idsOf(await find(ctx, SAMPLE_QUESTION, { mode: 'keyword' }))).not.toContain(answer)
  }
})

test('the example of a search in the reference finds that of a store', async () => {
  const user = await newWriter()
  await embedded(ctxOf(user), [OTHER_SAMPLE_TEXT], { context: { conversation_id: 'chat-17' } })
  const { body: item } = await user.store({ ...StoreInput.parse(storeEndpoint.spec.example?.body), wait_ms: 5_000 })
  expect(item.embedding_status).toBe('completed')
  const { body } = await user.send('POST', searchEndpoint.spec.path, searchEndpoint.spec.example?.body)
  expect(body.results[0].id).toBe(item.id)
})
