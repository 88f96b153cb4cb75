/** @module-tag shards */
import { describe, expect, test } from 'vitest'
import { newTrail, type AuthContext } from '../../../src/core/context.ts'
import type { Meter } from '../../../src/core/database/meter.ts'
import { codePoints } from '../../../src/core/values/code-points.ts'
import { IngestBody } from '../../../src/memory/conversations/ingest-schema.ts'
import { ingest } from '../../../src/memory/conversations/ingest.ts'
import { recall } from '../../../src/memory/recall/recall.ts'
import { RecallInput, type RecallReply } from '../../../src/memory/recall/recall-schema.ts'
import { copyTurns } from '../../support/copied-turns.ts'
import { ctxOf, embedded, stored } from '../../support/search.ts'
import { addMember, call, db, newTenant, system } from '../../support/world.ts'

const ask = (ctx: AuthContext, input: object): Promise<RecallReply> =>
  recall({ ...ctx, trail: newTrail() }, RecallInput.parse(input))
const textsOf = ({ items = [] }: RecallReply): string[] => items.map(({ text }) => text)
const found = async (ctx: AuthContext, input: object) => textsOf(await ask(ctx, { format: 'items', ...input }))

const FACT = 'I am allergic to penicillin.'

describe('with a query', () => {
  test('the relevant texts come as one text within the budget, or as items with their scores', async () => {
    const ctx = ctxOf(await newTenant())
    const [fact] = await embedded(ctx, [FACT, 'The kettle is blue.'], { context: { conversation_id: 'c1' } })
    const reply = await ask(ctx, { query: 'What am I allergic to?' })
    expect(reply).toEqual({ text: expect.stringContaining(`: "${FACT}"`), pending: 0 })
    expect(reply.text).not.toContain('kettle')
    const small = await ask(ctx, { query: 'What am I allergic to?', max_tokens: 70 })
    expect(codePoints(small.text ?? '')).toBeLessThanOrEqual(210)
    expect(await ask(ctx, { query: 'What am I allergic to?', format: 'items' })).toEqual({
      items: [
        {
          id: fact,
          conversation_id: 'c1',
          role: null,
          speaker: null,
          occurred_at: expect.any(String),
          text: FACT,
          score: expect.any(Number),
        },
      ],
      pending: 0,
    })
  })

  test('nothing relevant is an empty text', async () => {
    const ctx = ctxOf(await newTenant())
    await embedded(ctx, [FACT, 'The kettle is blue.'])
    for (const query of ['thanks', 'ok', 'fix the failing test', 'What is it?', 'ありがとう'])
      expect(await ask(ctx, { query })).toEqual({ text: '', pending: 0 })
  })

  test('an item is found by its words before it is embedded', async () => {
    const ctx = ctxOf(await newTenant())
    await stored(ctx, FACT)
    expect(await ask(ctx, { query: 'penicillin', format: 'items' })).toMatchObject({
      items: [{ text: FACT }],
      pending: 1,
    })
  })

  test('contract §3: a recall whose vectors fail answers by keyword, with degraded', async () => {
    const user = await newTenant()
    await embedded(ctxOf(user), [FACT])
    const down = ctxOf(user, {
      projectVectors: (projectId, shard) => ({
        ...system.projectVectors(projectId, shard),
        query: () => Promise.reject(new Error('the object is down')),
      }),
    })
    expect(await ask(down, { query: 'penicillin' })).toMatchObject({
      text: expect.stringContaining(FACT),
      degraded: 'semantic_unavailable',
    })
  })

  test('equal texts fold to the newest', async () => {
    const ctx = ctxOf(await newTenant())
    await embedded(ctx, [FACT], { occurred_at: '2026-01-02', context: { conversation_id: 'new' } })
    await embedded(ctx, [FACT], { occurred_at: '2026-01-01', context: { conversation_id: 'old' } })
    const { items } = await ask(ctx, { query: 'penicillin', format: 'items' })
    expect(items).toMatchObject([{ conversation_id: 'new', occurred_at: '2026-01-02T00:00:00.000Z' }])
  })

  test('an equal text of another speaker is another fact', async () => {
    const ctx = ctxOf(await newTenant())
    const said = (conversation_id: string, name: string) =>
      ingest(ctx, IngestBody.parse({ conversation_id, messages: [{ role: 'user', name, content: FACT }] }))
    await said('one', 'Ada')
    await said('two', 'Ben')
    const { text = '' } = await ask(ctx, { query: 'Is Ada allergic to penicillin?' })
    expect(text).toContain(`"Ada": "${FACT}"`)
    expect(text).toContain(`"Ben": "${FACT}"`)
  })

  test('beside what is found, the same words of an assistant are shown once, and of a person each time', async () => {
    const ctx = ctxOf(await newTenant())
    const REPLY = 'Understood, the pharmacy will remember that for you.'
    for (const drug of ['penicillin', 'aspirin'])
      await ingest(
        ctx,
        IngestBody.parse({
          conversation_id: drug,
          messages: [
            { role: 'user', content: `I am allergic to ${drug}.` },
            { role: 'assistant', content: REPLY },
          ],
        }),
      )
    const repeated = async (input: object) => (await found(ctx, input)).filter((text) => text === REPLY)
    expect(await found(ctx, { query: 'What am I allergic to?' })).toHaveLength(3)
    expect(await repeated({ query: 'What am I allergic to?' })).toEqual([REPLY])
    expect(await repeated({})).toEqual([REPLY])
    const meetings = ctxOf(await newTenant())
    for (const meal of ['lunch', 'dinner'])
      await ingest(
        meetings,
        IngestBody.parse({
          conversation_id: meal,
          messages: [
            { role: 'user', name: 'Ada', content: `The penicillin trial meets for ${meal}.` },
            { role: 'user', name: 'Ben', content: 'I cannot come to the penicillin trial.' },
          ],
        }),
      )
    const answers = (await found(meetings, {})).filter((text) => text.startsWith('I cannot'))
    expect(answers).toHaveLength(2)
  })

  test('the conversation that the model sees is left out', async () => {
    const ctx = ctxOf(await newTenant())
    await embedded(ctx, [FACT], { context: { conversation_id: 'this' } })
    expect(await found(ctx, { query: 'penicillin', exclude_conversation_id: 'other' })).toEqual([FACT])
    expect(await found(ctx, { query: 'penicillin', exclude_conversation_id: 'this' })).toEqual([])
    expect(await found(ctx, { exclude_conversation_id: 'this' })).toEqual([])
  })

  test('what is left out takes the place of nothing else', async () => {
    const ctx = ctxOf(await newTenant())
    await embedded(ctx, [FACT], { occurred_at: '2026-01-01', context: { conversation_id: 'other' } })
    const talk = Array.from({ length: 101 }, (_, n) => `${n} penicillin penicillin`)
    await embedded(ctx, talk, { occurred_at: '2026-01-02', context: { conversation_id: 'this' } })
    expect(await found(ctx, { query: 'penicillin', exclude_conversation_id: 'this' })).toEqual([FACT])
    expect(await found(ctx, { exclude_conversation_id: 'this' })).toEqual([FACT])
    const filters = { conversation_id: 'this' }
    expect(await found(ctx, { query: 'penicillin', exclude_conversation_id: 'this', filters })).toEqual([])
  })

  test('of a long text the part that matches is shown', async () => {
    const ctx = ctxOf(await newTenant())
    await embedded(ctx, [`${'The weather is fine. '.repeat(200)}${FACT} ${'The weather is fine. '.repeat(200)}`])
    const { items } = await ask(ctx, { query: 'penicillin', format: 'items' })
    expect(items).toMatchObject([{ text: expect.stringMatching(/^….*penicillin.*…$/), truncated: true }])
    expect(items?.[0]?.text.length).toBeLessThanOrEqual(1_002)
  })

  test('of the turn beside a match the beginning is shown', async () => {
    const ctx = ctxOf(await newTenant())
    const messages = [
      { role: 'user', content: FACT },
      { role: 'assistant', content: 'A nurse wrote it down. '.repeat(50) },
    ]
    await ingest(ctx, IngestBody.parse({ conversation_id: 'chat', messages }))
    const { items } = await ask(ctx, { query: 'penicillin', format: 'items' })
    const beside = items?.find(({ text }) => text.startsWith('A nurse'))
    expect(beside).toMatchObject({ text: expect.stringMatching(/…$/), truncated: true })
    expect(beside?.text.length).toBeLessThanOrEqual(301)
  })

  test('context and filters hold', async () => {
    const ctx = ctxOf(await newTenant())
    await embedded(ctx, [FACT], { tags: ['health'], context: { namespace: 'user:ada' } })
    expect(await found(ctx, { query: 'penicillin' })).toEqual([])
    expect(await found(ctx, { query: 'penicillin', context: { namespace: 'user:ada' } })).toEqual([FACT])
    const filtered = (tags: string) =>
      found(ctx, { query: 'penicillin', context: { namespace: '*' }, filters: { tags: [tags] } })
    expect([await filtered('health'), await filtered('work')]).toEqual([[FACT], []])
  })
})

test('the last message of the user asks; parts without a text say nothing', async () => {
  const ctx = ctxOf(await newTenant())
  await embedded(ctx, [FACT, 'The kettle is blue.'])
  const messages = [
    { role: 'user', content: 'Which colour is the kettle in the kitchen of the office?' },
    { role: 'assistant', content: 'Blue.' },
    {
      role: 'user',
      content: [
        { type: 'image', url: 'https://a.example', text: 'The kettle, which is blue' },
        { type: 'text', text: 'Is penicillin dangerous for my allergic body, doctor?' },
      ],
    },
  ]
  expect(await found(ctx, { messages })).toEqual([FACT])
})

describe('without a query', () => {
  test('the pinned notes come first, then the newest exchanges', async () => {
    const ctx = ctxOf(await newTenant())
    await embedded(ctx, ['Ada prefers short answers.'], { tags: ['pinned'], occurred_at: '2020-01-01' })
    await embedded(ctx, ['A note that nobody pinned.'])
    await embedded(ctx, [FACT], { occurred_at: '2026-01-01', context: { conversation_id: 'c1' } })
    await embedded(ctx, ['The kettle is blue.'], { occurred_at: '2026-01-03', context: { conversation_id: 'c2' } })
    await embedded(ctx, ['Who is Ada?'], { occurred_at: '2026-01-04', context: { conversation_id: 'c2' } })
    const expected = ['Ada prefers short answers.', 'The kettle is blue.', FACT]
    expect(await found(ctx, {})).toEqual(expected)
    expect(await found(ctx, { messages: [{ role: 'system', content: 'Be brief.' }] })).toEqual(expected)
    expect((await ask(ctx, {})).pending).toBe(0)
  })

  test('contract §3: more than 1,000 newest turns of the conversation that is left out do not hide the others', async () => {
    const ctx = ctxOf(await newTenant())
    await embedded(ctx, [FACT], { occurred_at: '2020-01-01', context: { conversation_id: 'other' } })
    const messages = [{ role: 'user', content: 'a model' }]
    const { messages: said } = await ingest(ctx, IngestBody.parse({ conversation_id: 'this', messages }))
    const copies = Array.from({ length: 2_500 }, () => 'this')
    await copyTurns(said[0]?.ids[0] ?? '', copies)
    const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    const metered = { ...ctx, db: db.metered(meter) }
    expect(await found(metered, { exclude_conversation_id: 'this' })).toEqual([FACT])
    expect(meter.rowsRead).toBeLessThan(3 * 2_600)
    expect(await found(ctx, {})).not.toContain(FACT)
  })

  test('an empty project has an empty text', async () => {
    expect(await ask(ctxOf(await newTenant()), {})).toEqual({ text: '', pending: 0 })
  })
})

test('what a caller may not read is not recalled, and makes nothing relevant', async () => {
  const owner = await newTenant()
  const member = ctxOf(await addMember(owner, 'editor'))
  await embedded(ctxOf(owner), [FACT], { visibility: 'private', tags: ['pinned'], context: { conversation_id: 'c1' } })
  await embedded(ctxOf(owner), ['I am allergic to peanuts.'], { context: { conversation_id: 'c1' } })
  const context = { project_id: owner.projectId }
  expect(await found(member, { query: 'What am I allergic to?', context })).toEqual(['I am allergic to peanuts.'])
  expect(await found(member, { context })).toEqual(['I am allergic to peanuts.'])
  const stranger = ctxOf(await newTenant())
  for (const input of [{ query: 'penicillin' }, {}])
    await expect(ask(stranger, { ...input, context })).rejects.toMatchObject({ code: 'not_found' })
})

test('one audit row has the ids that were shown', async () => {
  const ctx = ctxOf(await newTenant())
  const [fact] = await embedded(ctx, [FACT, 'The kettle is blue.'])
  const own = { ...ctx, trail: newTrail() }
  await recall(own, RecallInput.parse({ query: 'penicillin' }))
  expect(own.trail.resourceIds).toEqual([fact])
})

test.each([
  [{ query: '' }, 'query', 'wrong_length'],
  [{ query: 'x'.repeat(4_097) }, 'query', 'wrong_length'],
  [{ query: 'x', messages: [{ role: 'user', content: 'y' }] }, 'messages', 'invalid_combination'],
  [{ messages: [] }, 'messages', 'too_small'],
  [{ messages: [{ role: 'poet', content: 'x' }] }, 'messages.0.role', 'invalid_value'],
  [{ messages: [{ role: 'user', content: 'x', timestamp: 'soon' }] }, 'messages.0.timestamp', 'invalid_instant'],
  [{ messages: [{ role: 'user', content: 'x', id: 'm'.repeat(257) }] }, 'messages.0.id', 'wrong_length'],
  [{ query: 'x', max_tokens: 0 }, 'max_tokens', 'too_small'],
  [{ query: 'x', format: 'xml' }, 'format', 'invalid_value'],
  [{ query: 'x', limit: 5 }, 'limit', 'unknown_field'],
])('422: %j', async (body, path, code) => {
  const { key } = await newTenant()
  const answer = await call('POST', '/v1/memory/recall', { key, body })
  expect(answer.status).toBe(422)
  expect(answer.body.errors).toEqual([expect.objectContaining({ path, code })])
})

test('turns come with their roles and speakers, and an answered question by its answer alone', async () => {
  const tenant = await newTenant()
  const line = (content: string, turn: object, second: number) =>
    JSON.stringify({ content, turn, context: { conversation_id: 'c1' }, occurred_at: `2026-01-01T09:00:0${second}Z` })
  const answer = 'Freeze the cloth, scrape the wax off and iron the stain.'
  const raw = [
    line(FACT, { role: 'user', speaker: 'Ada' }, 1),
    line('Noted.', { role: 'assistant' }, 2),
    line('How do I get wax out of a tablecloth?', { role: 'user', speaker: 'Ada' }, 3),
    line(answer, { role: 'assistant' }, 4),
    line('What am I allergic to?', { role: 'user', speaker: 'Ada' }, 5),
    line('I do not know.', { role: 'assistant' }, 6),
  ].join('\n')
  const headers = { 'Content-Type': 'application/x-ndjson' }
  expect((await call('POST', '/v1/memory/import', { key: tenant.key, headers, raw })).body).toMatchObject({ failed: 0 })
  const ctx = ctxOf(tenant)
  const { text } = await ask(ctx, { query: 'What am I allergic to?' })
  expect(text).toContain(`- 09:00 "Ada": "${FACT}"\n- 09:00 assistant: "Noted."`)
  expect(text).not.toMatch(/What am|I do not know/)
  expect(await ask(ctx, { query: 'wax tablecloth', format: 'items' })).toMatchObject({
    items: [{ text: answer, role: 'assistant', speaker: null, conversation_id: 'c1' }],
  })
  expect(await found(ctx, {})).toEqual([answer, FACT, 'Noted.'])
})
