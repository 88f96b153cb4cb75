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

test('the embedded model finds the answer first, by its meaning alone', async () => {
  const ctx = ctxOf(await newTenant())
  const [, answer] = await embedded(ctx, [
    OTHER_SAMPLE_TEXT,
    SAMPLE_TEXT,
    'The deployment window is on Tuesday at 14:00 UTC.',
    'Grace works from home on Fridays.',
    'Invoices above 10,000 need a second signature.',
  ])
  for (const mode of ['hybrid', 'semantic']) expect(idsOf(await find(ctx, SAMPLE_QUESTION, { mode }))[0]).toBe(answer)
  expect(idsOf(await find(ctx, SAMPLE_QUESTION, { mode: 'keyword' }))).toEqual([])
})

test('the example of a search in the reference finds that of a store', async () => {
  const user = await newWriter()
  await embedded(ctxOf(user), [OTHER_SAMPLE_TEXT], { context: { conversation_id: 'chat-17' } })
  const { body: item } = await user.store({ ...StoreInput.parse(storeEndpoint.spec.example?.body), wait_ms: 5_000 })
  expect(item.embedding_status).toBe('completed')
  const { body } = await user.send('POST', searchEndpoint.spec.path, searchEndpoint.spec.example?.body)
  expect(body.results[0].id).toBe(item.id)
})
